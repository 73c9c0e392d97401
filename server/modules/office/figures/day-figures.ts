import type { FigureBreakdown, FigureMoney } from "../../../contract/pos/figures.ts";
import type { ShiftTax } from "../../../contract/pos/taxes.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db } from "../../../db/database.ts";
import type { Shop } from "../../shop/shop/index.ts";
import { readPeriod } from "./figure-period.ts";
import { FigureReader } from "./figure-reader.ts";
import { type BrandNames, FigureService } from "./figure-service.ts";
import { readRefundsDue } from "./first-page-service.ts";
import { MoneyService, sumTaxRates } from "./money-service.ts";

export const DAY_PARTS = ["FAMILY", "BRAND", "CLERK", "TILL", "CHANNEL", "KEY"] as const;
export type DayPart = (typeof DAY_PARTS)[number];

export interface DayFigures {
  money: FigureMoney;
  parts: Record<DayPart, FigureBreakdown["list"]>;
  taxes: ShiftTax[];
  /** Refunds due now, regardless of the day. */
  refundsDue: { lines: number; amount: number };
}

interface DaySnapshot {
  snapshot: Db;
  shop: Shop;
  now: number;
  brandNames: ReadonlyMap<string, { brandName: string }>;
}

/**
 * Reads the figures of a day with the functions that the pages use. Runs on any thread.
 * @throws UnsoundSums for damaged sums, which only a thread with write access can recount
 */
export async function readDayFigures(
  { snapshot: db, shop, now, brandNames }: DaySnapshot,
  { accountId, environment }: Scope,
  day: string,
): Promise<DayFigures> {
  const scope = { accountId, environment, currency: shop.currency };
  const reader = new FigureReader({
    db,
    clock: { now: () => now },
    shop: { get: async () => shop },
  });
  const catalog: BrandNames = { getSnapshot: async () => ({ brands: brandNames }) };
  const figures = new FigureService({ db, reader, catalog });
  const days = { firstDay: day, lastDay: day };
  const listOf = async (by: DayPart) => (await figures.listParts(scope, { ...days, by })).list;
  return {
    money: await new MoneyService(reader).view(scope, days),
    parts: {
      FAMILY: await listOf("FAMILY"),
      BRAND: await listOf("BRAND"),
      CLERK: await listOf("CLERK"),
      TILL: await listOf("TILL"),
      CHANNEL: await listOf("CHANNEL"),
      KEY: await listOf("KEY"),
    },
    taxes: await sumTaxRates(db, scope, readPeriod(days, shop)),
    refundsDue: await readRefundsDue(db, scope),
  };
}
