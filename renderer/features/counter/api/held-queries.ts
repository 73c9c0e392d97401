import { queryOptions } from "@tanstack/react-query";
import type {
  HeldSale,
  HeldSaleInput,
  HeldSales,
} from "../../../../server/contract/pos/held-sales.ts";
import { request } from "../../../lib/api-client.ts";

/** Baskets that were put aside, newest first. */
export function heldSalesQuery() {
  return queryOptions({
    queryKey: ["held-sales"],
    queryFn: ({ signal }) => request<HeldSales>("GET", "/pos/held-sales", { signal }),
    staleTime: 15_000,
  });
}

/** The same again changes nothing. */
export function postHeldSale(input: HeldSaleInput): Promise<HeldSale> {
  return request<HeldSale>("POST", "/pos/held-sales", { body: input });
}

/** Takes a basket out of the list; the same `resumeId` again gets the same answer. */
export function postResume(heldSaleId: string, resumeId: string): Promise<HeldSale> {
  return request<HeldSale>("POST", `/pos/held-sales/${heldSaleId}/resume`, { body: { resumeId } });
}
