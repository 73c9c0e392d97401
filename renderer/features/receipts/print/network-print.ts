import type { PrintFailure } from "../../../../electron/ipc/ipc-map.ts";
import type {
  DrawerCause,
  Printer,
  PrintTrouble,
} from "../../../../server/contract/pos/printers.ts";
import { isRefusal } from "../../../lib/api-client.ts";
import { newId } from "../../../lib/new-id.ts";
import { getPrint, postPrint } from "../api/printer-queries.ts";

export interface Printed {
  readonly printed: boolean;
  readonly reason?: PrintFailure | PrintTrouble;
  /** True if bytes may have reached the printer. A repeat is then a copy. */
  readonly begun?: boolean;
}

const ASK_EVERY_MS = 400;
/**
 * A long receipt takes minutes. The gateway itself ends a print that the printer no longer accepts.
 */
const GIVE_UP_MS = 600_000;

/**
 * Sends bytes to a network printer. A print that opens the drawer states the cause. Never rejects,
 * because a printer failure must not stop a sale.
 */
export async function printBytes(
  { printerId }: Printer,
  bytes: Uint8Array,
  options: { readonly printId?: string | undefined; readonly drawer?: DrawerCause } = {},
): Promise<Printed> {
  const { printId = newId(), drawer } = options;
  try {
    let print = await postPrint(printerId, { printId, bytes, drawer });
    for (let waited = 0; print.state === "WAITING" && waited < GIVE_UP_MS; waited += ASK_EVERY_MS) {
      await new Promise((resolve) => {
        setTimeout(resolve, ASK_EVERY_MS);
      });
      print = await getPrint(printerId, printId);
    }
    const { begun } = print;
    return print.state === "PRINTED"
      ? { printed: true, begun }
      : { printed: false, reason: print.trouble ?? "NO_ANSWER", begun };
  } catch (error) {
    // Without a response, bytes may have reached the printer.
    return { printed: false, reason: "FAILED", begun: !isRefusal(error) };
  }
}
