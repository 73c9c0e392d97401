import type { PrintFailure } from "../../../../electron/ipc/ipc-map.ts";
import type { PrintTrouble } from "../../../../server/contract/pos/printers.ts";

/** The outcome of printing a receipt, on any kind of printer. */
export interface Printed {
  readonly printed: boolean;
  readonly reason?: PrintFailure | PrintTrouble;
  /** Bytes of it may have reached the printer: any other print of the same is a copy. */
  readonly begun?: boolean;
}
