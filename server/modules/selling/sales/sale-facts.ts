import type { SaleLine } from "../../../contract/pos/sale-lines.ts";
import type { Sale } from "../../../contract/pos/sales.ts";
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
