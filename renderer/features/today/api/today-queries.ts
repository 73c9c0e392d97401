import { type InfiniteData, infiniteQueryOptions } from "@tanstack/react-query";
import { type Sale, type Sales, saleOperations } from "../../../../server/contract/pos/sales.ts";
import { call } from "../../../lib/api-client.ts";
import { latinDigits } from "../../../lib/direction.ts";
import { queryKeyOf } from "../../../lib/operation-query.ts";

const PAGE_SIZE = 50;

/**
 * Query of sales, page by page, newest first.
 * @param since RFC 3339
 * @param search digits of a phone number, or a sale number
 */
export function salesQuery(since: string, search = "") {
  return infiniteQueryOptions({
    queryKey: queryKeyOf(saleOperations.list, { query: { since, search } }),
    queryFn: ({ pageParam, signal }) =>
      call(saleOperations.list, {
        query: {
          since,
          ...(search !== "" && { search }),
          limit: PAGE_SIZE,
          offset: pageParam,
        },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ limit, offset, total }: Sales) =>
      offset + limit < total ? offset + limit : undefined,
    staleTime: 10_000,
  });
}

/**
 * Returns the sales of all pages once each: new sales shift the pages, so a sale may be on two
 * pages.
 */
export function salesOfPages(lists: Pick<InfiniteData<Sales>, "pages">): Sale[] {
  const seen = new Map<string, Sale>();
  for (const sale of lists.pages.flatMap(({ list }) => list)) {
    if (!seen.has(sale.saleId)) {
      seen.set(sale.saleId, sale);
    }
  }
  return [...seen.values()];
}

const MAX_SEARCH = 15;

/** Returns the digits of a text, because the gateway searches only numbers. */
export function searchDigits(text: string): string {
  return latinDigits(text).replaceAll(/\D/g, "").slice(0, MAX_SEARCH);
}
