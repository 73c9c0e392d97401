import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { UpstreamSyncReport } from "../../server/contract/pos/upstream.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./catalog-difference.module.css";
import { Notice } from "./notice.tsx";

type LeftOutProps = Omit<UpstreamSyncReport, "sections">;

export function LeftOut(props: LeftOutProps) {
  const { leftOut, leftOutCount, leftOutReasons = [], unread = [], deviations = [] } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const counted = (text: string, count: number) => `${text} (${format.number(count)})`;
  return (
    <>
      {unread.length > 0 ? (
        <Notice tone="bad">
          {t("office.live.catalog.unread", {
            parts: unread.map(({ part, reason }) => `${part}: ${reason}`).join("; "),
          })}
        </Notice>
      ) : null}
      {leftOutCount > 0 ? (
        <Lines title={t("office.live.catalog.leftOut", { number: format.number(leftOutCount) })}>
          {leftOutReasons.length > 0 ? (
            <li>
              <strong>{t("office.live.catalog.leftOutReasons")}</strong>
            </li>
          ) : null}
          {leftOutReasons.map(({ reason, count }) => (
            <li key={`reason ${reason}`}>{counted(reason, count)}</li>
          ))}
          {leftOut.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </Lines>
      ) : null}
      {deviations.length > 0 ? (
        <Lines
          title={t("office.live.catalog.deviations", { number: format.number(deviations.length) })}
        >
          {deviations.map(({ what, count, example }) => (
            <li key={what}>
              {counted(example === "" ? what : `${what}, as in ${example}`, count)}
            </li>
          ))}
        </Lines>
      ) : null}
    </>
  );
}

function Lines({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details>
      <summary className={classes.summary}>{title}</summary>
      <ul className={classes.leftOut} lang="en" dir="ltr">
        {children}
      </ul>
    </details>
  );
}
