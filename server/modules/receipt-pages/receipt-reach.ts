import type { ReceiptPageSettings, ReceiptWays } from "../../contract/pos/receipt-pages.ts";
import { describeNetwork } from "../support/index.ts";

/** Where the pages of receipts are, outside `/v1` and `/pos`. */
export const PAGE_PREFIX = "/r";

interface Reach {
  reach: ReceiptWays["reach"];
  /** What the path of a page follows; empty where nobody reaches it. */
  base: string;
}

/** Which phones reach a page, and where. */
export function reachOf(
  { publicUrl }: Pick<ReceiptPageSettings, "publicUrl">,
  { host, port }: { host: string; port: number },
): Reach {
  if (publicUrl !== "") return { reach: "PUBLIC", base: publicUrl };
  const [base] = describeNetwork(host, port).addresses;
  return base === undefined ? { reach: "NONE", base: "" } : { reach: "NETWORK", base };
}
