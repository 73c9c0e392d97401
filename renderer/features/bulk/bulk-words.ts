import type { BulkFault, BulkWarning } from "../../../server/contract/pos/bulk-runs.ts";
import { ApiError } from "../../lib/api-client.ts";
import { type ErrorWords, errorWords } from "../../lib/error-words.ts";
import type { Translate } from "../../lib/i18n.ts";
import type { Format } from "../../lib/use-format.ts";

const FILE_FAULTS = [
  "EMPTY",
  "NO_LINES",
  "TOO_MANY_LINES",
  "TOO_MANY_COLUMNS",
  "COLUMN_TWICE",
  "NO_OFFER_COLUMN",
  "UNKNOWN_COLUMN",
  "UNREADABLE",
  "WORKBOOK",
] as const;
const REFUSALS = ["BULK_LINES_AT_FAULT", "BULK_RUN_CHANGED", "BULK_SOLD_BEFORE"] as const;

/** Formats a line's error, with the name of the column if the error has one. */
export function faultWords({ field, code, detail }: BulkFault, t: Translate): string {
  const words = t(`office.bulk.fault.${code}`, { detail });
  return field === "" ? words : t("office.bulk.fault.in", { column: field, words });
}

export function warningWords({ code, detail }: BulkWarning, t: Translate): string {
  return t(`office.bulk.warning.${code}`, { detail });
}

export function bulkErrorWords(error: unknown, t: Translate, format: Format): ErrorWords {
  if (!(error instanceof ApiError)) {
    return errorWords(error, t, format);
  }
  const { errorCode: code, fields, status } = error;
  const fault = FILE_FAULTS.find((one) => one === fields.fault);
  if (code === "BULK_FILE_FAULT" && fault) {
    const { line = "", column = "", most = "" } = fields;
    const what = t(`office.bulk.file.${fault}`, { line, column, most });
    return { what, next: t("office.bulk.file.next"), code };
  }
  if (status === 413) {
    return { what: t("office.bulk.file.TOO_LARGE"), next: t("office.bulk.file.next"), code };
  }
  const refusal = REFUSALS.find((one) => one === code);
  if (refusal) {
    return { what: t(`office.bulk.refused.${refusal}`), next: t("office.bulk.refused.next"), code };
  }
  if (code === "PRICE_CHANGED") {
    return { what: t("office.bulk.refused.prices"), next: t("office.bulk.refused.next"), code };
  }
  return errorWords(error, t, format);
}
