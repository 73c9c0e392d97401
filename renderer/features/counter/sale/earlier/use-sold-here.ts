import { useQueries } from "@tanstack/react-query";
import { saleQuery } from "../../../../lib/pos-queries.ts";
import type { Outbox } from "../attempt/use-outbox.ts";
import { type SoldHere, soldOfAttempt, soldOfSale } from "./earlier-sale.ts";

export interface KnownHere {
  /** Sales that the gateway has received. */
  readonly answered: readonly SoldHere[];
  readonly unanswered: readonly SoldHere[];
}

export function useSoldHere(outbox: Outbox, shownSales: readonly string[]): KnownHere {
  const own = useQueries({
    queries: shownSales.map((saleId) => ({ ...saleQuery(saleId), enabled: false })),
  });
  const waiting = outbox.entries.filter(({ error }) => error === undefined);
  return {
    answered: own.flatMap(({ data }) => (data ? soldOfSale(data) : [])),
    unanswered: waiting.flatMap(({ attempt }) => soldOfAttempt(attempt)),
  };
}
