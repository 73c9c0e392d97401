import { Problem } from "../../contract/problem.ts";
import type { TopupOffer } from "../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../contract/v1/purchases.ts";
import { Exact, toMajor, toMinor } from "../../lib/money.ts";

/** What a purchase costs, what the customer pays and what is delivered; minor units. */
export interface Quote {
  costBase: number;
  costFee: number;
  priceBase: number;
  priceFee: number;
  send: number;
}

type Offer = Pick<TopupOffer, "priceType" | "cost" | "price" | "send">;

/**
 * The amounts of a purchase (decisions §3): in major units `delivered = price × price.fx =
 * cost × cost.fx`; delivered rounds down, cost and price round up; fees come on top of the base.
 * @throws Problem VALUE_REQUIRED, VALUE_NOT_ALLOWED or VALUE_OUT_OF_RANGE, naming the field.
 */
export function quoteOffer(offer: Offer, value: PurchaseValue | undefined): Quote {
  const { costBase, priceBase, send } =
    offer.priceType === "FIXED" ? fixedAmounts(offer, value) : rangeAmounts(offer, value);
  const feeOfBase = toMajor(costBase, offer.cost.currencyDivisor).mul(offer.cost.feePct).div(100);
  return {
    costBase,
    costFee: offer.cost.fee + toMinor(feeOfBase, offer.cost.currencyDivisor, "up"),
    priceBase,
    priceFee: offer.price.fee,
    send,
  };
}

type Amounts = Pick<Quote, "costBase" | "priceBase" | "send">;

function fixedAmounts(offer: Offer, value: PurchaseValue | undefined): Amounts {
  if (value) {
    throw new Problem("VALUE_NOT_ALLOWED", "This offer has a fixed value; leave value out.", {
      value: "must be left out for a FIXED offer",
    });
  }
  return {
    costBase: offer.cost.fixed ?? 0,
    priceBase: offer.price.fixed ?? 0,
    send: offer.send.fixed ?? 0,
  };
}

function rangeAmounts(offer: Offer, value: PurchaseValue | undefined): Amounts {
  if (!value) {
    throw new Problem("VALUE_REQUIRED", "This offer needs a value.", {
      value: "is required for a RANGE offer",
    });
  }
  const { cost, price, send } = offer;
  const costFx = new Exact(cost.fx ?? 0);
  const priceFx = new Exact(price.fx ?? 0);

  function costOf(delivered: number): number {
    return toMinor(
      toMajor(delivered, send.currencyDivisor).div(costFx),
      cost.currencyDivisor,
      "up",
    );
  }
  function priceOf(delivered: number): number {
    return toMinor(
      toMajor(delivered, send.currencyDivisor).div(priceFx),
      price.currencyDivisor,
      "up",
    );
  }
  function deliveredFor(amount: number, divisor: number, fx: Exact): number {
    return toMinor(toMajor(amount, divisor).mul(fx), send.currencyDivisor, "down");
  }

  switch (value.type) {
    case "PRICE": {
      checkRange(value, price, price.increment);
      const delivered = deliveredFor(value.value, price.currencyDivisor, priceFx);
      return { priceBase: value.value, send: delivered, costBase: costOf(delivered) };
    }
    case "COST": {
      checkRange(value, cost);
      const delivered = deliveredFor(value.value, cost.currencyDivisor, costFx);
      return { costBase: value.value, send: delivered, priceBase: priceOf(delivered) };
    }
    case "ZEND": {
      checkRange(value, send);
      return {
        send: value.value,
        costBase: costOf(value.value),
        priceBase: priceOf(value.value),
      };
    }
  }
}

function checkRange(
  value: PurchaseValue,
  block: { min?: number; max?: number; currency: string },
  increment?: number,
): void {
  const { min = 0, max = 0, currency } = block;
  const inRange = value.value >= min && value.value <= max;
  if (inRange && (increment === undefined || (value.value - min) % increment === 0)) return;
  const steps = increment === undefined ? "" : ` in steps of ${increment}`;
  const rule = `must be ${min} to ${max}${steps} (minor units of ${currency})`;
  throw new Problem("VALUE_OUT_OF_RANGE", `The value ${value.value} ${rule}.`, {
    "value.value": rule,
  });
}
