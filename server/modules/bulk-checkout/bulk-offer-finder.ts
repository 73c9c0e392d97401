import type { BulkFault } from "../../contract/pos/bulk-runs.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../contract/v1/purchase-record.ts";
import { describeAmount, Exact } from "../../lib/money.ts";
import { type CatalogSnapshot, sendUnitOf } from "../catalog/index.ts";
import type { BulkCells } from "./bulk-table.ts";

/** An offer, at an amount where it is sold at any. */
export interface FoundOffer {
  offer: Offer;
  value?: PurchaseValue;
}

type Found = { found: FoundOffer } | { fault: BulkFault };

const LONGEST_DETAIL = 120;
/** What a brand sells that is chosen where a bundle delivers the same amount. */
const PLAIN_TOPUP = "Mobile Top Up";

/** Offers of a brand, by its code and by its name, folded. */
const byBrand = new WeakMap<CatalogSnapshot, Map<string, Offer[]>>();

/**
 * The offer that a line names: by its id, or by brand and what is delivered.
 * @param country of the number, where it is known: one brand may be in several
 */
export function findOffer(snapshot: CatalogSnapshot, cells: BulkCells, country: string): Found {
  const { offer: offerId, brand, amount, value } = cells;
  if (offerId !== undefined) return findById(snapshot, offerId, cells);
  if (brand === undefined) return fault("offer", "OFFER_MISSING");
  const offers = offersOf(snapshot, brand);
  if (offers.length === 0) return fault("brand", "BRAND_NOT_FOUND", brand);
  if (amount === undefined) return fault("amount", "AMOUNT_BAD");
  if (value !== undefined) return fault("value", "VALUE_NOT_ALLOWED");
  const near = offers.filter((offer) => offer.country === country);
  return findDelivered(near.length > 0 ? near : offers, amount);
}

function findById(snapshot: CatalogSnapshot, offerId: string, { amount, value }: BulkCells): Found {
  const offer = snapshot.offersById.get(offerId) ?? snapshot.offersById.get(offerId.toUpperCase());
  if (!offer) return fault("offer", "OFFER_NOT_FOUND", offerId);
  if (!offer.enabled) return fault("offer", "OFFER_DISABLED", offer.offerId);
  if (value !== undefined) return valued(offer, value);
  if (amount === undefined) return { found: { offer } };
  const delivered = findDelivered([offer], amount);
  return "found" in delivered ? delivered : fault("amount", "AMOUNT_NOT_SOLD", amount);
}

/** A value is what the customer pays, in the shop's currency. */
function valued(offer: Offer, text: string): Found {
  if (offer.priceType === "FIXED") return fault("value", "VALUE_NOT_ALLOWED", text);
  const value = toMinorAmount(text, offer.price.currencyDivisor);
  if (value === undefined) return fault("value", "VALUE_BAD", text);
  return { found: { offer, value: { type: "PRICE", value } } };
}

function findDelivered(offers: readonly Offer[], amount: string): Found {
  if (!/^\d/.test(amount)) return fault("amount", "AMOUNT_BAD", amount);
  const enabled = offers.filter((offer) => offer.enabled);
  const fixed = enabled.filter((offer) => {
    const send = sentIn(offer, amount);
    return send !== undefined && "send" in offer && offer.send.fixed === send;
  });
  const plain = fixed.filter(({ subTypes }) => subTypes.some((one) => one === PLAIN_TOPUP));
  const [only, another] = plain.length > 0 ? plain : fixed;
  if (only && another) return unclear([only, another]);
  if (only) return { found: { offer: only } };
  const ranges = enabled.flatMap((offer) => atAmount(offer, sentIn(offer, amount)));
  const [range, other] = ranges;
  if (range && other) return unclear([range.offer, other.offer]);
  return range ? { found: range } : fault("amount", "AMOUNT_NOT_SOLD", soldBy(enabled) || amount);
}

function sentIn(offer: Offer, amount: string): number | undefined {
  return toMinorAmount(amount, sendUnitOf(offer).currencyDivisor);
}

function atAmount(offer: Offer, send: number | undefined): FoundOffer[] {
  if (offer.priceType !== "RANGE" || !("send" in offer) || send === undefined) return [];
  const { min = 0, max = 0 } = offer.send;
  return send >= min && send <= max && send > 0
    ? [{ offer, value: { type: "ZEND", value: send } }]
    : [];
}

/** Amounts that there are, for people who have to mend a line. */
function soldBy(offers: readonly Offer[]): string {
  const amounts = offers.flatMap((offer) =>
    "send" in offer && offer.send.fixed !== undefined
      ? [describeAmount(offer.send.fixed, sendUnitOf(offer))]
      : [],
  );
  return [...new Set(amounts)].slice(0, 8).join(", ");
}

/**
 * An amount that people wrote, in minor units: digits with a point or a comma before at most as many
 * as its currency has. Nothing parts thousands, so that 1,000 is never one.
 */
function toMinorAmount(text: string, divisor: number): number | undefined {
  const [, whole, fraction = ""] = /^(\d{1,12})(?:[.,](\d{1,3}))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > Math.log10(divisor)) return undefined;
  return new Exact(`${whole}.${fraction || "0"}`).mul(divisor).toNumber();
}

function offersOf(snapshot: CatalogSnapshot, brand: string): readonly Offer[] {
  let known = byBrand.get(snapshot);
  if (!known) {
    known = new Map();
    for (const offer of snapshot.offers) {
      for (const name of new Set([folded(offer.brand), folded(offer.brandName)])) {
        known.set(name, [...(known.get(name) ?? []), offer]);
      }
    }
    byBrand.set(snapshot, known);
  }
  return known.get(folded(brand)) ?? [];
}

function folded(name: string): string {
  return name.normalize("NFC").toLocaleLowerCase("en");
}

function unclear(offers: readonly Offer[]): Found {
  return fault("offer", "OFFER_UNCLEAR", offers.map(({ offerId }) => offerId).join(", "));
}

function fault(field: string, code: BulkFault["code"], detail = ""): { fault: BulkFault } {
  return { fault: { field, code, detail: detail.slice(0, LONGEST_DETAIL) } };
}
