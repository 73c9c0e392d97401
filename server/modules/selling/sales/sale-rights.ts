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
import type { NewSaleLine } from "./sale-store.ts";
import type { PreparedPurchase } from "./wanted-line.ts";

/** The longest text of a fact: what an approver reads at a glance, and the trail keeps. */
const LONGEST = 200;

/** A line that can be sold: its purchase, and what the sale says of it. */
export interface PreparedLine {
  purchase: PreparedPurchase;
  sold: NewSaleLine;
}

/** An offer at the amounts of one purchase. */
type Priced = Pick<StoredPurchase, "offer" | "quote">;

/** Which sale it is, for approvers and for the audit trail. */
export function factsOfSale({ saleNumber, staff, lines }: Sale): AuditDetail {
  return {
    saleNumber,
    product: joined(lines.map(productOfLine)),
    recipient: joined(lines.map((line) => line.recipientFormatted)),
    soldBy: staff.name,
  };
}

/** What is about to be sold; minor units of the shop's currency. */
export function factsOfLines(lines: readonly PreparedLine[]): AuditDetail {
  const sum = (amountOf: (line: NewSaleLine) => number) =>
    lines.reduce((total, { sold }) => total + amountOf(sold), 0);
  const discount = sum((line) => line.discount);
  return {
    product: joined(lines.map(({ purchase }) => productOf(purchase))),
    recipient: joined(lines.map(({ sold }) => formatPhoneNumber(sold.recipient))),
    price: sum(({ price }) => price),
    ...(discount > 0 && { discount }),
  };
}

function productOfLine(line: SaleLine): string {
  const { brandName, title, value, send } = line;
  const unit = { currency: line.sendCurrency, currencyDivisor: line.sendCurrencyDivisor };
  return `${brandName} ${value ? describeAmount(send, unit) : title}`;
}

/** What is sold, by its brand: "Tigo 25 GTQ", and of any amount the one that was chosen. */
export function productOf(priced: Priced): string {
  return `${priced.offer.brandName} ${titleOf(priced)}`;
}

/** An offer's title, or the amount that was chosen: the title of an offer with limits names the limits. */
export function titleOf({ offer, quote }: Priced): string {
  return offer.priceType === "RANGE"
    ? describeAmount(quote.send, sendUnitOf(offer))
    : offer.shortNotes;
}

/** Texts in one line, each once. */
export function joined(texts: readonly string[]): string {
  const text = [...new Set(texts.filter((one) => one !== ""))].join(", ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

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
