import { Decimal } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isUpToDate } from "../lib/generated-file.ts";
import { buildCatalog, CATALOG_FILE, catalogText, offersOf } from "./build/catalog.ts";
import { type FixedMoney, type RangeMoney, REGIONS } from "./build/types.ts";

const catalog = buildCatalog();
const offers = catalog.topups;
const sold = offersOf(catalog);

/** Offers that deliver an amount of money. */
const sending = [...catalog.topups, ...catalog.vouchers, ...catalog.billpay];
type Sending = (typeof sending)[number];
type FixedOffer = Sending & FixedMoney;
type RangeOffer = Sending & RangeMoney;
const fixedOffers = sending.filter((offer): offer is FixedOffer => offer.priceType === "FIXED");
const rangeOffers = sending.filter((offer): offer is RangeOffer => offer.priceType === "RANGE");

const distinct = <Value>(values: readonly Value[]) => new Set(values);

describe("the committed catalog", () => {
  it("equals the generator's output", () => {
    expect(isUpToDate(CATALOG_FILE, catalogText(catalog))).toBe(true);
  });

  it("covers countries world-wide", () => {
    expect(distinct(offers.map(({ country }) => country)).size).toBeGreaterThanOrEqual(60);
    expect(
      distinct(offers.map(({ brand, country }) => `${brand} ${country}`)).size,
    ).toBeGreaterThanOrEqual(150);
    expect(offers.length).toBeGreaterThanOrEqual(1_500);
    expect([...distinct(offers.flatMap(({ regions }) => regions))].sort()).toEqual(
      [...REGIONS].sort(),
    );
    expect([...distinct(offers.flatMap(({ subTypes }) => subTypes))].sort()).toEqual([
      "Mobile Bundle",
      "Mobile Data",
      "Mobile Top Up",
    ]);
    expect(offers.some(({ enabled }) => !enabled)).toBe(true);
  });

  it("has a unique id for every offer, with permitted characters only", () => {
    expect(distinct(sold.map(({ offerId }) => offerId)).size).toBe(sold.length);
    expect(sold.filter(({ offerId }) => !/^[A-Z0-9_-]+$/.test(offerId))).toEqual([]);
  });

  it("describes exactly the brands that have offers", () => {
    const names = new Map(catalog.brands.map(({ brand, brandName }) => [brand, brandName]));
    expect(names.size).toBe(catalog.brands.length);
    expect(distinct(sold.map(({ brand }) => brand))).toEqual(distinct([...names.keys()]));
    for (const { brand, brandName } of sold) expect(brandName).toBe(names.get(brand));
  });

  it("gives every offer the same fields in the same order", () => {
    const orders = distinct(offers.map((offer) => Object.keys(offer).join(" ")));
    expect([...orders]).toEqual([
      "offerId brand brandName country createdAt updatedAt enabled notes shortNotes cost price " +
        "send priceType productType regions subTypes dataGB dataUnlimited durationDays smsNumber " +
        "smsUnlimited voiceMinutes voiceUnlimited",
    ]);
  });

  it("describes the contents of plans", () => {
    for (const offer of offers) {
      const hasData = offer.dataUnlimited || offer.dataGB > 0;
      const hasTalk =
        offer.voiceUnlimited || offer.smsUnlimited || offer.voiceMinutes + offer.smsNumber > 0;
      const dataOrNone = hasData ? "Mobile Data" : "Mobile Top Up";
      const subtype = hasTalk ? "Mobile Bundle" : dataOrNone;
      expect(offer.subTypes, offer.offerId).toEqual([subtype]);
      expect(offer.durationDays > 0, offer.offerId).toBe(hasData || hasTalk);
      if (offer.dataUnlimited) expect(offer.dataGB).toBe(0);
    }
  });
});

/**
 * Countries by currency. Not derived from the tables, so that the test detects errors in the
 * tables.
 */
