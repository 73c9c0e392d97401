import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import {
  type FigureDimension,
  figureOperations,
  type PeriodKind,
} from "../../../../server/contract/pos/figures.ts";
import { POS_PREFIX } from "../../../../server/contract/pos/operation.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";
import { FOLLOWS_SALES } from "../../../lib/sale-followers.ts";
import type { ShopDays } from "../figure-days.ts";
import type { FigurePart } from "../figure-search.ts";

/** Refresh interval of comparisons with the same time of another day. */
const MINUTE_MS = 60_000;
const AT_ONCE = 50;

const LIVE = { meta: FOLLOWS_SALES, staleTime: 5_000, refetchInterval: MINUTE_MS } as const;
const OF_DAYS = { meta: FOLLOWS_SALES, staleTime: 5_000, placeholderData: keepPreviousData };

export function firstPageQuery() {
  return { ...operationQuery(figureOperations.viewFirstPage), ...LIVE };
}

export function chartsQuery() {
  return { ...operationQuery(figureOperations.viewCharts), ...LIVE };
}

/** Query of the figures by period, including the preceding period. */
export function periodsQuery(days: ShopDays, by: PeriodKind) {
  return {
    ...operationQuery(figureOperations.listPeriods, { query: { ...days, by } }),
    ...OF_DAYS,
  };
}

export function partsQuery(days: ShopDays, by: FigureDimension) {
  return { ...operationQuery(figureOperations.listParts, { query: { ...days, by } }), ...OF_DAYS };
}

export function hoursQuery(days: ShopDays) {
  return { ...operationQuery(figureOperations.listHours, { query: { ...days } }), ...OF_DAYS };
}

export function moneyQuery(days: ShopDays) {
  return { ...operationQuery(figureOperations.viewMoney, { query: { ...days } }), ...OF_DAYS };
}

const PAGED = {
  initialPageParam: "",
  getNextPageParam: ({ next }: { readonly next?: string }) => next,
  meta: FOLLOWS_SALES,
  staleTime: 5_000,
};

function pageOf(before: string) {
  return { limit: AT_ONCE, ...(before !== "" && { before }) };
}

function filterOf(part: FigurePart | undefined) {
  return part && { by: part.by, value: part.value };
}

/** Query of the sold and returned lines, newest first. */
export function linesQuery(days: ShopDays, part: FigurePart | undefined) {
  const query = { ...days, ...filterOf(part) };
  return infiniteQueryOptions({
    queryKey: queryKeyOf(figureOperations.listLines, { query }),
    queryFn: ({ pageParam, signal }) =>
      call(figureOperations.listLines, { query: { ...query, ...pageOf(pageParam) }, signal }),
    ...PAGED,
  });
}

/** Query of the money movements, newest first. */
export function movementsQuery(days: ShopDays) {
  return infiniteQueryOptions({
    queryKey: queryKeyOf(figureOperations.listMovements, { query: days }),
    queryFn: ({ pageParam, signal }) =>
      call(figureOperations.listMovements, { query: { ...days, ...pageOf(pageParam) }, signal }),
    ...PAGED,
  });
}

/** Query of the lines that were neither delivered nor refunded. */
export function owedQuery() {
  return infiniteQueryOptions({
    queryKey: queryKeyOf(figureOperations.listOwed, {}),
    queryFn: ({ pageParam, signal }) =>
      call(figureOperations.listOwed, { query: pageOf(pageParam), signal }),
    ...PAGED,
  });
}

export function linesFile(days: ShopDays, part?: FigurePart): string {
  return fileOf(figureOperations.exportLines.path, { ...days, ...filterOf(part) });
}

export function movementsFile(days: ShopDays): string {
  return fileOf(figureOperations.exportMovements.path, { ...days });
}

function fileOf(path: string, query: Record<string, string>): string {
  return `${POS_PREFIX}${path}?${new URLSearchParams(query).toString()}`;
}
