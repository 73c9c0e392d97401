import { type InfiniteData, infiniteQueryOptions } from "@tanstack/react-query";
import type { Sale, Sales } from "../../../../server/contract/pos/sales.ts";
import { request } from "../../../lib/api-client.ts";
import { newerSale } from "../../../lib/sale-outcome.ts";

export const salesListsKey = ["sales"] as const;

const PAGE_SIZE = 50;

/** The sales since a moment, newest first, a page at a time. `since` is RFC 3339. */
export function salesQuery(since: string) {
  return infiniteQueryOptions({
    queryKey: [...salesListsKey, since],
    queryFn: ({ pageParam, signal }) =>
      request<Sales>("GET", "/pos/sales", {
        query: { since, limit: PAGE_SIZE, offset: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ limit, offset, total }: Sales) =>
      offset + limit < total ? offset + limit : undefined,
    staleTime: 10_000,
  });
}

/** Puts a sale that was heard of into the lists: over its older self, or in front. */
export function putSaleIntoLists(sale: Sale) {
  return (lists: InfiniteData<Sales, number> | undefined) => {
    if (!lists) {
      return lists;
    }
    const isKnown = lists.pages.some(({ list }) =>
      list.some(({ saleId }) => saleId === sale.saleId),
    );
    const pages = lists.pages.map((page, index) => {
      if (isKnown) {
        return {
          ...page,
          list: page.list.map((old) => (old.saleId === sale.saleId ? newerSale(old, sale) : old)),
        };
      }
      return index === 0 ? { ...page, list: [sale, ...page.list] } : page;
    });
    return { ...lists, pages };
  };
}

/** Every sale of the loaded pages once: pages shift while sales are added. */
export function salesOfPages(lists: Pick<InfiniteData<Sales>, "pages">): Sale[] {
  const seen = new Map<string, Sale>();
  for (const sale of lists.pages.flatMap(({ list }) => list)) {
    if (!seen.has(sale.saleId)) {
      seen.set(sale.saleId, sale);
    }
  }
  return [...seen.values()];
}

/** Whether a sale fits what was typed: digits of a number, or the number of the sale. */
export function matchesSale(sale: Sale, text: string): boolean {
  const digits = text.replaceAll(/\D/g, "");
  if (text.trim() === "") {
    return true;
  }
  return (
    digits !== "" &&
    (String(sale.saleNumber) === String(Number(digits)) ||
      sale.lines.some(({ recipientPhoneNumber }) => recipientPhoneNumber.includes(digits)))
  );
}
