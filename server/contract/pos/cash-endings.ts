import type { PriceRounding } from "./prices.ts";

/**
 * Smallest amounts that customers usually pay in cash, in minor units, by currency. An unlisted
 * currency with 100 minor units, such as the euro or the quetzal, has 5; any other has 10. They are
 * the default rounding of prices. `tenders.ts` contains the legal rounding of payments.
 */
const SMALLEST_CASH: Readonly<Record<string, number>> = {
  ARS: 1_000,
  BHD: 25,
  BOB: 10,
  CLP: 10,
  CNY: 10,
  COP: 5_000,
  CRC: 500,
  CZK: 100,
  DKK: 50,
  DOP: 100,
  HKD: 10,
  HUF: 500,
  IDR: 10_000,
  ILS: 10,
  INR: 100,
  JOD: 50,
  JPY: 10,
  KES: 100,
  KRW: 100,
  KWD: 50,
  MXN: 50,
  NGN: 1_000,
  NOK: 100,
  NZD: 10,
  OMR: 50,
  PEN: 10,
  PHP: 25,
  PKR: 100,
  PYG: 50,
  RON: 10,
  RUB: 100,
  SAR: 25,
  SEK: 100,
  THB: 25,
  TND: 50,
  TRY: 25,
  TWD: 100,
  TZS: 5_000,
  UAH: 50,
  UGX: 50,
  UYU: 100,
  VND: 500,
  XAF: 25,
  XOF: 25,
  ZAR: 10,
};

/** Prices from `LARGE_FROM` smallest cash amounts up are multiples of `LARGE_STEP` such amounts. */
const LARGE_FROM = 400;
const LARGE_STEP = 10;

export function smallestCash(currency: string, divisor: number): number {
  return SMALLEST_CASH[currency] ?? (divisor === 100 ? 5 : 10);
}

/**
 * Returns the default rounding of prices to amounts that are easy to pay in cash: for EUR 0.05
 * below 20.00 and 0.50 above, for JPY 10 below 4,000 and 100 above. The rounding raises a price by
 * less than 2.5 %, or by less than the smallest cash amount.
 */
export function cashEndings(currency: string, divisor: number): PriceRounding {
  const step = smallestCash(currency, divisor);
  return {
    direction: "UP",
    bands: [
      { below: LARGE_FROM * step, step, offset: 0 },
      { step: LARGE_STEP * step, offset: 0 },
    ],
  };
}
