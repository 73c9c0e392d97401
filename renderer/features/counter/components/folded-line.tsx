import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { KeyCap } from "../../../components/key-cap.tsx";
import classes from "./folded-line.module.css";
import stepClasses from "./step.module.css";

interface FoldedLineProps {
  readonly picture?: ReactNode;
  readonly title: string;
  readonly facts: string;
  /** Beside undo: what else may be changed of it. */
  readonly aside?: ReactNode;
  readonly onUndo: () => void;
}

/** The finished steps, folded into a line above the open one. */
export function FoldedLine({ picture, title, facts, aside, onUndo }: FoldedLineProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.line}>
      {picture}
      <span className={classes.words}>
        <span className={classes.number} dir="auto">
          {title}
        </span>
        <span className={classes.facts}>{facts}</span>
      </span>
      {aside}
      <button
        type="button"
        className={stepClasses.link}
        onClick={(event) => {
          // It may stay where it is: Enter is the next step's, not another undo.
          event.currentTarget.blur();
          onUndo();
        }}
      >
        {t("counter.undo")} <KeyCap>Esc</KeyCap>
      </button>
    </div>
  );
}
