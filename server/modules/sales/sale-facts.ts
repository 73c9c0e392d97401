import type { Sale } from "../../contract/pos/sales.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import type { AuditDetail } from "../audit-trail/index.ts";
import { formatPhoneNumber } from "../phone-lookup/index.ts";
import type { NewSaleLine } from "./sale-store.ts";
import type { PreparedPurchase } from "./wanted-line.ts";

/** The longest text of a fact: what an approver reads at a glance, and the trail keeps. */
const LONGEST = 200;

/** A line that can be sold: its purchase, and what the sale says of it. */
export interface PreparedLine {
  purchase: PreparedPurchase;
  sold: NewSaleLine;
}

/** Which sale it is, for whoever approves something with it, and for the audit trail. */
export function factsOfSale({ saleNumber, staff, lines }: Sale): AuditDetail {
  return {
    saleNumber,
    product: joined(lines.map(({ brandName, title }) => `${brandName} ${title}`)),
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
    product: joined(lines.map(({ purchase }) => productOfOffer(purchase.offer))),
    recipient: joined(lines.map(({ sold }) => formatPhoneNumber(sold.recipient))),
    price: sum(({ price }) => price),
    ...(discount > 0 && { discount }),
  };
}

export function productOfOffer({ brandName, shortNotes }: Offer): string {
  return `${brandName} ${shortNotes}`;
}

/** Texts in one line, each once. */
export function joined(texts: readonly string[]): string {
  const text = [...new Set(texts.filter((one) => one !== ""))].join(", ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
