import { useTranslation } from "react-i18next";
import { BACKUP_FAULTS, type BackupFault } from "../../server/contract/pos/backups.ts";
import { ApiError } from "../lib/api-client.ts";
import { useFormat } from "../lib/use-format.ts";

/** Faults whose English problems help the person who supports the shop. */
const WITH_PROBLEMS: readonly BackupFault["kind"][] = ["BOOKS", "FAILED"];

/** Says why a backup cannot be restored, and what to do next. */
export function BackupFaultText({
  fault: { kind, copy = "", copyAt, shop = "", whole, wholeAt },
  problems = [],
}: {
  readonly fault: BackupFault;
  readonly problems?: readonly string[] | undefined;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const moment = (at: string | undefined) => (at === undefined ? "" : format.moment(at));
  return (
    <>
      {kind === "UNSIGNED"
        ? t("restore.unsigned")
        : t(`restore.fault.${kind}`, { copy, time: moment(copyAt), shop })}{" "}
      {whole === undefined ? "" : t("restore.fault.whole", { copy: whole, time: moment(wholeAt) })}{" "}
      <small className="soft size-caption">
        {t("common.code", { code: kind })}
        {WITH_PROBLEMS.includes(kind) ? <bdi lang="en"> {problems.join("; ")}</bdi> : null}
      </small>
    </>
  );
}

/** Returns the fault in the fields of a refused restore. */
export function faultOf(error: Error | null): BackupFault | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const kind = BACKUP_FAULTS.find((one) => one === error.fields.kind);
  return kind && { ...error.fields, kind };
}
