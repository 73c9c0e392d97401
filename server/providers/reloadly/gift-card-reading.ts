import type { CatalogBrand } from "../../contract/catalog-content.ts";
import type { VoucherOffer } from "../../contract/v1/offers.ts";
import { toShownText } from "../../lib/catalog-texts.ts";
import {
  currencyDivisor,
  Exact,
  isCurrency,
  majorText,
  toMajor,
  toMinor,
  toMinorExactly,
  type Unit,
} from "../../lib/money.ts";
import { FieldReader } from "../field-reader.ts";
import {
  FX_DIGITS,
  NO_TIME,
  type ReadingContext,
  type Refuse,
  toAmount,
  toCatalogBrand,
} from "./operator-reading.ts";
import { DELIVERY_TYPE } from "./reloadly-order.ts";

const MAX_NOTES_LENGTH = 2000;
interface Product {
  id: string;
  wallet: Unit;
  /** Unit of the card. */
  unit: Unit;
  /** Cost of a sender amount of 1: the amount minus the discount. */
  share: Exact;
  discount: number;
  /** Minor units of the wallet for each order. */
  fee: number;
  head: ReturnType<typeof toHead>;
}

/**
 * Converts a gift card product to its brand and its offers, whose amounts are in the currency of
 * the card. A product that needs more than an amount, or has a fee without a documented base, is
 * left out and noted.
 */
export function readProduct(
  stated: unknown,
  { wallet, note }: ReadingContext,
): { brand: CatalogBrand; offers: VoucherOffer[] } | undefined {
  const reader = new FieldReader(stated);
  const id = reader.text("productId");
  const refuse: Refuse = (what) => {
    note(`vouchers: ${what}`, id);
  };
  if (!/^\d{1,12}$/.test(id)) return refuse("productId is missing");
  if (!["", "ACTIVE"].includes(reader.word("status"))) return undefined;
  if (reader.word("senderCurrencyCode") !== wallet.currency) {
    return refuse(`senderCurrencyCode is not ${wallet.currency}`);
  }
  const currency = reader.word("recipientCurrencyCode");
  if (!isCurrency(currency)) return refuse("recipientCurrencyCode is no currency");
  const country = reader.part("country").word("isoName");
  if (!/^[A-Z]{2}$/.test(country)) return refuse("country.isoName is missing");
  const brandId = reader.part("brand").text("brandId");
  if (!/^\d{1,12}$/.test(brandId)) return refuse("brand.brandId is missing");
  if (reader.part("additionalRequirements").flag("userIdRequired")) {
    return refuse("it needs a user id, which is not supported");
  }
  const fee = readFee(reader, wallet);
  if (fee === undefined) return refuse("its fees are not supported");
  const discount = reader.number("discountPercentage") ?? 0;
  if (discount >= 100) return refuse("discount cannot be used");
  const brandName =
    toShownText(reader.part("brand").text("brandName"), "brandName") || `Brand ${brandId}`;
  const brand = { id: `RLG-${brandId}`, name: brandName };
  const product = {
    id,
    wallet,
    unit: { currency, currencyDivisor: currencyDivisor(currency) },
    share: new Exact(100).sub(discount).div(100),
    discount,
    fee,
    head: toHead(reader, brand, country),
  };
  const offers = readOffers(reader, product, refuse);
  return offers.length === 0 ? undefined : { brand: toCatalogBrand(brand.id, brandName), offers };
}

/** Returns undefined for a percentage, whose base is not documented, or an unreadable fee. */
function readFee(reader: FieldReader, { currencyDivisor: divisor }: Unit): number | undefined {
  const isStated = (name: string) => reader.raw(name) !== undefined;
  const percentage = isStated("senderFeePercentage") ? reader.number("senderFeePercentage") : 0;
  if (percentage !== 0) return undefined;
  return isStated("senderFee") ? reader.decimal("senderFee", divisor) : 0;
}

function readOffers(reader: FieldReader, product: Product, refuse: Refuse): VoucherOffer[] {
  switch (reader.word("denominationType")) {
    case "FIXED":
      return readFixedOffers(reader, product, refuse);
    case "RANGE":
      return readRangeOffer(reader, product, refuse);
    default:
      refuse("denominationType is not FIXED or RANGE");
      return [];
  }
}

function readFixedOffers(reader: FieldReader, product: Product, refuse: Refuse): VoucherOffer[] {
  const prices = readPrices(reader, product.unit);
  const stated = reader.raw("fixedRecipientDenominations");
  return [...new Set(Array.isArray(stated) ? stated : [])].flatMap((denomination: unknown) => {
    const amount = toAmount(denomination, product.unit);
    const price = amount === undefined ? undefined : prices.get(amount);
    if (amount !== undefined && price !== undefined) return [toFixedOffer(product, amount, price)];
    refuse(
      amount === undefined
        ? "fixedRecipientDenominations has an amount that is not exact"
        : "fixedRecipientToSenderDenominationsMap lacks a denomination",
    );
    return [];
  });
}

