import type { QueryClient } from "@tanstack/react-query";
import {
  type HeldSale,
  type HeldSaleInput,
  heldSaleOperations,
} from "../../../../server/contract/pos/held-sales.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** Newest first. */
export function heldSalesQuery() {
  return { ...operationQuery(heldSaleOperations.list), staleTime: 15_000 };
}

/** Idempotent: a repeat does not hold the sale again. */
export function postHeldSale(input: HeldSaleInput): Promise<HeldSale> {
  return call(heldSaleOperations.hold, { body: input });
}

/** Deletes held copies. Copies that do not exist are ignored. */
export async function discardHeld(
  queryClient: QueryClient,
  heldSaleIds: readonly string[] = [],
): Promise<void> {
  if (heldSaleIds.length > 0) {
    await Promise.allSettled(
      heldSaleIds.map((heldSaleId) => call(heldSaleOperations.discard, { params: { heldSaleId } })),
    );
    void queryClient.invalidateQueries({ queryKey: heldSalesQuery().queryKey });
  }
}

/** Idempotent: a repeat with the same `resumeId` returns the same basket. */
export function postResume(heldSaleId: string, resumeId: string): Promise<HeldSale> {
  return call(heldSaleOperations.resume, { params: { heldSaleId }, body: { resumeId } });
}
