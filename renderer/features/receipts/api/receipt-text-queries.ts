import { queryOptions } from "@tanstack/react-query";
import type { ReceiptText } from "../../../../server/contract/pos/receipt-text.ts";
import type { PosSettings } from "../../../../server/contract/pos/settings.ts";
import { request } from "../../../lib/api-client.ts";

/** What the shop says of itself on every receipt; for owners. */
export function receiptTextQuery() {
  return queryOptions({
    queryKey: ["receipt-text"],
    queryFn: async ({ signal }) =>
      (await request<PosSettings>("GET", "/pos/settings", { signal })).receipt,
    // Who opens the screen changes it: it is never older than that.
    gcTime: 0,
  });
}

/** Changes that alone; every other setting stays as it is. */
export async function putReceiptText(receipt: ReceiptText): Promise<ReceiptText> {
  const settings = await request<PosSettings>("GET", "/pos/settings");
  const body: PosSettings = { ...settings, receipt };
  return (await request<PosSettings>("PUT", "/pos/settings", { body })).receipt;
}
