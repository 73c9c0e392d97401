import type { PrintFailure } from "../../../../electron/ipc/ipc-map.ts";
import type { PrintTrouble } from "../../../../server/contract/pos/printers.ts";

/** The outcome of a print, on any kind of printer. */
export interface Printed {
  readonly printed: boolean;
  readonly reason?: PrintFailure | PrintTrouble;
  /** Bytes may have reached the printer, so any repeat counts as a copy. */
  readonly begun?: boolean;
}
