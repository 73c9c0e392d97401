import type { Actor } from "../../../contract/pos/actor.ts";
import { type DayClock, startOfDay } from "../../../contract/pos/shop-day.ts";
import type { NoTill } from "../../../contract/pos/tills.ts";
import { MINUTE } from "../../../lib/clock.ts";
import type { StoredPurchase } from "../../purchases/purchases/index.ts";
import type { SaleRow } from "./sale-store.ts";

/** How long after its delivery the seller sees what the customer redeems without asking for it. */
const SELLER_SEES_MS = 10 * MINUTE;

const OF_A_FILE: NoTill = "FILE";

/** What of a sale is shown to its reader. */
export interface Sight {
  /** Until when what the customer of a line redeems is shown; "always" on paper and when revealed. */
  detailsUntil(row: SaleRow, purchase: StoredPurchase): number | "always" | "never";
  /** Whether it is shown whom a sale was for. */
  showsRecipients(row: SaleRow): boolean;
}

/** All of it, for a reader whose right was checked before. */
export const WHOLE: Sight = { detailsUntil: () => "always", showsRecipients: () => true };

/**
 * A sale by the rights of its reader: PINs and codes only to the seller, and only for a while
 * (rules#redemption-shown-to-seller); customers' numbers of other people's sales of earlier days only
 * to readers who may see the shop's figures (rules#sale-figures-hidden).
 */
export function sightOf(reader: Actor, { now, today }: { now: number; today: number }): Sight {
  return {
    detailsUntil(row, { transaction: { finishedAt } }) {
      if (row.staff_id !== reader.staffId || finishedAt === undefined) return "never";
      // The clock may have been put back since.
      return Math.abs(now - finishedAt) < SELLER_SEES_MS ? finishedAt + SELLER_SEES_MS : "never";
    },
    showsRecipients: (row) => isInSight(reader, row, today),
  };
}

/** Lists show nothing that can be redeemed. */
export function sightOfList(reader: Actor, today: number): Sight {
  return { detailsUntil: () => "never", showsRecipients: (row) => isInSight(reader, row, today) };
}

/**
 * Whether it is the reader's own sale, or one of the counter's of today, or any at all for readers who see figures.
 * A file that another person sold is a list of customers whom nobody served at the counter.
 */
export function isInSight(
  { staffId, rights }: Actor,
  row: Pick<SaleRow, "staff_id" | "created_at" | "till">,
  today: number,
): boolean {
  if (rights.seeExpectedCash || row.staff_id === staffId) return true;
  return row.created_at >= today && row.till !== OF_A_FILE;
}

/** When the shop's day began (rules#sale-day). */
export function startOfToday(now: number, day: DayClock): number {
  return startOfDay(now, day);
}
