import { queryOptions, skipToken } from "@tanstack/react-query";
import {
  counterOperations,
  type PosPhone,
  type PosQuoteInput,
} from "../../../../server/contract/pos/counter.ts";
import { displayOperations } from "../../../../server/contract/pos/displays.ts";
import { favouriteOperations } from "../../../../server/contract/pos/favourites.ts";
import type { WantedLine } from "../../../../server/contract/pos/sale-lines.ts";
import {
  type CheckedLine,
  type Sale,
  type SaleInput,
  saleOperations,
} from "../../../../server/contract/pos/sales.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";

/** The response contains earlier sales, so a `sale` event marks the response stale. */
export function phoneQuery(typed: string) {
  return {
    ...operationQuery(counterOperations.describePhone, { query: { number: typed } }),
    staleTime: 60_000,
    enabled: typed !== "",
  };
}

/** Stores a number's carrier. Returns the number's updated description. */
export function putCarrier(number: string, brand: string): Promise<PosPhone> {
  return call(favouriteOperations.rememberCarrier, { params: { number }, body: { brand } });
}

export function quoteQuery(input: PosQuoteInput | undefined) {
  return {
    ...operationQuery(counterOperations.quote, input ? { body: input } : skipToken),
    gcTime: 60_000,
  };
}

/** Finds a sale of any age. The response may contain other sales that match the digits. */
export function saleByNumberQuery(number: number | undefined) {
  return {
    ...operationQuery(
      saleOperations.find,
      number === undefined ? skipToken : { query: { typed: String(number) } },
    ),
    staleTime: 5_000,
    gcTime: 60_000,
  };
}

export function recentsQuery() {
  return { ...operationQuery(counterOperations.listRecents), staleTime: 60_000 };
}

const SALE_TIMEOUT_MS = 6_000;

/** Idempotent: a repeat after a lost response returns the sale's current state. */
export function postSale(input: SaleInput): Promise<Sale> {
  return call(saleOperations.sell, { body: input, timeoutMs: SALE_TIMEOUT_MS });
}

export interface CheckPlace {
  readonly saleId: string;
  readonly language: string;
}

/** Maximum wait for the gateway's last check before a payment. */
export const LAST_CHECK_TIMEOUT_MS = 1_500;

/** Results are in the order of the lines. */
export async function postCheck(
  lines: readonly WantedLine[],
  language: string,
  options: { readonly signal?: AbortSignal; readonly timeoutMs?: number } = {},
): Promise<readonly CheckedLine[]> {
  const checked = await call(saleOperations.check, { body: { lines, language }, ...options });
  return checked.lines;
}

/** The query key contains the sale's id, because the result depends on earlier sales. */
export function checkQuery(line: WantedLine, { saleId, language }: CheckPlace) {
  return queryOptions({
    queryKey: queryKeyOf(saleOperations.check, { body: { lines: [line], language } }, saleId),
    queryFn: async ({ signal }) => (await postCheck([line], language, { signal }))[0] ?? null,
    staleTime: 5_000,
    gcTime: 60_000,
  });
}

/** Short, because the clerk waits for the customer's answer. */
const POLL_INTERVAL_MS = 1_000;

/** Polls the customer's answer while the customer display shows the question. */
export function answerOfDisplayQuery(
  params: { readonly code: string; readonly transactionId: string } | undefined,
) {
  return {
    ...operationQuery(displayOperations.getAnswer, params ? { params } : skipToken),
    refetchInterval: POLL_INTERVAL_MS,
    retry: false,
    gcTime: 0,
  };
}
