import { TOPUP_SUBTYPES } from "../../contract/common.ts";
import { FAMILY_FACTS, type Family } from "../../contract/pos/families.ts";
import { DataSpeed, OFFER_SCHEMAS } from "../../contract/v1/offers.ts";
import { Exact, isCurrency, toMajor, toMinor, type Unit } from "../../lib/money.ts";
import type { NoteDeviation } from "../catalog-deviations.ts";
import { DIVISORS, isRecord, readStatedDivisor, StatedRecord, toText } from "./stated-values.ts";

/** Digits of computed exchange rates. */
const FX_DIGITS = 12;
const MIN_MARGIN = -99;

export interface OfferContext {
  /** The unit of cost and price in our catalog. */
  wallet: Unit;
  /** Returns the code in the spelling of the provider's brand list. */
  brandCodeOf(stated: string): string;
  note: NoteDeviation;
}

/**
 * Converts an offer of another gateway to our contract (rules#upstream-liberal-reading). A
 * deviating field that selling does not require is replaced by its default and noted. A field that
 * selling requires stays as stated, so that the catalog's checks refuse the offer and name the
 * field.
 */
export function readOffer(family: Family, stated: unknown, context: OfferContext): unknown {
  if (!isRecord(stated)) return stated;
  const { path, deliversMoney } = FAMILY_FACTS[family];
  const id = typeof stated.offerId === "string" ? stated.offerId : undefined;
  const offer = new StatedRecord(stated, { section: path, id, note: context.note });
  offer.noteUnknownFields(OFFER_SCHEMAS[family].offer);
  const brand = offer.identifier("brand");
  const createdAt = offer.time("createdAt");
  const updatedAt = offer.time("updatedAt");
  return {
    offerId: offer.identifier("offerId"),
    brand: typeof brand === "string" ? context.brandCodeOf(brand) : brand,
    country: offer.country("country", family === "ESIM"),
    createdAt: createdAt ?? updatedAt ?? NO_TIME,
    updatedAt: updatedAt ?? createdAt ?? NO_TIME,
    enabled: offer.flag("enabled", true),
    notes: offer.text("notes"),
    shortNotes: offer.text("shortNotes"),
    ...readMoney(offer, deliversMoney, context.wallet),
    productType: readProductType(offer, family),
    regions: offer.listOf("regions", OFFER_SCHEMAS[family].offer.properties.regions.items.enum),
    subTypes:
      family === "TOPUP" ? offer.listOf("subTypes", TOPUP_SUBTYPES) : offer.texts("subTypes"),
    ...READ_FAMILY_FIELDS[family](offer),
  };
}

/** Default time, which is constant so that a sync finds no change. */
const NO_TIME = "1970-01-01T00:00:00.000Z";

/** The list determines the family; an offer that states another family is refused. */
function readProductType(offer: StatedRecord, family: Family): unknown {
  const stated = offer.optional("productType");
  if (stated === undefined) offer.deviates("productType", "is missing");
  const named = String(stated).toUpperCase();
  return named !== family && Object.hasOwn(FAMILY_FACTS, named) ? named : family;
}

function readAllowances(offer: StatedRecord) {
  return {
    dataGB: offer.number("dataGB"),
    dataUnlimited: offer.flag("dataUnlimited", false),
    durationDays: offer.number("durationDays", { isInteger: true }),
    smsNumber: offer.number("smsNumber", { isInteger: true }),
    smsUnlimited: offer.flag("smsUnlimited", false),
    voiceMinutes: offer.number("voiceMinutes", { isInteger: true }),
    voiceUnlimited: offer.flag("voiceUnlimited", false),
  };
}

const READ_FAMILY_FIELDS: Record<Family, (offer: StatedRecord) => Record<string, unknown>> = {
  TOPUP: readAllowances,
  VOUCHER: (offer) => ({
    requiredFields: offer.names("requiredFields"),
    ...(offer.optional("deliveryType") !== undefined && {
      deliveryType: offer.text("deliveryType"),
    }),
  }),
  ESIM: (offer) => ({
    ...readAllowances(offer),
    dataSpeeds: offer.listOf("dataSpeeds", DataSpeed.enum),
    roaming: offer.records("roaming").flatMap((place) => {
      const country = place.country("country", false);
      if (typeof country !== "string" || !/^[A-Z]{2}$/.test(country)) return [];
      return [{ country, dataSpeeds: place.listOf("dataSpeeds", DataSpeed.enum) }];
    }),
  }),
  BILL_PAY: readBillFields,
};

