import type { CatalogBrand } from "../../contract/catalog-content.ts";
import { TOPUP_SUBTYPES } from "../../contract/common.ts";
import type { TopupOffer } from "../../contract/v1/offers.ts";
import { toShownText } from "../../lib/catalog-texts.ts";
import { Exact, majorText, toMinor, toMinorExactly, type Unit } from "../../lib/money.ts";
import type { NoteDeviation } from "../catalog-deviations.ts";
import { FieldReader } from "../field-reader.ts";

/** `RLD-88-5.00-USD` for an amount, `RLD-88-USD` for a range. */
const OFFER_ID = /^RLD-(\d+)-/;
/** Digits of the exchange rate between cost and amount. */
const FX_DIGITS = 12;
/** Constant, because operators have no times: a sync then finds no change. */
const NO_TIME = "1970-01-01T00:00:00.000Z";

export function findOperatorId(offerId: string): string | undefined {
  return OFFER_ID.exec(offerId)?.[1];
}

interface OperatorContext {
  wallet: Unit;
  note: NoteDeviation;
}

interface Operator {
  id: string;
  name: string;
  country: string;
  /** Cost of an amount of 1: the amount minus the discount. */
  share: Exact;
  discount: number;
}

/**
 * Converts an operator to a brand and its offers. All amounts are in the account's currency, which
 * must be the wallet's. An amount that is no whole number of minor units is left out and noted.
 */
export function readOperator(
  stated: unknown,
  { wallet, note }: OperatorContext,
): { brand: CatalogBrand; offers: TopupOffer[] } | undefined {
  const reader = new FieldReader(stated);
  const id = reader.text("operatorId") || reader.text("id");
  const refuse = (what: string): undefined => {
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
  // Amounts are sent in the account's currency, which earns the international discount.
  const discount = reader.number("internationalDiscount") ?? 0;
  if (discount >= 100) return refuse("discount cannot be used");
  const name = toShownText(reader.text("name"), "brandName") || `Operator ${id}`;
  const share = new Exact(100).sub(discount).div(100);
  const operator = { id, name, country, share, discount };
  const offers = readOffers(reader, operator, wallet, refuse);
  return offers.length === 0 ? undefined : { brand: toBrand(operator), offers };
}

function readOffers(
  reader: FieldReader,
  operator: Operator,
  wallet: Unit,
  refuse: (what: string) => void,
): TopupOffer[] {
  const type = reader.word("denominationType");
  if (type === "RANGE") {
    const min = reader.decimal("minAmount", wallet.currencyDivisor);
    const max = reader.decimal("maxAmount", wallet.currencyDivisor);
    if (min && max && min <= max) {
      return [toRangeOffer(operator, wallet, { min, max })];
    }
    refuse("minAmount or maxAmount is no exact amount");
    return [];
  }
  if (type !== "FIXED") {
    refuse("denominationType is not FIXED or RANGE");
    return [];
  }
  const fixed = reader.raw("fixedAmounts");
  const amounts = new Set(Array.isArray(fixed) ? fixed : []);
  return [...amounts].flatMap((stated: unknown) => {
    const amount = toAmount(stated, wallet);
    if (amount !== undefined) return [toFixedOffer(operator, wallet, amount)];
    refuse("fixedAmounts has an amount that is not exact");
    return [];
  });
}

/** Returns a positive number of minor units; undefined if the amount is not exact. */
function toAmount(stated: unknown, { currencyDivisor: divisor }: Unit): number | undefined {
  if (typeof stated !== "number" || !Number.isFinite(stated) || stated <= 0) return undefined;
  return toMinorExactly(new Exact(stated), divisor);
}

function toFixedOffer(operator: Operator, wallet: Unit, amount: number): TopupOffer {
  const cost = toCost(operator, wallet, amount);
  const text = majorText(amount, wallet.currencyDivisor);
  return {
    ...toHead(operator),
    offerId: `RLD-${operator.id}-${text}-${wallet.currency}`,
    priceType: "FIXED",
    cost: { ...wallet, fixed: cost, discount: operator.discount, fee: 0, feePct: 0 },
    price: { ...wallet, fixed: cost, margin: 0, fee: 0, suggestedFixed: 0, suggestedFx: 0 },
    send: { ...wallet, fixed: amount },
  };
}

function toRangeOffer(
  operator: Operator,
  wallet: Unit,
  { min, max }: { min: number; max: number },
): TopupOffer {
  // Rounded up, so that the cost of an amount, which is rounded up, is not a minor unit too high.
  const fx = new Exact(1).div(operator.share).toSignificantDigits(FX_DIGITS, Exact.ROUND_UP);
  const range = {
    ...wallet,
    fx: fx.toNumber(),
    min: toCost(operator, wallet, min),
    max: toCost(operator, wallet, max),
  };
  return {
    ...toHead(operator),
    offerId: `RLD-${operator.id}-${wallet.currency}`,
    priceType: "RANGE",
    cost: { ...range, discount: operator.discount, fee: 0, feePct: 0 },
    price: { ...range, increment: 1, margin: 0, fee: 0, suggestedFixed: 0, suggestedFx: range.fx },
    send: { ...wallet, fx: range.fx, min, max },
  };
}

function toCost({ share }: Operator, { currencyDivisor: divisor }: Unit, amount: number): number {
  return toMinor(new Exact(amount).div(divisor).mul(share), divisor, "up");
}

function toHead({ id, name, country }: Operator) {
  return {
    brand: `RLD-${id}`,
    brandName: name,
    country,
    createdAt: NO_TIME,
    updatedAt: NO_TIME,
    enabled: true,
    notes: "",
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

function toBrand({ id, name }: Operator): CatalogBrand {
  const brand = `RLD-${id}`;
  const path = `/v1/brands/${brand}`;
  return {
    brand,
    brandName: name,
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
