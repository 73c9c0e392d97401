import type { PrintFailure } from "../../electron/ipc/ipc-map.ts";
import type { PrintTrouble } from "../../server/contract/pos/printers.ts";
import type { Translate } from "./i18n.ts";

type Reason = PrintFailure | PrintTrouble | "PRINTER_GONE";

/** A receipt was not, or possibly not, printed. The sale is stored in any case. */
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

export function printTroubleWords(error: unknown, t: Translate): string {
  const known = KNOWN.find((reason) => error instanceof PrintError && error.reason === reason);
  const words = known ? t(`printing.trouble.${known}`) : t("sale.printFailed");
  return withOutcome(words, error, t);
}

export function reportTroubleWords(error: unknown, t: Translate): string {
  const isGone = error instanceof PrintError && error.reason === "PRINTER_GONE";
  const words = isGone ? t("printing.trouble.PRINTER_GONE") : t("shift.z.printFailed");
  return withOutcome(words, error, t);
}

function withOutcome(words: string, error: unknown, t: Translate): string {
  const isUnknown = error instanceof PrintError && error.begun;
  return isUnknown ? `${words} ${t("printing.mayBePrinted")}` : words;
}
