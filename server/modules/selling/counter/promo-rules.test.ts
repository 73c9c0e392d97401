import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PosEsimOffer } from "../../../contract/pos/offers.ts";
import type { PosPromo } from "../../../contract/pos/promos.ts";
import { Exact } from "../../../lib/money.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { promisedFor, type RunningPromo } from "./promo-counter-service.ts";

const amount = fc.integer({ min: 1, max: 1_000_000 });
const limits = fc.tuple(fc.nat(500_000), fc.nat(1_000_000));
const rate = fc
  .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 5 }))
  .map(([digits, point]) => new Exact(digits).div(new Exact(10).pow(point)).toFixed());

function running(minValue: number, maxValue: number, more: Partial<RunningPromo> = {}) {
  const promo = { brand: "B", country: "", minValue, maxValue } as PosPromo;
  return { promo, currency: "USD", currencyDivisor: 100, region: "", texts: [], ...more };
}

function isWithin(value: number, [min, max]: readonly [number, number]): boolean {
  return value >= min && (max === 0 || value <= max);
}

const GTQ = { currency: "GTQ", currencyDivisor: 100 };
const plan = { brand: "B", country: "JP", productType: "ESIM" as const };

describe("a promotion", () => {
  it("compares its limits with the catalog price of an eSIM, for any currency and rate of the shop", () => {
    const divisor = fc.constantFrom(1, 10, 100, 1000);
    fc.assert(
      fc.property(amount, limits, rate, divisor, (price, [min, max], fx, currencyDivisor) => {
        const paid = new Exact(price).div(100).mul(fx).mul(currencyDivisor).ceil().toNumber();
        fc.pre(Number.isSafeInteger(paid));
        const terms = { currency: "GTQ", currencyDivisor, rate: fx };
        const offer = { ...plan, price: { fixed: paid } };
        const promised = promisedFor(running(min, max), offer, { terms });
        const holds = isWithin(price, [min, max]);
        expect(promised).not.toBe(holds ? "NO" : "YES");
      }),
    );
  });

  it("counts as promised for a money product only if every possible amount is within its limits", () => {
    fc.assert(
      fc.property(amount, amount, limits, (one, other, [min, max]) => {
        const from = Math.min(one, other);
        const to = Math.max(one, other);
        const promo = { ...running(min, max), currency: "GTQ" };
        promo.promo.currency = "GTQ";
        const topup = { ...plan, productType: "TOPUP" as const, price: {} };
        const terms = { ...GTQ, rate: "7.75" };
        const range = { ...topup, send: { currency: "GTQ", min: from, max: to } };
        const ends = [from, to].map((value) => isWithin(value, [min, max]));
        const promised = promisedFor(promo, range, { terms });
        if (promised === "YES") expect(ends).toEqual([true, true]);
        if (promised === "NO") expect(ends).toEqual([false, false]);
        const sold = promisedFor(promo, range, { terms, send: from });
        expect(sold).toBe(ends[0] ? "YES" : "NO");
        const abroad = { ...range, send: { ...range.send, currency: "USD" } };
        const isLimited = min > 0 || max > 0;
        expect(promisedFor(promo, abroad, { terms })).toBe(isLimited ? "MAY" : "YES");
      }),
    );
  });

  it("does not apply to plans of another region", () => {
    const terms = { currency: "USD", currencyDivisor: 100, rate: "1" };
    const offer = { ...plan, country: "", price: { fixed: 500 }, regions: ["Asia"] };
    const of = (region: string) => promisedFor(running(0, 0, { region }), offer, { terms });
    expect([of("Asia"), of("Europe"), of("Global")]).toEqual(["YES", "NO", "YES"]);
  });

  it.each([
    ["Unlimited plans are excluded.", "NO"],
    ["Valid for every plan except unlimited ones.", "NO"],
    ["Not valid for unlimited plans.", "NO"],
    ["The extra data is added when the plan starts.", "YES"],
    ["Unlimited plans get two days more.", "MAY"],
  ])("with the terms %j applies to unlimited plans: %s", (terms, promised) => {
    const texts = [{ language: "en", description: "10 % more", terms }];
    const unlimited = { ...plan, dataUnlimited: true, price: { fixed: 500 } };
    const terms_ = { currency: "USD", currencyDivisor: 100, rate: "1" };
    expect(promisedFor(running(0, 0, { texts }), unlimited, { terms: terms_ })).toBe(promised);
    const limited = { ...unlimited, dataUnlimited: false };
    expect(promisedFor(running(0, 0, { texts }), limited, { terms: terms_ })).toBe("YES");
  });

  it("may apply to unlimited plans if it has no English terms", () => {
    const texts = [{ language: "de", description: "Mehr Daten", terms: "Ohne Flatrates." }];
    const unlimited = { ...plan, dataUnlimited: true, price: { fixed: 500 } };
    const terms = { currency: "USD", currencyDivisor: 100, rate: "1" };
    expect(promisedFor(running(0, 0, { texts }), unlimited, { terms })).toBe("MAY");
  });
});

describe("the counter", () => {
  let till: TestGateway;
  let owner: TestTill;
  beforeAll(async () => {
    till = await startTestGateway();
    owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  });
  afterAll(() => till.close());

  it("promises no promotion for a plan that is too cheap, too expensive or unlimited", async () => {
    const scope = { accountId: "default", environment: "test" } as const;
    const { promos } = await till.gateway.context.catalog.getSnapshot(scope);
    const now = till.clock.now();
    const promo = promos.find(({ brand, country, description, startAt, endAt }) => {
      const isOfTravel = brand.brand === "TRAVEL_ESIM" && country === "";
      const isRunning = Date.parse(startAt) <= now && now < Date.parse(endAt);
      return isOfTravel && isRunning && description.terms.includes("Unlimited plans are excluded");
    })!;
    const query = "productType=ESIM&brand=TRAVEL_ESIM&language=en";
    const { body } = await owner.pos("GET", `/offers?${query}`);
    const shown = body.promos.find((one: PosPromo) => one.promoId === promo.id);
    const plans: PosEsimOffer[] = body.list;
    const holds = (plan: PosEsimOffer) => {
      const inCatalog = till.v1("GET", `/esim/offers/${plan.offerId}`);
      return inCatalog.then(({ body: offer }) => {
        const price = new Exact(offer.price.fixed).div("7.75").floor().toNumber();
        return !plan.dataUnlimited && isWithin(price, [promo.minValue, promo.maxValue]);
      });
    };
    expect(plans.some(({ dataUnlimited }) => dataUnlimited)).toBe(true);
    for (const plan of plans) {
      expect([plan.offerId, shown.offerIds.includes(plan.offerId)]).toEqual([
        plan.offerId,
        await holds(plan),
      ]);
    }
    const ends = [plans.at(0)!, plans.at(-1)!, plans.find(({ dataUnlimited }) => dataUnlimited)!];
    for (const plan of ends) {
      const line = { productType: "ESIM", offerId: plan.offerId };
      const checked = await owner.pos("POST", "/sales/check", { lines: [line] });
      const names = checked.body.lines[0].promos.map((one: PosPromo) => one.promoId);
      expect(names.includes(promo.id)).toBe(await holds(plan));
    }
  });
});