function readBillFields(offer: StatedRecord): Record<string, unknown> {
  const retrieval = offer.names("billRetrievalRequiredFields");
  const required = offer.names("requiredFields");
  const isNamed = Array.isArray(required) && Array.isArray(retrieval);
  const cutoff = offer.text("cutoffTime");
  const isTime = /^(?:(?:[01]\d|2[0-3]):[0-5]\d)?$/.test(cutoff);
  if (!isTime) offer.deviates("cutoffTime", "is no time of the day");
  const isFixed = readPriceType(offer) === "FIXED";
  const { processingDays } = OFFER_SCHEMAS.BILL_PAY.offer.properties;
  return {
    requiredFields: isNamed
      ? [...new Set([...(required as string[]), ...(retrieval as string[])])]
      : required,
    billRetrievalRequiredFields: retrieval,
    supportsBillRetrieval: Array.isArray(retrieval) && retrieval.length > 0,
    supportsOverpayment: offer.flag("supportsOverpayment", false) && !isFixed,
    supportsUnderpayment: offer.flag("supportsUnderpayment", false) && !isFixed,
    cutoffTime: isTime ? cutoff : "",
    processingDays: offer.listOf("processingDays", processingDays.items.enum),
    processingOnHolidays: offer.flag("processingOnHolidays", false),
    deliverySpeedSeconds: offer.number("deliverySpeedSeconds", { isInteger: true }),
  };
}

/** An amount, or an invalid value that the catalog's checks refuse. */
type Amount = number | undefined | object | string | boolean;

interface Block extends Unit {
  fixed: Amount;
  fx: Amount;
  min: Amount;
  max: Amount;
}

function readMoney(offer: StatedRecord, deliversMoney: boolean, wallet: Unit) {
  const priceType = readPriceType(offer);
  const isFixed = priceType === "FIXED";
  const costRecord = offer.record("cost");
  const cost = readBlock(costRecord, wallet);
  const send = deliversMoney ? readSend(offer.record("send"), cost) : undefined;
  if (!isFixed && send) deriveRange(cost, send);
  const priceRecord = offer.record("price");
  const price = readPrice(priceRecord, { cost, send, isFixed, wallet });
  return {
    priceType,
    cost: {
      ...pickAmounts(cost, isFixed),
      discount: costRecord.number("discount", { isSigned: true, isOptional: true }),
      fee: costRecord.amount("fee", cost.statedDivisor, wallet) ?? 0,
      feePct: costRecord.amount("feePct") ?? 0,
    },
    price,
    ...(send && { send: pickAmounts(send, isFixed) }),
  };
}

/** An unreadable price type is derived from the amounts of the cost. */
function readPriceType(offer: StatedRecord): unknown {
  const stated = offer.optional("priceType");
  const folded = String(stated).trim().toUpperCase();
  if (folded === "FIXED" || folded === "RANGE") return folded;
  const cost = isRecord(offer.optional("cost")) ? (offer.optional("cost") as Partial<Block>) : {};
  const hasFixed = Number(cost.fixed) > 0;
  const hasRange = Number(cost.fx) > 0 && Number(cost.max) > 0;
  offer.deviates("priceType", stated === undefined ? "is missing" : "is not FIXED or RANGE");
  if (hasFixed === hasRange) return stated;
  return hasFixed ? "FIXED" : "RANGE";
}

function readBlock(stated: StatedRecord, wallet: Unit): Block & { statedDivisor: unknown } {
  const currency = stated.currency("currency") ?? wallet.currency;
  const statedDivisor = readStatedDivisor(stated, currency);
  const isWallet = currency === wallet.currency && isDivisor(statedDivisor);
  return {
    currency: toText(currency),
    currencyDivisor: isWallet ? wallet.currencyDivisor : (statedDivisor as number),
    statedDivisor,
    fixed: stated.amount("fixed", statedDivisor, isWallet ? wallet : undefined),
    fx: stated.amount("fx"),
    min: stated.amount("min", statedDivisor, isWallet ? wallet : undefined),
    max: stated.amount("max", statedDivisor, isWallet ? wallet : undefined),
  };
}

/**
 * Uses the provider's unit, because purchases with a value are sent in that unit. The exchange rate
 * is informational.
 */
function readSend(stated: StatedRecord, cost: Block): Block {
  const currency = stated.currency("currency");
  const fx = stated.amount("fx");
  return {
    currency: currency === undefined ? (undefined as unknown as string) : toText(currency),
    currencyDivisor: readStatedDivisor(stated, currency) as number,
    fixed: stated.amount("fixed"),
    fx: isPositive(fx) ? fx : cost.fx,
    min: stated.amount("min"),
    max: stated.amount("max"),
  };
}

/**
 * Derives missing limits of cost and send from each other. The derived minimum cost delivers a
 * positive amount.
 */
