import type { CatalogBrand } from "../../contract/catalog-content.ts";
import { TOPUP_SUBTYPES } from "../../contract/common.ts";
import type { TopupOffer } from "../../contract/v1/offers.ts";
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
import type { NoteDeviation } from "../catalog-deviations.ts";
import { FieldReader } from "../field-reader.ts";

/** Digits of the exchange rate between cost and amount. */
export const FX_DIGITS = 12;
/** Constant, because the catalog has no times: a sync then finds no change. */
export const NO_TIME = "1970-01-01T00:00:00.000Z";

export interface ReadingContext {
  wallet: Unit;
  note: NoteDeviation;
}

interface Operator {
  id: string;
  name: string;
  country: string;
  wallet: Unit;
  /** Cost of an amount of 1 in the wallet's currency: the amount minus the discount. */
  share: Exact;
  discount: number;
}

/** Amounts of an operator in one currency. */
interface Amounts {
  unit: Unit;
  /** Units of it for one unit of the wallet's currency. */
  rate: Exact;
  isLocal: boolean;
}

export type Refuse = (what: string) => undefined;

/**
 * Converts an operator to a brand and its offers. The account's currency must be the wallet's.
 * Offers have local amounts, in the currency of the destination, if the operator supports them. An
 * amount that is no whole number of minor units is left out and noted.
 */
export function readOperator(
  stated: unknown,
  { wallet, note }: ReadingContext,
): { brand: CatalogBrand; offers: TopupOffer[] } | undefined {
  const reader = new FieldReader(stated);
  const id = reader.text("operatorId") || reader.text("id");
  const refuse: Refuse = (what) => {
    note(`topups: ${what}`, id);
  };
  if (!/^\d{1,12}$/.test(id)) return refuse("operatorId is missing");
  // Plans and PINs are other products than airtime.
  if (reader.flag("pin") || reader.flag("bundle") || reader.flag("data")) return undefined;
  const currency = reader.word("senderCurrencyCode");
  if (currency !== wallet.currency) return refuse(`senderCurrencyCode is not ${wallet.currency}`);
  const country = reader.part("country").word("isoName");
  if (!/^[A-Z]{2}$/.test(country)) return refuse("country.isoName is missing");
  const fees = reader.part("fees");
  if (fees.number("international") || fees.number("internationalPercentage")) {
    return refuse("its fees are not supported");
  }
  // The local discount is for accounts in the currency of the destination.
  const discount = reader.number("internationalDiscount") ?? 0;
  if (discount >= 100) return refuse("discount cannot be used");
  const name = toShownText(reader.text("name"), "brandName") || `Operator ${id}`;
  const share = new Exact(100).sub(discount).div(100);
  const operator = { id, name, country, wallet, share, discount };
  const offers = readOffers(reader, operator, refuse);
  return offers.length === 0 ? undefined : { brand: toCatalogBrand(`RLD-${id}`, name), offers };
}

function readOffers(reader: FieldReader, operator: Operator, refuse: Refuse): TopupOffer[] {
  const type = reader.word("denominationType");
  if (type !== "FIXED" && type !== "RANGE") {
    refuse("denominationType is not FIXED or RANGE");
    return [];
  }
  const read = type === "FIXED" ? readFixedOffers : readRangeOffer;
  const local = readLocalAmounts(reader, operator, refuse);
  const offers = local ? read(reader, operator, local, refuse) : [];
  if (offers.length > 0) return offers;
  const inWallet = { unit: operator.wallet, rate: new Exact(1), isLocal: false };
  return read(reader, operator, inWallet, refuse);
}

/** Returns undefined for an operator without local amounts, or with the account's currency. */
function readLocalAmounts(
  reader: FieldReader,
  { wallet }: Operator,
  refuse: Refuse,
): Amounts | undefined {
  if (!reader.flag("supportsLocalAmounts")) return undefined;
  const currency = reader.word("destinationCurrencyCode");
  if (currency === wallet.currency) return undefined;
  const fx = reader.part("fx");
  const rate = fx.number("rate");
  if (!isCurrency(currency) || fx.word("currencyCode") !== currency || !rate) {
    return refuse("its local amounts have no currency or exchange rate");
  }
  const unit = { currency, currencyDivisor: currencyDivisor(currency) };
  return { unit, rate: new Exact(rate), isLocal: true };
}

function readRangeOffer(
  reader: FieldReader,
  operator: Operator,
  amounts: Amounts,
  refuse: Refuse,
): TopupOffer[] {
  const [minName, maxName] = amounts.isLocal
    ? (["localMinAmount", "localMaxAmount"] as const)
    : (["minAmount", "maxAmount"] as const);
  const min = reader.decimal(minName, amounts.unit.currencyDivisor);
  const max = reader.decimal(maxName, amounts.unit.currencyDivisor);
  if (min && max && min <= max) return [toRangeOffer(operator, amounts, { min, max })];
  refuse(`${minName} or ${maxName} is no exact amount`);
  return [];
}

