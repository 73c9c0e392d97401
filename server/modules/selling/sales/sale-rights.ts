import type { Actor } from "../../../contract/pos/actor.ts";
import type { Need } from "../../../contract/pos/rights.ts";
import { type DayClock, startOfDay } from "../../../contract/pos/shop-day.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import type { NewSaleLine } from "./sale-store.ts";

/** The seller's own open shift, whose drawer the money goes into. @throws Problem SHIFT_REQUIRED */
export type RequireShift = (tx: Tx, scope: Scope, staffId: string) => Promise<string>;

/** Whose drawer the money goes into or comes out of: in training nobody's. @throws Problem SHIFT_REQUIRED */
export async function drawerOf(
  requireShift: RequireShift,
  tx: Tx,
  seller: Actor,
): Promise<string | undefined> {
  return seller.training ? undefined : requireShift(tx, seller, seller.staffId);
}

interface SaleFacts {
  at: number;
  day: DayClock;
  /** Transaction ids of lines whose discount was approved separately. */
  approved: ReadonlySet<string>;
  /** Transaction ids of lines whose discount takes them below what the wallet pays. */
  belowCost: ReadonlySet<string>;
}

/**
 * The rights and limits that selling these lines needs: the highest discount of a line in percent, and
 * what is paid in this sale, for each family, and since the shop's day began. Computed in the
 * transaction that sells, so that sales at once cannot pass a limit together (rules#staff-limits).
 */
export async function needsOf(
  tx: Tx,
  seller: Actor,
  lines: readonly NewSaleLine[],
  { at, day, approved, belowCost }: SaleFacts,
): Promise<Need[]> {
  const paid = sumPaid(lines);
  const asked = lines.filter(({ transactionId }) => !approved.has(transactionId));
  const families = Map.groupBy(lines, ({ productType }) => productType);
  return [
    { right: "discountPct", asked: Math.max(0, ...asked.map(discountPctOf)) },
    ...(asked.some(({ transactionId }) => belowCost.has(transactionId))
      ? [{ right: "belowCost" as const }]
      : []),
    { right: "perSale", asked: paid },
    { right: "perDay", asked: paid + (await sumSold(tx, seller, startOfDay(at, day))) },
    ...[...families].map(([family, of]): Need => {
      return { right: `perProduct.${family}`, asked: sumPaid(of) };
    }),
  ];
}

export function sumPaid(lines: readonly Pick<NewSaleLine, "price" | "discount">[]): number {
  return lines.reduce((sum, { price, discount }) => sum + price - discount, 0);
}

/** Whole percent, rounded up. */
export function discountPctOf({
  price,
  discount,
}: Pick<NewSaleLine, "price" | "discount">): number {
  return price === 0 ? 0 : Math.ceil((discount * 100) / price);
}

/** The sum of a person's sales since an instant, less customer refunds on them. */
async function sumSold(tx: Tx, seller: Actor, since: number): Promise<number> {
  const ofSeller = tx
    .selectFrom("sales as s")
    .where(inScope(seller, "s"))
    .where("s.training", "=", seller.training ? 1 : 0)
    .where("s.staff_id", "=", seller.staffId)
    .where("s.created_at", ">=", since);
  const sold = await ofSeller
    .select((eb) => eb.fn.sum<number | null>("s.total").as("amount"))
    .executeTakeFirst();
  const refunded = await ofSeller
    .innerJoin("customer_refunds as g", inSameScope("g", "s", "sale_id"))
    .select((eb) => eb.fn.sum<number | null>("g.amount").as("amount"))
    .executeTakeFirst();
  return (sold?.amount ?? 0) - (refunded?.amount ?? 0);
}
