import { useQueries } from "@tanstack/react-query";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { saleQuery } from "../../../../lib/pos-queries.ts";
import type { CurrentSale } from "../basket/use-sale.ts";

/** Returns the cached sales without a request. */
export function useCachedSales({ shownSales }: Pick<CurrentSale, "shownSales">): readonly Sale[] {
  const known = useQueries({
    queries: shownSales.map((saleId) => ({ ...saleQuery(saleId), enabled: false })),
  });
  return known.flatMap(({ data }) => data ?? []);
}

/** Ids of sales with an owed refund, newest first. */
export function useOwedSales({ outbox, shownSales }: CurrentSale): readonly string[] {
  const known = useCachedSales({ shownSales });
  const isRefused = (saleId: string) =>
    outbox.entries.some(({ attempt, error }) => attempt.saleId === saleId && error !== undefined);
  return shownSales.filter(
    (saleId) =>
      isRefused(saleId) || known.some((sale) => sale.saleId === saleId && sale.refundDue > 0),
  );
}
