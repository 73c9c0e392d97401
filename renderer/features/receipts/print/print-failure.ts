import type { PrintFailure } from "../../../../electron/ipc/ipc-map.ts";
import type { PrintTrouble } from "../../../../server/contract/pos/printers.ts";

/** What became of a receipt, whichever way it was printed. */
export interface Printed {
  readonly printed: boolean;
  readonly reason?: PrintFailure | PrintTrouble;
}
