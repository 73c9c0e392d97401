import type { Actor } from "../../../contract/pos/actor.ts";
import type { Need } from "../../../contract/pos/rights.ts";
import type { SaleLine } from "../../../contract/pos/sale-lines.ts";
import type { Sale } from "../../../contract/pos/sales.ts";
import { type DayClock, startOfDay } from "../../../contract/pos/shop-day.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { describeAmount } from "../../../lib/money.ts";
import type { AuditDetail } from "../../books/audit-trail/index.ts";
import { sendUnitOf } from "../../catalog/catalog/index.ts";
import { formatPhoneNumber } from "../../catalog/phone-lookup/index.ts";
import type { StoredPurchase } from "../../purchases/purchases/index.ts";
import type { PreparedLine } from "./prepared-lines.ts";
import type { NewSaleLine } from "./sale-store.ts";

/** An approver must be able to read a fact at a glance. */
const MAX_FACT_LENGTH = 200;

type PricedPurchase = Pick<StoredPurchase, "offer" | "quote">;

export function describeSale({ saleNumber, staff, lines }: Sale): AuditDetail {
  return {
    saleNumber,
    product: joined(lines.map(nameLine)),
    recipient: joined(lines.map((line) => line.recipientFormatted)),
    soldBy: staff.name,
  };
}

/** Amounts are in minor units of the shop's currency. */
export function describeLines(lines: readonly PreparedLine[]): AuditDetail {
  const sum = (amountOf: (line: NewSaleLine) => number) =>
    lines.reduce((total, { sold }) => total + amountOf(sold), 0);
  const discount = sum((line) => line.discount);
  return {
    product: joined(lines.map(({ purchase }) => nameProduct(purchase))),
    recipient: joined(lines.map(({ sold }) => formatPhoneNumber(sold.recipient))),
    price: sum(({ price }) => price),
    ...(discount > 0 && { discount }),
  };
}

function nameLine(line: SaleLine): string {
  const { brandName, title, value, send } = line;
  const unit = { currency: line.sendCurrency, currencyDivisor: line.sendCurrencyDivisor };
  return `${brandName} ${value ? describeAmount(send, unit) : title}`;
}

/** Returns the brand with the title or the chosen amount: "Tigo 25 GTQ". */
export function nameProduct(priced: PricedPurchase): string {
  return `${priced.offer.brandName} ${getTitle(priced)}`;
}

/** The title of a RANGE offer names its limits, so the chosen amount replaces it. */
export function getTitle({ offer, quote }: PricedPurchase): string {
  return offer.priceType === "RANGE"
    ? describeAmount(quote.send, sendUnitOf(offer))
    : offer.shortNotes;
}

export function joined(texts: readonly string[]): string {
  const text = [...new Set(texts.filter((one) => one !== ""))].join(", ");
  return text.length > MAX_FACT_LENGTH ? `${text.slice(0, MAX_FACT_LENGTH - 1)}…` : text;
}

/**
 * Returns the seller's open shift, whose drawer takes the money.
 * @throws Problem SHIFT_REQUIRED
 */
export type RequireShift = (tx: Tx, scope: Scope, staffId: string) => Promise<string>;

/**
 * Returns the seller's open shift; undefined in training.
 * @throws Problem SHIFT_REQUIRED
 */
export async function findDrawerShift(
  requireShift: RequireShift,
  tx: Tx,
  seller: Actor,
): Promise<string | undefined> {
  return seller.training ? undefined : requireShift(tx, seller, seller.staffId);
}

interface SaleFacts {
  at: number;
  day: DayClock;
  approved: ReadonlySet<string>;
  belowCost: ReadonlySet<string>;
  /** True if the sale takes the payment of an undelivered line, whose sale met the limits. */
  isPaidBefore: boolean;
}

/**
 * Lists the permissions for the highest discount in percent, and for the amounts of this sale, of
 * each family, and of the shop's day. Runs in the transaction of the sale, so that simultaneous
 * sales cannot exceed a limit together (rules#staff-limits).
 */
export async function listSaleNeeds(
  tx: Tx,
  seller: Actor,
  lines: readonly NewSaleLine[],
  { at, day, approved, belowCost, isPaidBefore }: SaleFacts,
): Promise<Need[]> {
  const asked = lines.filter(({ transactionId }) => !approved.has(transactionId));
  return [
    { right: "discountPct", asked: Math.max(0, ...asked.map(toDiscountPct)) },
    ...(asked.some(({ transactionId }) => belowCost.has(transactionId))
      ? [{ right: "belowCost" as const }]
      : []),
    ...(isPaidBefore ? [] : await listAmountNeeds(tx, seller, lines, startOfDay(at, day))),
  ];
}

async function listAmountNeeds(
  tx: Tx,
  seller: Actor,
  lines: readonly NewSaleLine[],
  since: number,
): Promise<Need[]> {
  const paid = sumPaid(lines);
  const families = Map.groupBy(lines, ({ productType }) => productType);
  return [
    { right: "perSale", asked: paid },
    { right: "perDay", asked: paid + (await sumSold(tx, seller, since)) },
    ...[...families].map(([family, of]): Need => {
      return { right: `perProduct.${family}`, asked: sumPaid(of) };
    }),
  ];
}

export function sumPaid(lines: readonly Pick<NewSaleLine, "price" | "discount">[]): number {
  return lines.reduce((sum, { price, discount }) => sum + price - discount, 0);
}

/** Returns the discount in whole percent, rounded up. */
export function toDiscountPct({
  price,
  discount,
}: Pick<NewSaleLine, "price" | "discount">): number {
  return price === 0 ? 0 : Math.ceil((discount * 100) / price);
}

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
