import type { PrintFailure } from "../../electron/ipc/ipc-map.ts";
import type { PrintTrouble } from "../../server/contract/pos/printers.ts";
import type { Translate } from "./i18n.ts";

type Reason = PrintFailure | PrintTrouble | "PRINTER_GONE";

/** Reason why a receipt was not printed, or possibly not. The sale is stored in any case. */
export class PrintError extends Error {
  readonly reason: Reason;
  /** True if bytes may have reached the printer: another print is a copy. */
  readonly begun: boolean;

  constructor(reason: Reason, begun = false) {
    super(`the receipt was not printed: ${reason}`);
    this.reason = reason;
    this.begun = begun;
  }
}

const KNOWN = [
  "OFF",
  "BUSY",
  "NO_ANSWER",
  "OUT_OF_PAPER",
  "COVER_OPEN",
  "NO_PRINTER",
  "PRINTER_GONE",
  "REPLACED",
] as const;

/** Returns the clerk's next step with the printer. */
export function printTroubleWords(error: unknown, t: Translate): string {
  const known = KNOWN.find((reason) => error instanceof PrintError && error.reason === reason);
  const words = known ? t(`printing.trouble.${known}`) : t("sale.printFailed");
  return withOutcome(words, error, t);
}

/** Like `printTroubleWords`, for a report. */
export function reportTroubleWords(error: unknown, t: Translate): string {
  const isGone = error instanceof PrintError && error.reason === "PRINTER_GONE";
  const words = isGone ? t("printing.trouble.PRINTER_GONE") : t("shift.z.printFailed");
  return withOutcome(words, error, t);
}

function withOutcome(words: string, error: unknown, t: Translate): string {
  const isUnknown = error instanceof PrintError && error.begun;
  return isUnknown ? `${words} ${t("printing.mayBePrinted")}` : words;
}