function deriveRange(cost: Block, send: Block): void {
  if (
    !isPositive(cost.fx) ||
    !isDivisor(cost.currencyDivisor) ||
    !isDivisor(send.currencyDivisor)
  ) {
    return;
  }
  const rate = new Exact(cost.fx);
  const delivered = (amount: number) =>
    toMinor(toMajor(amount, cost.currencyDivisor).mul(rate), send.currencyDivisor, "down");
  if (isAbsent(send.max) && isPositive(cost.max)) send.max = delivered(cost.max);
  if (isAbsent(send.min)) send.min = isPositive(cost.min) ? Math.max(delivered(cost.min), 1) : 1;
  const paid = (amount: number) =>
    toMinor(toMajor(amount, send.currencyDivisor).div(rate), cost.currencyDivisor, "up");
  if (isAbsent(cost.min) && isPositive(send.min)) cost.min = paid(send.min);
  if (isAbsent(cost.max) && isPositive(send.max)) cost.max = paid(send.max);
}

interface PriceContext {
  cost: Block;
  send: Block | undefined;
  isFixed: boolean;
  wallet: Unit;
}

/**
 * A price without an amount, or in another currency than the wallet's, is computed from the cost
 * and the stated margin.
 */
function readPrice(stated: StatedRecord, { cost, send, isFixed, wallet }: PriceContext) {
  const currency = stated.currency("currency");
  const divisor = readStatedDivisor(stated, currency ?? wallet.currency);
  const margin = stated.number("margin", { isSigned: true, minimum: MIN_MARGIN });
  const isOurs = currency === wallet.currency && isDivisor(divisor);
  const amount = (field: string) => stated.amount(field, divisor, wallet);
  const suggested = stated.information("suggestedFixed", divisor, wallet);
  const fixed = isPositive(suggested) ? suggested : amount("fixed");
  const fx = amountOrAbsent(stated.amount("fx"));
  const isStated = isFixed ? fixed !== undefined : fx !== undefined && send !== undefined;
  if (!isOurs || !isStated) {
    if (currency !== undefined && !isCurrency(toText(currency))) {
      stated.deviates("currency", "is not an ISO 4217 currency");
    } else if (!isStated) stated.deviates(isFixed ? "fixed" : "fx", "is missing");
    return priceFromCost(cost, margin, isFixed);
  }
  const range: Block = { ...wallet, fixed, fx, min: amount("min"), max: amount("max") };
  if (!isFixed && send) deriveRange(range, { ...send });
  const increment = stated.information("increment", divisor, wallet);
  return {
    ...pickAmounts(range, isFixed),
    ...(!isFixed && isPositive(increment) && { increment }),
    margin,
    fee: stated.information("fee", divisor, wallet) ?? 0,
    suggestedFixed: suggested ?? 0,
    suggestedFx: stated.number("suggestedFx", { isOptional: true }),
  };
}

function priceFromCost(cost: Block, margin: number, isFixed: boolean) {
  const { currency, currencyDivisor: divisor, fx } = cost;
  const factor = new Exact(margin).div(100).add(1);
  const raised = (amount: Amount): Amount =>
    isPositive(amount) && isDivisor(divisor)
      ? toMinor(toMajor(amount, divisor).mul(factor), divisor, "up")
      : amount;
  const ours = isPositive(fx)
    ? new Exact(fx).div(factor).toSignificantDigits(FX_DIGITS).toNumber()
    : fx;
  const raisedFixed = raised(cost.fixed);
  const block = {
    ...cost,
    fixed: raisedFixed,
    fx: ours,
    min: raised(cost.min),
    max: raised(cost.max),
  };
  return {
    ...pickAmounts({ ...block, currency, currencyDivisor: divisor }, isFixed),
    ...(!isFixed && { increment: 1 }),
    margin,
    fee: 0,
    suggestedFixed: isFixed && isPositive(raisedFixed) ? raisedFixed : 0,
    suggestedFx: isPositive(ours) ? ours : 0,
  };
}

/**
 * Returns the amounts that the price type requires; other gateways send 0 for all other amounts.
 */
function pickAmounts({ currency, currencyDivisor, fixed, fx, min, max }: Block, isFixed: boolean) {
  const amounts = isFixed ? { fixed } : { fx, min, max };
  const stated = Object.entries(amounts).filter(([, amount]) => amount !== undefined);
  return { currency, currencyDivisor, ...Object.fromEntries(stated) };
}

function isPositive(amount: Amount): amount is number {
  return typeof amount === "number" && Number.isFinite(amount) && amount > 0;
}

function isAbsent(amount: Amount): boolean {
  return amount === undefined || amount === 0;
}

function amountOrAbsent(amount: Amount): Amount {
  return amount === 0 ? undefined : amount;
}

function isDivisor(value: unknown): value is number {
  return typeof value === "number" && DIVISORS.includes(value);
}
