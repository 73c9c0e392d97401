import { queryOptions } from "@tanstack/react-query";
import {
  type HeldSale,
  type HeldSaleInput,
  heldSaleOperations,
} from "../../../../server/contract/pos/held-sales.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** Baskets that were put aside, newest first. */
export function heldSalesQuery() {
  return queryOptions({
    ...operationQuery(heldSaleOperations.list),
    staleTime: 15_000,
  });
}

/** The same again changes nothing. */
export function postHeldSale(input: HeldSaleInput): Promise<HeldSale> {
  return call(heldSaleOperations.hold, { body: input });
}

/** Takes a basket out of the list; the same `resumeId` again gets the same answer. */
export function postResume(heldSaleId: string, resumeId: string): Promise<HeldSale> {
  return call(heldSaleOperations.resume, { params: { heldSaleId }, body: { resumeId } });
}
