import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { AuditRecord } from "../../../../server/contract/pos/audit-trail.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { actionWords, detailWords, subjectWords } from "../audit-words.ts";
import classes from "./audit-screen.module.css";

/** One action: when, who, what. */
export function AuditEntry({ record }: { readonly record: AuditRecord }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: unit } = useQuery(statusQuery());
  const action = actionWords(record.action, t);
  const subject = subjectWords(record, t);
  const details = unit ? detailWords(record, t, format, unit) : [];
  return (
    <li className={classes.entry}>
      <time className={classes.when} dateTime={record.at}>
        {format.day(record.at)} {format.timeExact(record.at)}
      </time>
      <span className={classes.who}>{record.staff?.name ?? t("audit.program")}</span>
      <span className={classes.what}>
        <span>{subject === undefined ? action : t("audit.about", { action, subject })}</span>
        {details.length > 0 ? <span className={classes.small}>{details.join(" · ")}</span> : null}
      </span>
    </li>
  );
}
