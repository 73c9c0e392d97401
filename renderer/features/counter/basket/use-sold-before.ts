import { useQueries, useQuery } from "@tanstack/react-query";
import type { PosPhone } from "../../../../server/contract/pos/counter.ts";
import { saleQuery } from "../../../lib/pos-queries.ts";
import { phoneQuery, recentsQuery } from "../api/counter-queries.ts";
import type { Attempt } from "../attempt-store.ts";
import { type SoldBefore, soldOfAttempt, soldOfSale } from "../earlier-sale.ts";
import type { Outbox } from "../use-outbox.ts";

interface Sources {
  readonly attempt: Attempt | undefined;
  readonly outbox: Outbox;
  readonly shownSales: readonly string[];
}

interface Known {
  readonly sold: SoldBefore[];
  readonly phones: ReadonlyMap<string, PosPhone>;
}

/**
 * Every sale the till knows of that could be the one being confirmed: what the gateway says of the
 * numbers, and what this till sold itself, which is known before any list has been asked again.
 */
export function useSoldBefore({ attempt, outbox, shownSales }: Sources): Known {
  const numbers = (attempt?.lines ?? []).flatMap(({ item }) =>
    item.productType === "TOPUP" ? [item.number] : [],
  );
  const unique = [...new Set(numbers)];
  const phones = useQueries({ queries: unique.map((number) => phoneQuery(number.slice(1))) });
  const own = useQueries({
    queries: shownSales.map((saleId) => ({ ...saleQuery(saleId), enabled: false })),
  });
  const recents = useQuery(recentsQuery());
  const unanswered = outbox.entries.filter(({ error }) => error === undefined);
  const known = phones.flatMap(({ data }) => (data ? [data] : []));
  return {
    sold: [
      ...own.flatMap(({ data }) => (data ? soldOfSale(data) : [])),
      ...unanswered.flatMap((entry) => soldOfAttempt(entry.attempt)),
      ...known.flatMap(({ earlier }) => earlier),
      ...(recents.data?.list ?? []),
    ].filter(({ saleId }) => saleId !== attempt?.saleId),
    phones: new Map(known.map((phone) => [phone.number, phone])),
  };
}
