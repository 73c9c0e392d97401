import fc from "fast-check";
import { perFamily } from "../contract/pos/families.ts";
import type { PriceRounding, StoredPriceList, StoredPriceRule } from "../contract/pos/prices.ts";
import type { TopupOffer } from "../contract/v1/offers.ts";
import { DAY, toTimestamp } from "../lib/clock.ts";
import type { PricingTerms } from "../lib/money.ts";

/** Generators for property tests of prices: offers, rules and price lists of every kind. */

export const NOW = Date.UTC(2026, 10, 23, 12);
const SUBTYPES = ["Mobile Top Up", "Mobile Data"] as const;

const hundredths = (most: number) =>
  fc.integer({ min: 0, max: most * 100 }).map((of) => String(of / 100));

interface Shape {
  offerId: string;
  brand: string;
  country: string;
  subTypes: TopupOffer["subTypes"];
  feePct: number;
  costFee: number;
  priceFee: number;
  sendDivisor: 1 | 100 | 1000;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  offerId: fc.constantFrom("A", "B", "C"),
  brand: fc.constantFrom("TIGO", "CLARO"),
  country: fc.constantFrom("GT", "SV"),
  subTypes: fc.subarray([...SUBTYPES], { minLength: 1 }),
  feePct: fc.constantFrom(0, 0, 1, 2.5),
  costFee: fc.constantFrom(0, 0, 25),
  priceFee: fc.constantFrom(0, 0, 50),
  sendDivisor: fc.constantFrom(1, 100, 1000),
});

function offerOf({ feePct, costFee, priceFee, sendDivisor, ...of }: Shape) {
  const wallet = { currency: "USD", currencyDivisor: 100 };
  return {
    ...of,
    createdAt: toTimestamp(NOW),
    updatedAt: toTimestamp(NOW),
    brandName: of.brand,
    enabled: true,
    notes: "",
    shortNotes: "",
    regions: [],
    productType: "TOPUP" as const,
    cost: { ...wallet, discount: 0, fee: costFee, feePct },
    price: { ...wallet, margin: 0, suggestedFixed: 0, suggestedFx: 0, fee: priceFee },
    send: { currency: "XTS", currencyDivisor: sendDivisor },
    dataGB: 0,
    dataUnlimited: false,
    durationDays: 0,
    smsNumber: 0,
    smsUnlimited: false,
    voiceMinutes: 0,
    voiceUnlimited: false,
  };
}

/** FIXED offers whose suggested price is at, above or slightly below the cost. */
export const fixedOffer: fc.Arbitrary<TopupOffer> = fc
  .tuple(shape, fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: -50, max: 3_000 }))
  .map(([of, cost, above]) => {
    const offer = offerOf(of);
    const price = Math.max(0, cost + above);
    return {
      ...offer,
      priceType: "FIXED",
      cost: { ...offer.cost, fixed: cost },
      price: { ...offer.price, fixed: price, suggestedFixed: price },
      send: { ...offer.send, fixed: 1_000 },
    };
  });

export const rangeOffer: fc.Arbitrary<TopupOffer> = fc
  .record({
    of: shape,
    fx: fc.integer({ min: 50, max: 500_000 }),
    margin: fc.integer({ min: 0, max: 330 }),
    min: fc.integer({ min: 10, max: 600 }),
    span: fc.integer({ min: 10, max: 20_000 }),
    increment: fc.constantFrom(1, 25, 50, 100),
  })
  .map(({ of, fx, margin, min, span, increment }) => {
    const offer = offerOf(of);
    const costFx = fx / 100;
    const priceFx = Number((costFx / (1 + margin / 1000)).toPrecision(12));
    const max = min + span;
    const send = (minor: number) => Math.ceil((minor / 100) * priceFx * of.sendDivisor);
    return {
      ...offer,
      priceType: "RANGE",
      cost: { ...offer.cost, fx: costFx, min: Math.ceil(min / 2), max },
      price: { ...offer.price, fx: priceFx, suggestedFx: priceFx, min, max, increment },
      send: { ...offer.send, fx: 1, min: send(min), max: send(max) },
    };
  });

