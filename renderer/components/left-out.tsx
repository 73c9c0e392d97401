import { useTranslation } from "react-i18next";
import { useFormat } from "../lib/use-format.ts";
import classes from "./catalog-difference.module.css";

interface LeftOutProps {
  readonly leftOut: readonly string[];
  readonly leftOutCount: number;
}

/** What cannot be sold, and why, in the gateway's words. */
export function LeftOut({ leftOut, leftOutCount }: LeftOutProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <details>
      <summary className={classes.summary}>
        {t("office.live.catalog.leftOut", { number: format.number(leftOutCount) })}
      </summary>
      <ul className={classes.leftOut} lang="en" dir="ltr">
        {leftOut.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
