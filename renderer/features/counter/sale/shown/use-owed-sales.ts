import { useQueries } from "@tanstack/react-query";
import { saleQuery } from "../../../../lib/pos-queries.ts";
import type { CurrentSale } from "../basket/use-sale.ts";

/** Recent sales with a customer refund owed, newest first. */
export function useOwedSales({ outbox, shownSales }: CurrentSale): readonly string[] {
  const known = useQueries({
    queries: shownSales.map((saleId) => ({ ...saleQuery(saleId), enabled: false })),
  });
  const isRefused = (saleId: string) =>
    outbox.entries.some(({ attempt, error }) => attempt.saleId === saleId && error !== undefined);
  return shownSales.filter(
    (saleId, index) => isRefused(saleId) || (known[index]?.data?.refundDue ?? 0) > 0,
  );
}
