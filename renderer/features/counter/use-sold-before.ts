import { useQueries, useQuery } from "@tanstack/react-query";
import type { PosRecents } from "../../../server/contract/pos/counter.ts";
import { saleQuery } from "../../lib/pos-queries.ts";
import { phoneQuery } from "./api/counter-queries.ts";
import type { Attempt } from "./attempt-store.ts";
import { type SoldBefore, soldOfAttempt, soldOfSale } from "./earlier-sale.ts";
import type { Outbox } from "./use-outbox.ts";

interface Sources {
  readonly attempt: Attempt | undefined;
  readonly outbox: Outbox;
  readonly recents: PosRecents | undefined;
  readonly shownSales: readonly string[];
}

/**
 * Every sale the till knows of that could be the one being confirmed: what the gateway says of the
 * number, and what this till sold itself, which is known before any list has been asked for again.
 */
export function useSoldBefore({ attempt, outbox, recents, shownSales }: Sources): SoldBefore[] {
  const digits = attempt?.basket.number.slice(1) ?? "";
  const phone = useQuery(phoneQuery(digits));
  const own = useQueries({
    queries: shownSales.map((saleId) => ({ ...saleQuery(saleId), enabled: false })),
  });
  const unanswered = outbox.entries.filter(({ error }) => error === undefined);
  return [
    ...own.flatMap(({ data }) => (data ? soldOfSale(data) : [])),
    ...unanswered.map((entry) => soldOfAttempt(entry.attempt)),
    ...(phone.data?.earlier ?? []),
    ...(recents?.list ?? []),
  ].filter(({ saleId }) => saleId !== attempt?.saleId);
}
