import type { PrintFailure } from "../../electron/ipc/ipc-map.ts";
import type { PrintTrouble } from "../../server/contract/pos/printers.ts";
import type { Translate } from "./i18n.ts";

/** Why a receipt is not on paper. The sale is safe, whatever it is. */
export class PrintError extends Error {
  readonly reason: PrintFailure | PrintTrouble;

  constructor(reason: PrintFailure | PrintTrouble) {
    super(`the receipt was not printed: ${reason}`);
    this.reason = reason;
  }
}

const KNOWN = ["OFF", "NO_ANSWER", "OUT_OF_PAPER", "COVER_OPEN"] as const;

/** What to do about the printer, in the clerk's words. */
export function printTroubleWords(error: unknown, t: Translate): string {
  const known = KNOWN.find((reason) => error instanceof PrintError && error.reason === reason);
  return known ? t(`printing.trouble.${known}`) : t("sale.printFailed");
}