export const rounding: fc.Arbitrary<PriceRounding> = fc
  .record({
    direction: fc.constantFrom("UP", "DOWN", "NEAREST"),
    steps: fc.array(
      fc.tuple(fc.constantFrom(1, 5, 10, 25, 50, 100), fc.integer({ min: 0, max: 99 })),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ direction, steps }) => ({
    direction,
    bands: steps.map(([step, offset], index) => ({
      step,
      offset: offset % step,
      ...(index < steps.length - 1 && { below: 1_000 * 4 ** index }),
    })),
  }));

const target = fc.record(
  {
    offerId: fc.constantFrom("A", "B"),
    brand: fc.constantFrom("TIGO", "CLARO"),
    country: fc.constantFrom("GT", "SV"),
    subType: fc.constantFrom(...SUBTYPES),
    family: fc.constantFrom("TOPUP", "VOUCHER"),
  },
  { requiredKeys: [] },
);

const instant = fc.integer({ min: -3, max: 3 }).map((days) => toTimestamp(NOW + days * DAY));

export const rule: fc.Arbitrary<StoredPriceRule> = fc
  .record(
    {
      ruleId: fc.uuid(),
      enabled: fc.constantFrom(true, true, true, false),
      target,
      class: fc.constantFrom("STANDARD", "PROMOTION"),
      channel: fc.constantFrom("ANY", "TILL", "API"),
      basis: fc.constantFrom("COST", "SUGGESTED"),
      how: fc.constantFrom("MARKUP", "MARKUP", "MARGIN", "ADD", "SET"),
      percent: hundredths(30),
      amount: fc.integer({ min: 0, max: 30_000 }),
      since: fc.constant(1),
      minProfit: fc.integer({ min: 0, max: 300 }),
      maxProfit: fc.integer({ min: 300, max: 900 }),
      rounding,
      from: instant,
      until: instant,
    },
    {
      requiredKeys: [
        ...(["ruleId", "enabled", "target", "class", "channel", "basis", "how"] as const),
        ...(["percent", "amount", "since"] as const),
      ],
    },
  )
  .map((of) => (of.how === "MARGIN" ? { ...of, basis: "COST" } : of));

const tax = fc.record({
  kind: fc.constantFrom("NONE", "ON_PRICE", "ON_MARGIN"),
  percent: hundredths(25),
});

export const priceList: fc.Arbitrary<StoredPriceList> = fc
  .record({
    rules: fc.array(rule, { maxLength: 6 }),
    rounding: fc.option(rounding, { nil: undefined }),
    above: fc.constantFrom("0", "0", "1.5"),
    tax,
    fxBufferPercent: fc.constantFrom("0", "0", "1.25"),
  })
  .map(({ rules, above, tax: ofAll, fxBufferPercent, ...list }) => ({
    rules,
    ...(list.rounding && { rounding: list.rounding }),
    floor: { aboveCostPercent: above },
    taxes: perFamily(ofAll),
    fxBufferPercent,
    driftAlertPercent: "2",
  }));

/**
 * Pricing terms of shops in the wallet's currency, and in currencies with other numbers of
 * decimals.
 */
export const terms: fc.Arbitrary<PricingTerms> = fc.oneof(
  fc.constant({ currency: "USD", currencyDivisor: 100, rate: "1" }),
  fc
    .record({
      of: fc.constantFrom(["GTQ", 100, 7.75], ["CLP", 1, 950], ["KWD", 1000, 0.31]),
      moved: fc.integer({ min: 900, max: 1100 }),
    })
    .map(({ of: [currency, currencyDivisor, rate], moved }) => ({
      currency: String(currency),
      currencyDivisor: Number(currencyDivisor),
      rate: String((Number(rate) * moved) / 1000),
    })),
);
