import { Exact, toMajor, toMinor } from "../lib/money.ts";
import type { Findings } from "./check.ts";
import type { Found } from "./finds.ts";

/** Amounts that a purchase must have by the terms of its offer, independent of the tested gateway. */

interface Value {
  readonly type: string;
  readonly value: number;
}

interface Bases {
  readonly costBase: number;
  readonly priceBase: number;
  readonly send: number;
}

/** Returns the amounts of a record and their units (rules#money-value-types). */
export function computeAmounts(offer: Found, value: Value | undefined): Record<string, unknown> {
  const { cost, price, send } = offer;
  const bases = value === undefined ? fixedBases(offer) : rangeBases(offer, value);
  const costFee = computeCostFee(offer, bases.costBase);
  return {
    cost: bases.costBase + costFee,
    costBase: bases.costBase,
    costFee,
    costCurrency: cost.currency,
    costCurrencyDivisor: cost.currencyDivisor,
    price: bases.priceBase + Number(price.fee),
    priceBase: bases.priceBase,
    priceFee: price.fee,
    priceCurrency: price.currency,
    priceCurrencyDivisor: price.currencyDivisor,
    ...(send && {
      send: bases.send,
      sendCurrency: send.currency,
      sendCurrencyDivisor: send.currencyDivisor,
    }),
  };
}

/** Returns the amounts of a retrieved bill (rules#bill-retrieval). */
export function computeBill(offer: Found, due: number): Record<string, unknown> {
  const { cost, price, send } = offer;
  const { costBase, priceBase } = rangeBases(offer, { type: "ZEND", value: due });
  const costFeeTotal = computeCostFee(offer, costBase);
  return {
    sendCurrency: send.currency,
    sendCurrencyDivisor: send.currencyDivisor,
    cost: costBase,
    costCurrency: cost.currency,
    costCurrencyDivisor: cost.currencyDivisor,
    costFee: cost.fee,
    costFeePct: cost.feePct,
    costFeeTotal,
    costTotal: costBase + costFeeTotal,
    price: priceBase,
    priceCurrency: price.currency,
    priceCurrencyDivisor: price.currencyDivisor,
    priceFee: price.fee,
  };
}

/** Adds a difference for each field of `expected` that the record has with another value. */
export function compareFields(
  findings: Findings,
  subject: string,
  came: Found,
  expected: Record<string, unknown>,
): void {
  for (const [name, value] of Object.entries(expected)) {
    findings.equal(`${subject}: ${name}`, came?.[name], value);
  }
}

function fixedBases({ cost, price, send }: Found): Bases {
  return { costBase: cost.fixed, priceBase: price.fixed, send: send?.fixed ?? 0 };
}

function rangeBases(offer: Found, { type, value }: Value): Bases {
  const unit = offer.send ?? offer.cost;
  const paid = { PRICE: offer.price, COST: offer.cost }[type];
  const send = paid
    ? toMinor(toMajor(value, paid.currencyDivisor).mul(paid.fx), unit.currencyDivisor, "down")
    : value;
  const convert = ({ fx, currencyDivisor }: Found) =>
    toMinor(toMajor(send, unit.currencyDivisor).div(new Exact(fx)), currencyDivisor, "up");
  return {
    costBase: type === "COST" ? value : convert(offer.cost),
    priceBase: type === "PRICE" ? value : convert(offer.price),
    send,
  };
}

/** rules#money-fees-on-top */
function computeCostFee({ cost }: Found, costBase: number): number {
  const share = toMajor(costBase, cost.currencyDivisor).mul(cost.feePct).div(100);
  return Number(cost.fee) + toMinor(share, cost.currencyDivisor, "up");
}