const CURRENCY_COUNTRIES = `
AED AE|AFN AF|ALL AL|AMD AM|AOA AO|ARS AR|AUD AU NR|AWG AW|AZN AZ|BBD BB|BDT BD|BHD BH|BOB BO
BRL BR|BSD BS|BWP BW|BZD BZ|CAD CA|CHF CH|CLP CL|CNY CN|COP CO|CRC CR|CUP CU|CVE CV|CZK CZ|DOP DO|DZD DZ
EGP EG|ETB ET|EUR AT BE BG DE ES FR IE IT NL PT|FJD FJ|GBP GB|GEL GE|GHS GH|GMD GM|GNF GN|GTQ GT
GYD GY|HNL HN|HTG HT|HUF HU|IDR ID|ILS PS|INR IN|IQD IQ|JMD JM|JOD JO|JPY JP|KES KE|KGS KG
KRW KR|KWD KW|KZT KZ|LKR LK|LRD LR|LYD LY|MAD MA|MDL MD|MGA MG|MNT MN|MRU MR|MVR MV|MWK MW|MXN MX|MYR MY|MZN MZ
NGN NG|NIO NI|NPR NP|NZD NZ|OMR OM|PEN PE|PGK PG|PHP PH|PKR PK|PLN PL|PYG PY|QAR QA|RON RO|RSD RS
RWF RW|SAR SA|SBD SB|SEK SE|SGD SG|SLE SL|SRD SR|THB TH|TND TN|TOP TO|TRY TR|TTD TT|TZS TZ|UAH UA
UGX UG|USD CD EC KH LB MM PA PR SD SO SV TL US YE ZW|UYU UY|UZS UZ|VES VE|VND VN|VUV VU|WST WS|XAF CG CM GA
XCD AG DM GD KN LC VC|XCG CW|XOF BF BJ CI GW ML NE SN TG|ZAR ZA|ZMW ZM`;
const currencyOf = new Map(
  CURRENCY_COUNTRIES.trim()
    .split(/[|\n]/)
    .flatMap((group) => {
      const [currency, ...countries] = group.split(" ");
      return countries.map((country) => [country, currency] as const);
    }),
);
/** Vouchers sold in US dollars in countries with another currency. */
const SOLD_IN_DOLLARS = new Set(["PLAYSTATION AE", "NAUTA CU"]);
/** Countries in which the currency of phone credit is not the currency that shops accept. */
const CREDIT_CURRENCY: Readonly<Record<string, string>> = { RO: "EUR" };
/** Plans in US dollars that are paid from abroad. */
const PAID_ABROAD = /^CUBACEL_CU_DATA_(?:4|8|16)GB_35D$/;
const NO_DECIMALS = "CLP GNF JPY KRW PYG RWF UGX VND VUV XAF XOF".split(" ");
const THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND".split(" ");

describe("the currencies of offers", () => {
  it("match the currencies in which countries count phone credit", () => {
    for (const { offerId, brand, country, regions, send, productType } of sending) {
      const isPaidAbroad = regions.includes("Global") || PAID_ABROAD.test(offerId);
      const inDollars = isPaidAbroad || SOLD_IN_DOLLARS.has(`${brand} ${country}`);
      const counted = productType === "TOPUP" ? CREDIT_CURRENCY[country] : undefined;
      const expected = inDollars ? "USD" : (counted ?? currencyOf.get(country));
      expect(send.currency, offerId).toBe(expected);
    }
  });

  it("have the divisors of ISO 4217", () => {
    const divisors = new Map(sending.map(({ send }) => [send.currency, send.currencyDivisor]));
    for (const [currency, divisor] of divisors) {
      const decimals = NO_DECIMALS.includes(currency) ? 0 : 2;
      const expected = 10 ** (THREE_DECIMALS.includes(currency) ? 3 : decimals);
      expect(divisor, currency).toBe(expected);
    }
    for (const currency of [...NO_DECIMALS, ...THREE_DECIMALS]) {
      expect(divisors.has(currency), currency).toBe(true);
    }
  });

  it("include only US dollars in costs and prices", () => {
    for (const { cost, price } of sending) {
      expect([cost.currency, cost.currencyDivisor]).toEqual(["USD", 100]);
      expect([price.currency, price.currencyDivisor]).toEqual(["USD", 100]);
    }
  });
});

/**
 * Independent implementation of the calculation: deliveries are rounded down, costs and prices up.
 */
const delivered = (cents: number, fx: number, divisor: number) =>
  new Decimal(cents).times(fx).times(divisor).div(100).floor().toNumber();
const cents = (send: number, fx: number, divisor: number) =>
  new Decimal(send).times(100).div(divisor).div(fx).ceil().toNumber();
