import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "./folded-line.module.css";
import { LinkButton } from "./link-button.tsx";

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
