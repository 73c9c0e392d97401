import { useQuery } from "@tanstack/react-query";
import { saleOperations } from "../../server/contract/pos/sale-operations.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { currentShiftQuery, xReportQuery } from "../features/shift/api/shift-queries.ts";
import { operationQuery } from "../lib/operation-query.ts";
import { useFormat } from "../lib/use-format.ts";
import { useNow } from "../lib/use-now.ts";

const MINUTE_MS = 60_000;
const STALE_MS = 10_000;

/** The day as the counter shows it at rest; what is undefined is not known yet. */
export interface DayFacts {
  /** They are of the person's own shift alone. */
  readonly isOwn: boolean;
  readonly sales?: number;
  /** What was sold, written with its currency; for people who see figures. */
  readonly sold?: string;
  /** How many lines are still being sent. */
  readonly sending?: number;
  /** What is to be given back: how much, or of how many sales. */
  readonly owed?: string;
  readonly isOwed: boolean;
  /** The first of those, where it is known. */
  readonly owedSale?: string;
}

/**
 * The shop's day for people who may see what should be in the drawer; for all others how many sales they
 * made in their shift and what of those waits, and no amount (rules#shift-blind-count).
 */
export function useDayFacts({ rights, training }: PosSession): DayFacts {
  const ofShop = useShopDay(rights.seeExpectedCash && !training);
  const ofShift = useOwnShift(!(rights.seeExpectedCash || training));
  return rights.seeExpectedCash ? ofShop : ofShift;
}

function useShopDay(enabled: boolean): DayFacts {
  const format = useFormat();
  const since = new Date(format.startOfDay(useNow(MINUTE_MS))).toISOString();
  const { data } = useQuery({
    ...operationQuery(saleOperations.list, { query: { since, limit: 1, offset: 0 } }),
    staleTime: STALE_MS,
    enabled,
  });
  const figures = data?.figures;
  if (!figures) {
    return { isOwn: false, isOwed: false };
  }
  const { currency, currencyDivisor, sales, sold, sending, unfinished, refundDue } = figures;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  return {
    isOwn: false,
    sales,
    sold: money(sold + sending),
    sending: unfinished,
    owed: money(refundDue),
    isOwed: refundDue > 0,
  };
}

function useOwnShift(enabled: boolean): DayFacts {
  const format = useFormat();
  const { data: current } = useQuery({ ...currentShiftQuery(), enabled });
  const shiftId = current?.shift?.shiftId;
  const { data } = useQuery({
    ...xReportQuery(shiftId ?? ""),
    staleTime: STALE_MS,
    enabled: enabled && shiftId !== undefined,
  });
  if (!data) {
    return { isOwn: true, isOwed: false };
  }
  const [first] = data.owed;
  return {
    isOwn: true,
    sales: data.sales,
    sending: data.unfinished.length,
    owed: format.number(data.owed.length),
    isOwed: first !== undefined,
    ...(first && { owedSale: first.saleId }),
  };
}
