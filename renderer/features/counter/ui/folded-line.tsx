import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Family } from "../../../../server/contract/pos/families.ts";
import classes from "./folded-line.module.css";
import { LinkButton } from "./link-button.tsx";
import stepClasses from "./open-step.module.css";

interface FoldedLineProps {
  readonly picture?: ReactNode;
  readonly title: string;
  readonly facts: string;
  readonly aside?: ReactNode;
  readonly onUndo: () => void;
}

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
      <LinkButton shortcut="Esc" onPress={onUndo}>
        {t("counter.undo")}
      </LinkButton>
    </div>
  );
}

interface StepFrameProps {
  readonly family: Family;
  readonly step: string;
  /** The finished steps in one line. */
  readonly folded: ReactNode;
  readonly children: ReactNode;
}

/** Shows the finished steps, and the open step below them. */
export function StepFrame({ family, step, folded, children }: StepFrameProps) {
  return (
    <>
      {folded}
      <div className={stepClasses.step} key={`${family} ${step}`}>
        {children}
      </div>
    </>
  );
}
