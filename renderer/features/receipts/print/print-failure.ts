import type { PrintFailure } from "../../../../electron/ipc/ipc-map.ts";
import type { PrintTrouble } from "../../../../server/contract/pos/printers.ts";

export interface Printed {
  readonly printed: boolean;
  readonly reason?: PrintFailure | PrintTrouble;
  /** True if bytes may have reached the printer. A repeat is then a copy. */
  readonly begun?: boolean;
}
