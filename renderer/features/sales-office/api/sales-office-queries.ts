import { infiniteQueryOptions } from "@tanstack/react-query";
import { brandPauseOperations } from "../../../../server/contract/pos/brands.ts";
import { counterOperations } from "../../../../server/contract/pos/counter.ts";
import type { Family } from "../../../../server/contract/pos/families.ts";
import { figureOperations } from "../../../../server/contract/pos/figures.ts";
import { reconciliationOperations } from "../../../../server/contract/pos/reconciliation.ts";
import { shiftOperations } from "../../../../server/contract/pos/shifts.ts";
import { transactionOfficeOperations } from "../../../../server/contract/pos/transaction-office.ts";
import { call, type InputOf } from "../../../lib/api-client.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";
import type { SalesFilter } from "../sales-search.ts";

const PAGE = 30;

type Environment = InputOf<typeof brandPauseOperations.list>["query"]["environment"];

/** Queries to invalidate after each decision. */
export const SALES_ANSWERS = [
  transactionOfficeOperations.list,
  transactionOfficeOperations.get,
  reconciliationOperations.list,
  brandPauseOperations.list,
  figureOperations.listOwed,
];

export function transactionsQuery({ typed, status, firstDay, lastDay }: SalesFilter) {
  const query = { typed, status, firstDay, lastDay };
  return infiniteQueryOptions({
    queryKey: queryKeyOf(transactionOfficeOperations.list, { query }),
    queryFn: ({ pageParam, signal }) =>
      call(transactionOfficeOperations.list, {
        query: { ...query, before: pageParam, limit: PAGE },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}

export function refundEsim(transactionId: string) {
  return call(transactionOfficeOperations.refundEsim, { params: { transactionId } });
}

/** Query of the open cases, oldest first. */
export function casesQuery(environment: Environment) {
  return operationQuery(reconciliationOperations.list, {
    query: { environment, limit: 200, offset: 0 },
  });
}

export function brandsQuery(productType: Family) {
  return {
    ...operationQuery(counterOperations.listBrands, { query: { productType } }),
    staleTime: 60_000,
  };
}

export function reportsQuery({ firstDay, lastDay }: SalesFilter) {
  const query = { firstDay, lastDay };
  return infiniteQueryOptions({
    queryKey: queryKeyOf(shiftOperations.listZReports, { query }, "office"),
    queryFn: ({ pageParam, signal }) =>
      call(shiftOperations.listZReports, {
        query: { ...query, limit: PAGE, offset: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ limit, offset, total }) =>
      offset + limit < total ? offset + limit : undefined,
  });
}

export function owedQuery() {
  return infiniteQueryOptions({
    queryKey: queryKeyOf(figureOperations.listOwed, {}, "office"),
    queryFn: ({ pageParam, signal }) =>
      call(figureOperations.listOwed, { query: { before: pageParam, limit: PAGE }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
}