/**
 * Returns prices in the account's currency by denomination in minor units. The documentation has
 * one object, and a list of objects with one denomination each.
 */
function readPrices(reader: FieldReader, { currencyDivisor: divisor }: Unit): Map<number, Exact> {
  const stated = reader.raw("fixedRecipientToSenderDenominationsMap") ?? {};
  const entries = (Array.isArray(stated) ? stated : [stated]).flatMap((part: unknown) =>
    typeof part === "object" && part !== null ? Object.entries(part) : [],
  );
  const prices = new Map<number, Exact>();
  for (const [denomination, price] of entries) {
    if (!/^\d{1,16}(\.\d{1,9})?$/.test(denomination)) continue;
    const amount = toMinorExactly(new Exact(denomination), divisor);
    if (amount === undefined || typeof price !== "number" || !(price > 0)) continue;
    prices.set(amount, new Exact(price));
  }
  return prices;
}

function readRangeOffer(reader: FieldReader, product: Product, refuse: Refuse): VoucherOffer[] {
  const { unit } = product;
  const min = reader.decimal("minRecipientDenomination", unit.currencyDivisor);
  const max = reader.decimal("maxRecipientDenomination", unit.currencyDivisor);
  if (!min || !max || min > max) {
    refuse("minRecipientDenomination or maxRecipientDenomination is no exact amount");
    return [];
  }
  const rate = readRate(reader, product, max);
  if (rate) return [toRangeOffer(product, rate, { min, max })];
  refuse("its exchange rate is missing");
  return [];
}

/** Returns units of the account's currency for one unit of the card's currency. */
function readRate(reader: FieldReader, { unit, wallet }: Product, max: number): Exact | undefined {
  if (unit.currency === wallet.currency) return new Exact(1);
  const stated = reader.number("recipientCurrencyToSenderCurrencyExchangeRate");
  if (stated) return new Exact(stated);
  const paid = reader.number("maxSenderDenomination");
  return paid ? new Exact(paid).div(toMajor(max, unit.currencyDivisor)) : undefined;
}

function toFixedOffer(product: Product, amount: number, price: Exact): VoucherOffer {
  const { id, wallet, unit, share, discount, fee, head } = product;
  const cost = toMinor(price.mul(share), wallet.currencyDivisor, "up");
  return {
    ...head,
    offerId: `RLG-${id}-${majorText(amount, unit.currencyDivisor)}-${unit.currency}`,
    priceType: "FIXED",
    cost: { ...wallet, fixed: cost, discount, fee, feePct: 0 },
    price: { ...wallet, fixed: cost, margin: 0, fee, suggestedFixed: 0, suggestedFx: 0 },
    send: { ...unit, fixed: amount },
  };
}

function toRangeOffer(
  product: Product,
  rate: Exact,
  { min, max }: { min: number; max: number },
): VoucherOffer {
  const { id, wallet, unit, share, discount, fee, head } = product;
  const toCost = (amount: number) =>
    toMinor(
      toMajor(amount, unit.currencyDivisor).mul(rate).mul(share),
      wallet.currencyDivisor,
      "up",
    );
  // Rounded up, so that the cost of an amount, which is rounded up, is not a minor unit too high.
  const fx = new Exact(1)
    .div(rate.mul(share))
    .toSignificantDigits(FX_DIGITS, Exact.ROUND_UP)
    .toNumber();
  const range = { ...wallet, fx, min: toCost(min), max: toCost(max) };
  return {
    ...head,
    offerId: `RLG-${id}-${unit.currency}`,
    priceType: "RANGE",
    cost: { ...range, discount, fee, feePct: 0 },
    price: { ...range, increment: 1, margin: 0, fee, suggestedFixed: 0, suggestedFx: fx },
    send: { ...unit, fx, min, max },
  };
}

/** The notes are the instructions of the card's receipt. */
function toHead(reader: FieldReader, brand: { id: string; name: string }, country: string) {
  const instructions = reader.part("redeemInstruction").text("concise");
  const isGlobal = reader.flag("global") ?? false;
  return {
    brand: brand.id,
    brandName: brand.name,
    country,
    createdAt: NO_TIME,
    updatedAt: NO_TIME,
    enabled: true,
    notes: toShownText(instructions.slice(0, MAX_NOTES_LENGTH), "notes"),
    shortNotes: toShownText(reader.text("productName"), "shortNotes"),
    productType: "VOUCHER" as const,
    regions: isGlobal ? ["Global" as const] : [],
    subTypes: ["Gift Card"],
    requiredFields: [],
    deliveryType: DELIVERY_TYPE,
  };
}
