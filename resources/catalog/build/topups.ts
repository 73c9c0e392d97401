import type { Decimal } from "decimal.js";
import { TableError } from "../../lib/csv.ts";
import { idPrefix, rangeText, spoken, standing } from "./offers.ts";
import { contentsOf, daysText, fullContentsOf, has, type PlanRow, planId } from "./plans.ts";
import { fixedMoney, pricedMoney, rangeMoney, type SendCurrency } from "./pricing.ts";
import type { Operator, Tables } from "./tables.ts";
import type { OfferMoney, TopupOffer, TopupSubtype } from "./types.ts";

interface Product {
  readonly idPart: string;
  readonly subtype: TopupSubtype;
  readonly notes: string;
  readonly shortNotes: string;
  readonly money: OfferMoney;
  readonly plan?: PlanRow;
}

export function topupOffers(tables: Tables): TopupOffer[] {
  return tables.operators.flatMap((operator) => {
    try {
      const products = productsOf(operator, tables);
      return products.map((product) => offer(operator, product, tables));
    } catch (error) {
      if (error instanceof TableError) throw error;
      throw new TableError(operator.at, error instanceof Error ? error.message : String(error));
    }
  });
}

function productsOf(operator: Operator, tables: Tables): Product[] {
  const send = sendIn(operator.currency, operator.at, tables);
  return [
    ...operator.topups.map((face) => fixedTopup(operator, face, send)),
    ...operator.usdPrices.map((usd) => pricedTopup(operator, usd, send)),
    ...(operator.range === undefined ? [] : [rangeTopup(operator, send)]),
    ...operator.plans.map((plan) => {
      const inPlan = plan.currency === "" ? send : sendIn(plan.currency, plan.at, tables);
      return planProduct(operator, plan, inPlan);
    }),
  ];
}

function sendIn(currency: string, at: string, { rates }: Tables): SendCurrency {
  const rate = rates.get(currency);
  if (rate === undefined) throw new TableError(at, `no rate for ${currency}`);
  return { currency, rate };
}

function fixedTopup(operator: Operator, face: Decimal, send: SendCurrency): Product {
  const amount = `${face} ${send.currency}`;
  return {
    idPart: `TOPUP_${face.toString().replace(".", "_")}`,
    subtype: "Mobile Top Up",
    notes: `Adds ${amount} of credit to ${holder(operator)}.`,
    shortNotes: amount,
    money: fixedMoney(face, send, operator.terms),
  };
}

/**
 * Returns a top-up named by its price ("ten dollars"), because senders of money ask for it by
 * price.
 */
function pricedTopup(operator: Operator, usd: Decimal, send: SendCurrency): Product {
  if (operator.range === undefined) throw new Error("usdPrices need a free value to be prices of");
  const money = pricedMoney(usd, operator.range, send, operator.terms);
  const { currency, currencyDivisor, fixed } = money.send;
  const decimals = fixed % currencyDivisor === 0 ? 0 : Math.log10(currencyDivisor);
  const amount = `${(fixed / currencyDivisor).toFixed(decimals)} ${currency}`;
  return {
    idPart: `TOPUP_USD_${usd.toString().replace(".", "_")}`,
    subtype: "Mobile Top Up",
    notes: `Adds ${amount} of credit to ${holder(operator)}: what ${usd} USD buy.`,
    shortNotes: amount,
    money,
  };
}

function rangeTopup(operator: Operator, send: SendCurrency): Product {
  if (operator.range === undefined) throw new Error("no range");
  const money = rangeMoney(operator.range, send, operator.terms);
  return {
    idPart: "TOPUP_RANGE",
    subtype: "Mobile Top Up",
    notes: `Adds credit of a free value to ${holder(operator)}.`,
    shortNotes: rangeText(money.send),
    money,
  };
}

function planProduct(operator: Operator, plan: PlanRow, send: SendCurrency): Product {
  const isBundle = has(plan.voice) || has(plan.sms);
  const contents = fullContentsOf(plan);
  const days = daysText(plan);
  return {
    idPart: `${isBundle ? "BUNDLE" : "DATA"}_${planId(plan)}`,
    subtype: isBundle ? "Mobile Bundle" : "Mobile Data",
    notes: `${isBundle ? "Bundle" : "Data pack"} for ${holder(operator)}: ${contents.join(" + ")}, valid for ${days}.`,
    shortNotes: [...contentsOf(plan), days].join(", "),
    money: fixedMoney(plan.price, send, operator.terms),
    plan,
  };
}

/** Describes the recipient: a number in the country, or a world-wide account. */
function holder({ brand, country, regions }: Operator): string {
  return regions.includes("Global")
    ? `any ${brand.brandName} account`
    : `any ${brand.brandName} number in ${spoken(country)}`;
}

function offer(operator: Operator, product: Product, tables: Tables): TopupOffer {
  const { brand, country } = operator;
  const { money, plan } = product;
  const offerId = `${idPrefix(brand.brand, country.country)}_${product.idPart}`;
  return {
    offerId,
    brand: brand.brand,
    brandName: brand.brandName,
    country: country.country,
    createdAt: tables.date,
    updatedAt: tables.date,
    ...standing({ offerId, brand: brand.brand, country: country.country }, product.notes, tables),
    shortNotes: product.shortNotes,
    cost: money.cost,
    price: money.price,
    send: money.send,
    priceType: money.priceType,
    productType: "TOPUP",
    regions: [...operator.regions],
    subTypes: [product.subtype],
    dataGB: plan?.data.amount ?? 0,
    dataUnlimited: plan?.data.unlimited ?? false,
    durationDays: plan?.durationDays ?? 0,
    smsNumber: plan?.sms.amount ?? 0,
    smsUnlimited: plan?.sms.unlimited ?? false,
    voiceMinutes: plan?.voice.amount ?? 0,
    voiceUnlimited: plan?.voice.unlimited ?? false,
  };
}