function readFixedOffers(
  reader: FieldReader,
  operator: Operator,
  amounts: Amounts,
  refuse: Refuse,
): TopupOffer[] {
  const field = amounts.isLocal ? "localFixedAmounts" : "fixedAmounts";
  const fixed = reader.raw(field);
  const texts = readTexts(reader, field);
  return [...new Set(Array.isArray(fixed) ? fixed : [])].flatMap((stated: unknown) => {
    const amount = toAmount(stated, amounts.unit);
    if (amount !== undefined) {
      return [toFixedOffer(operator, amounts, { amount, notes: texts.get(Number(stated)) ?? "" })];
    }
    refuse(`${field} has an amount that is not exact`);
    return [];
  });
}

/** Returns a positive number of minor units; undefined if the amount is not exact. */
export function toAmount(stated: unknown, { currencyDivisor: divisor }: Unit): number | undefined {
  if (typeof stated !== "number" || !Number.isFinite(stated) || stated <= 0) return undefined;
  return toMinorExactly(new Exact(stated), divisor);
}

/** Returns names and descriptions by amount, whose keys are texts such as "5.00". */
function readTexts(reader: FieldReader, field: string): Map<number, string> {
  const texts = new Map<number, string>();
  for (const name of [`${field}PlanNames`, `${field}Descriptions`]) {
    for (const [key, stated] of Object.entries(reader.raw(name) ?? {})) {
      if (typeof stated !== "string") continue;
      const text = toShownText(stated.trim(), "notes");
      const lines = [texts.get(Number(key)) ?? "", text].filter((line) => line !== "");
      texts.set(Number(key), [...new Set(lines)].join("\n"));
    }
  }
  return texts;
}

function toFixedOffer(
  operator: Operator,
  amounts: Amounts,
  { amount, notes }: { amount: number; notes: string },
): TopupOffer {
  const { wallet, discount } = operator;
  const { unit } = amounts;
  const cost = toCost(operator, amounts, amount);
  const text = majorText(amount, unit.currencyDivisor);
  return {
    ...toHead(operator, notes),
    offerId: `RLD-${operator.id}-${text}-${unit.currency}`,
    priceType: "FIXED",
    cost: { ...wallet, fixed: cost, discount, fee: 0, feePct: 0 },
    price: { ...wallet, fixed: cost, margin: 0, fee: 0, suggestedFixed: 0, suggestedFx: 0 },
    send: { ...unit, fixed: amount },
  };
}

function toRangeOffer(
  operator: Operator,
  amounts: Amounts,
  { min, max }: { min: number; max: number },
): TopupOffer {
  const { wallet, share, discount } = operator;
  const { unit, rate } = amounts;
  // Rounded up, so that the cost of an amount, which is rounded up, is not a minor unit too high.
  const fx = rate.div(share).toSignificantDigits(FX_DIGITS, Exact.ROUND_UP).toNumber();
  const range = {
    ...wallet,
    fx,
    min: toCost(operator, amounts, min),
    max: toCost(operator, amounts, max),
  };
  return {
    ...toHead(operator, ""),
    offerId: `RLD-${operator.id}-${unit.currency}`,
    priceType: "RANGE",
    cost: { ...range, discount, fee: 0, feePct: 0 },
    price: { ...range, increment: 1, margin: 0, fee: 0, suggestedFixed: 0, suggestedFx: fx },
    send: { ...unit, fx, min, max },
  };
}

function toCost({ wallet, share }: Operator, { unit, rate }: Amounts, amount: number): number {
  const cost = toMajor(amount, unit.currencyDivisor).mul(share).div(rate);
  return toMinor(cost, wallet.currencyDivisor, "up");
}

function toHead({ id, name, country }: Operator, notes: string) {
  return {
    brand: `RLD-${id}`,
    brandName: name,
    country,
    createdAt: NO_TIME,
    updatedAt: NO_TIME,
    enabled: true,
    notes,
    shortNotes: "",
    productType: "TOPUP" as const,
    regions: [],
    subTypes: [TOPUP_SUBTYPES[0]],
    dataGB: 0,
    dataUnlimited: false,
    durationDays: 0,
    smsNumber: 0,
    smsUnlimited: false,
    voiceMinutes: 0,
    voiceUnlimited: false,
  };
}

export function toCatalogBrand(brand: string, brandName: string): CatalogBrand {
  const path = `/v1/brands/${brand}`;
  return {
    brand,
    brandName,
    brandBigImage: `${path}/big.svg`,
    brandColor: "",
    brandGiftImage: `${path}/gift.svg`,
    brandInfoPdf: "",
    brandLogo: `${path}/logo.svg`,
    brandLogoExtension: "svg",
    description: "",
    inputMasks: [],
    redemptionInstructions: [],
    requiredFieldsLabels: [],
    redemptionInstructionInfos: [],
  };
}