const withFees = (base: number, { fee, feePct }: { fee: number; feePct: number }) =>
  new Decimal(base).times(feePct).div(100).ceil().plus(base).plus(fee).toNumber();

describe("fixed offers", () => {
  it("never have a price below their cost including fees", () => {
    for (const { offerId, cost, price } of fixedOffers) {
      expect(cost.fixed, offerId).toBeGreaterThan(0);
      expect(withFees(cost.fixed, cost), offerId).toBeLessThanOrEqual(price.fixed + price.fee);
      expect(price.suggestedFixed).toBe(price.fixed);
    }
  });

  it("state the margin between cost and price", () => {
    for (const { offerId, cost, price } of fixedOffers) {
      const margin = new Decimal(price.fixed).div(cost.fixed).minus(1).times(100);
      expect(price.margin, offerId).toBe(margin.toDecimalPlaces(2).toNumber());
    }
  });

  it("have amounts in positive whole minor units", () => {
    for (const { offerId, cost, price, send } of fixedOffers) {
      for (const amount of [cost.fixed, price.fixed, send.fixed]) {
        expect(Number.isSafeInteger(amount) && amount > 0, offerId).toBe(true);
      }
    }
  });
});

describe("range offers", () => {
  it("have matching limits in price, send and cost", () => {
    for (const { offerId, cost, price, send } of rangeOffers) {
      const divisor = send.currencyDivisor;
      expect(send.fx).toBe(1);
      expect((price.max - price.min) % price.increment, offerId).toBe(0);
      for (const end of ["min", "max"] as const) {
        expect(delivered(price[end], price.fx, divisor), offerId).toBe(send[end]);
        expect(delivered(cost[end], cost.fx, divisor), offerId).toBe(send[end]);
        expect(cents(send[end], price.fx, divisor), offerId).toBe(price[end]);
        expect(cents(send[end], cost.fx, divisor), offerId).toBe(cost[end]);
      }
    }
  });

  it("have exchange rates of at most 12 significant digits", () => {
    for (const { cost, price } of rangeOffers) {
      expect(new Decimal(cost.fx).precision()).toBeLessThanOrEqual(12);
      expect(new Decimal(price.fx).precision()).toBeLessThanOrEqual(12);
      expect(price.suggestedFx).toBe(price.fx);
    }
  });

  const legal = (value: number, { min, max }: { min: number; max: number }) =>
    value >= min && value <= max;
  const anyOffer = fc.constantFrom(...rangeOffers);
  const valueIn = (block: "price" | "send" | "cost") =>
    anyOffer.chain((offer) => {
      const { min, max } = offer[block];
      return fc.tuple(fc.constant(offer), fc.integer({ min, max }));
    });

  it("have a cost and a delivery within the limits for every valid PRICE", () => {
    const steps = anyOffer.chain((offer) => {
      const { min, max, increment } = offer.price;
      const step = fc.integer({ min: 0, max: (max - min) / increment });
      return fc.tuple(
        fc.constant(offer),
        step.map((n) => min + n * increment),
      );
    });
    fc.assert(
      fc.property(steps, ([{ price, cost, send }, value]) => {
        const sent = delivered(value, price.fx, send.currencyDivisor);
        const paid = cents(sent, cost.fx, send.currencyDivisor);
        return legal(sent, send) && legal(paid, cost) && withFees(paid, cost) <= value + price.fee;
      }),
      { numRuns: 2_000 },
    );
  });

  it("have a cost and a price within the limits for every valid ZEND", () => {
    fc.assert(
      fc.property(valueIn("send"), ([{ price, cost, send }, value]) => {
        const asked = cents(value, price.fx, send.currencyDivisor);
        const paid = cents(value, cost.fx, send.currencyDivisor);
        return legal(asked, price) && legal(paid, cost) && paid <= asked;
      }),
      { numRuns: 2_000 },
    );
  });

  it("have a delivery and a price within the limits for every valid COST", () => {
    fc.assert(
      fc.property(valueIn("cost"), ([{ price, cost, send }, value]) => {
        const sent = delivered(value, cost.fx, send.currencyDivisor);
        const asked = cents(sent, price.fx, send.currencyDivisor);
        return legal(sent, send) && legal(asked, price);
      }),
      { numRuns: 2_000 },
    );
  });
});
