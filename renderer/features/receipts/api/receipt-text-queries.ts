import { queryOptions } from "@tanstack/react-query";
import type { ReceiptText } from "../../../../server/contract/pos/receipt-text.ts";
import { settingsOperations } from "../../../../server/contract/pos/settings.ts";
import { call } from "../../../lib/api-client.ts";
import { queryKeyOf } from "../../../lib/operation-query.ts";

/** What the shop says of itself on every receipt; for owners. */
export function receiptTextQuery() {
  return queryOptions({
    queryKey: queryKeyOf(settingsOperations.get),
    queryFn: async ({ signal }) => (await call(settingsOperations.get, { signal })).receipt,
    // Who opens the screen changes it: it is never older than that.
    gcTime: 0,
  });
}

/** Changes that alone; every other setting stays as it is. */
export async function putReceiptText(receipt: ReceiptText): Promise<ReceiptText> {
  const settings = await call(settingsOperations.get);
  return (await call(settingsOperations.change, { body: { ...settings, receipt } })).receipt;
}
