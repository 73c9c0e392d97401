import { queryOptions } from "@tanstack/react-query";
import type { ReceiptText } from "../../../../server/contract/pos/receipt-text.ts";
import { settingsOperations } from "../../../../server/contract/pos/settings.ts";
import { call } from "../../../lib/api-client.ts";
import { queryKeyOf } from "../../../lib/operation-query.ts";

/** Only owners may run this query. */
export function receiptTextQuery() {
  return queryOptions({
    queryKey: queryKeyOf(settingsOperations.get),
    queryFn: async ({ signal }) => (await call(settingsOperations.get, { signal })).receipt,
    // The screen edits the text, so it must not open with a cached text.
    gcTime: 0,
  });
}

/** Saves the receipt text, and leaves all other settings unchanged. */
export async function putReceiptText(receipt: ReceiptText): Promise<ReceiptText> {
  const settings = await call(settingsOperations.get);
  return (await call(settingsOperations.change, { body: { ...settings, receipt } })).receipt;
}
