import type { Need } from "../../contract/pos/approvals.ts";
import type { Scope } from "../../db/changes.ts";
import type { Tx } from "../../db/database.ts";
import type { NewSaleLine } from "./sale-store.ts";

/** Somebody at the till, and where it sells. */
export interface Seller extends Scope {
  staffId: string;
  name: string;
  /** Nothing real is sold, and the paper says so. */
  training: boolean;
}

/** The seller's own open shift, whose drawer the money goes into. @throws Problem SHIFT_REQUIRED */
export type RequireShift = (tx: Tx, scope: Scope, staffId: string) => Promise<string>;

/**
 * What selling these lines asks of the seller's rights and limits: the highest discount of a line in
 * percent, and what is paid in this sale, for each family, and since midnight.
 */
export async function needsOf(
  tx: Tx,
  seller: Seller,
  lines: readonly NewSaleLine[],
  at: number,
): Promise<Need[]> {
  const paid = sumPaid(lines);
  const families = Map.groupBy(lines, ({ productType }) => productType);
  return [
    { right: "discountPct", asked: Math.max(...lines.map(discountPctOf)) },
    { right: "perSale", asked: paid },
    { right: "perDay", asked: paid + (await sumSold(tx, seller, startOfDay(at))) },
    ...[...families].map(([family, of]): Need => {
      return { right: `perProduct.${family}`, asked: sumPaid(of) };
    }),
  ];
}

export function sumPaid(lines: readonly Pick<NewSaleLine, "price" | "discount">[]): number {
  return lines.reduce((sum, { price, discount }) => sum + price - discount, 0);
}

/** Whole percent, rounded up. */
function discountPctOf({ price, discount }: NewSaleLine): number {
  return price === 0 ? 0 : Math.ceil((discount * 100) / price);
}

/** What somebody's sales came to since an instant. */
async function sumSold(tx: Tx, seller: Seller, since: number): Promise<number> {
  const row = await tx
    .selectFrom("sales")
    .select((eb) => eb.fn.sum<number | null>("total").as("sold"))
    .where("account_id", "=", seller.accountId)
    .where("environment", "=", seller.environment)
    .where("staff_id", "=", seller.staffId)
    .where("created_at", ">=", since)
    .executeTakeFirst();
  return row?.sold ?? 0;
}

/** Midnight, as the clock of this machine has it. */
function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
