import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TOPUP_SUBTYPES } from "../../../contract/common.ts";
import type { PosTopupOffer as PosOffer } from "../../../contract/pos/offers.ts";
import type { TopupOffer } from "../../../contract/v1/offers.ts";
import { MINUTE, SECOND, toTimestamp } from "../../../lib/clock.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { readSandboxOffers } from "../../../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
let offers: TopupOffer[];
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  offers = await readSandboxOffers(till);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function phone(number: string) {
  const answer = await owner.pos("GET", `/phone?number=${encodeURIComponent(number)}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

function brandsSoldIn(country: string): string[] {
  const sold = offers.filter((offer) => offer.enabled && offer.country === country);
  return [...new Set(sold.map(({ brand }) => brand))].sort();
}

describe("a typed number", () => {
  it.each([
    ["+50251234567", "GT", "TIGO", "Tigo"],
    ["+50230000000", "GT", "CLARO", "Claro"],
    ["+15005550123", "US", "VERIZON", "Verizon Prepaid"],
    ["+16005550123", "US", "TMOBILE", "T-Mobile"],
  ])(
    "has a fixed carrier in the test environment: %s in %s, brand %s",
    async (number, country, brand, brandName) => {
      expect(await phone(number)).toMatchObject({
        number,
        valid: true,
        country,
        detected: { brand, brandName },
        earlier: [],
      });
    },
  );

  it("lists the brands that sell in its country, by name", async () => {
    const { brands } = await phone("+50251234567");
    const codes = (brands as { brand: string }[]).map(({ brand }) => brand);
    expect(codes.toSorted()).toEqual(brandsSoldIn("GT"));
    const names = (brands as { brandName: string }[]).map(({ brandName }) => brandName);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
    for (const { brandColor } of brands) expect(brandColor).toMatch(/^#[0-9a-f]{6}$/i);
  });

  it.each([
    ["+502 5123 4567", "+50251234567"],
    ["502-5123-4567", "+50251234567"],
    [" (502) 5123.4567 ", "+50251234567"],
  ])("may be written as %j, which means %s", async (typed, number) => {
    expect(await phone(typed)).toMatchObject({ number, valid: true });
  });

  it("has its digits grouped while it is typed, and shows its country before it is complete", async () => {
    expect(await phone("+5")).toMatchObject({ number: "+5", valid: false, country: "" });
    expect(await phone("+502")).toMatchObject({ valid: false, country: "GT" });
    const partial = await phone("+5025123");
    expect(partial).toMatchObject({ formatted: "+502 5123", valid: false, country: "GT" });
    expect(partial.brands.length).toBeGreaterThan(0);
    expect((await phone("+50251234567")).formatted).toBe("+502 5123 4567");
  });

  it("counts as invalid if it is too long, outside all ranges, or without a digit", async () => {
    for (const typed of ["+502512345678", "+50291234567", "+99912345678", "x", "+", "0"]) {
      expect([typed, (await phone(typed)).valid]).toEqual([typed, false]);
    }
  });

  it("counts as valid without a network name in a country without carrier data", async () => {
    for (const [number, country] of [
      ["+12125550123", "US"],
      ["+525512345678", "MX"],
    ] as const) {
      const known = await phone(number);
      expect(known).toMatchObject({ number, valid: true, country });
      expect(known.detected).toBeUndefined();
      expect(known.brands.length).toBeGreaterThan(0);
    }
  });

  it.each([
    ["+447440123456", "GB", "LYCAMOBILE", "Lycamobile"],
    ["+32465123456", "BE", "LYCAMOBILE", "Lycamobile"],
    ["+84871234567", "VN", "", "Itel"],
  ])(
    "has the brand that tops it up if it belongs to a virtual operator: %s",
    async (number, country, ...of) => {
      const [brand, brandName] = of;
      const known = await phone(number);
      expect(known).toMatchObject({ number, valid: true, country, detected: { brand, brandName } });
    },
  );

  it("has no network name if its network has closed, and the till asks for the brand", async () => {
    const known = await phone("+50760123456");
    expect(known).toMatchObject({ valid: true, country: "PA" });
    expect(known.detected).toBeUndefined();
    expect(known.brands.length).toBeGreaterThan(0);
  });

  it("has a network name without a brand if the shop does not sell the network", async () => {
    const known = await phone("+4915112345678");
    expect(known).toMatchObject({ valid: true, country: "DE" });
    if (known.detected?.brand) {
      const codes = (known.brands as { brand: string }[]).map(({ brand }) => brand);
      expect(codes).toContain(known.detected.brand);
    }
  });

  it.each(["", "x".repeat(33)])("cannot consist of %j", async (typed) => {
    const answer = await owner.pos("GET", `/phone?number=${typed}`);
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ["number"]]);
  });
});

describe("the offers of a brand in a country", () => {
  it("include only enabled offers of the brand, at the customer's price", async () => {
    const { body } = await owner.pos("GET", "/offers?country=GT&brand=TIGO");
    const expected = offers.filter(
      (offer) => offer.enabled && offer.country === "GT" && offer.brand === "TIGO",
    );
    const list = body.list as PosOffer[];
    expect(list.map(({ offerId }) => offerId).sort()).toEqual(
      expected.map(({ offerId }) => offerId).sort(),
    );
    for (const offer of list) {
      const priced = expected.find(({ offerId }) => offerId === offer.offerId)!;
      expect(offer.price.currency).toBe("GTQ");
      expect(offer.price.fixed).toBe(priced.price.fixed);
      expect(offer.price.min).toBe(priced.price.min);
      expect(offer).not.toHaveProperty("cost");
    }
  });

  it("appear by subtype, then by price, with free amounts last", async () => {
    for (const { country, brand } of [0, 0.3, 0.9].map(
      (part) => offers[Math.floor(part * offers.length)]!,
    )) {
      const { body } = await owner.pos("GET", `/offers?country=${country}&brand=${brand}`);
      const keys = (body.list as PosOffer[]).map(({ subType, price }) => [
        TOPUP_SUBTYPES.indexOf(subType),
        price.fixed ?? Infinity,
      ]);
      const sorted = keys.toSorted(
        (a, b) => a[0]! - b[0]! || (a[1]! === b[1]! ? 0 : a[1]! - b[1]!),
      );
      expect(keys).toEqual(sorted);
    }
  });

  it("do not include a disabled offer", async () => {
    for (const disabled of offers.filter(({ enabled }) => !enabled)) {
      const { country, brand, offerId } = disabled;
      const { body } = await owner.pos("GET", `/offers?country=${country}&brand=${brand}`);
      expect((body.list as PosOffer[]).map((offer) => offer.offerId)).not.toContain(offerId);
    }
  });

  it("form an empty list for an unknown brand", async () => {
    expect((await owner.pos("GET", "/offers?country=GT&brand=NOBODY")).body).toEqual({
      list: [],
      promos: [],
    });
  });
});

describe("a quote", () => {
  it("states the price and the delivered amount of a FIXED offer", async () => {
    const answer = await owner.pos("POST", "/quotes", { offerId: "TIGO_GT_TOPUP_25" });
    expect(answer.body).toEqual({
      offerId: "TIGO_GT_TOPUP_25",
      price: 2_635,
      priceFee: 0,
      priceCurrency: "GTQ",
      priceCurrencyDivisor: 100,
      send: 2_500,
      sendCurrency: "GTQ",
      sendCurrencyDivisor: 100,
    });
  });

  it("states the exact price of a free amount", async () => {
    const value = { type: "ZEND", value: 2_150 };
    const { body } = await owner.pos("POST", "/quotes", { offerId: "DU_AE_TOPUP_RANGE", value });
    // 21.50 AED at 3.53 AED/USD and 7.75 GTQ/USD: 47.202…
    expect(body).toMatchObject({ value, price: 4_721, send: 2_150, sendCurrency: "AED" });
  });

  it("includes the fee in the price", async () => {
    const offer = offers.find(({ price, enabled }) => price.fee > 0 && price.fixed && enabled)!;
    const { body } = await owner.pos("POST", "/quotes", { offerId: offer.offerId });
    expect(body.priceFee).toBe(offer.price.fee);
    expect(body.price).toBe(offer.price.fixed! + offer.price.fee);
  });

  it.each([
    [{ offerId: "NO_SUCH_OFFER" }, "OFFER_NOT_FOUND"],
    [{ offerId: "MOVISTAR_SV_TOPUP_20" }, "OFFER_DISABLED"],
    [{ offerId: "DU_AE_TOPUP_RANGE" }, "VALUE_REQUIRED"],
    [{ offerId: "DU_AE_TOPUP_RANGE", value: { type: "ZEND", value: 1 } }, "VALUE_OUT_OF_RANGE"],
    [{ offerId: "TIGO_GT_TOPUP_25", value: { type: "PRICE", value: 2_635 } }, "VALUE_NOT_ALLOWED"],
  ])("fails for %j with %s", async (body, errorCode) => {
    const answer = await owner.pos("POST", "/quotes", body);
    expect([answer.status, answer.body.errorCode]).toEqual([400, errorCode]);
  });

  it("changes nothing in the database, like every read of the counter", async () => {
    const before = await digestDatabase(till.gateway.context.db);
    await owner.pos("POST", "/quotes", { offerId: "TIGO_GT_TOPUP_25" });
    await owner.pos("GET", "/offers?country=GT&brand=TIGO");
    await phone("+50251234567");
    await owner.pos("GET", "/recents");
    await owner.pos("GET", "/wallet");
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });
});

describe("earlier sales", () => {
  const LINE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251110001" };

  it("appear under their number at today's price, newest first, five at most", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) {
      const sold = await owner.sell([LINE]);
      expect(sold.status).toBe(200);
      ids.unshift(sold.body.saleId);
      await till.advance(MINUTE);
    }
    const { earlier } = await phone("+50251110001");
    expect((earlier as { saleId: string }[]).map(({ saleId }) => saleId)).toEqual(ids.slice(0, 5));
    expect(earlier[0]).toEqual({
      saleId: ids[0],
      saleNumber: 6,
      outcome: "DELIVERED",
      soldAt: toTimestamp(till.clock.now() - MINUTE),
      recipientPhoneNumber: "+50251110001",
      recipientFormatted: "+502 5111 0001",
      country: "GT",
      offerId: LINE.offerId,
      brand: "TIGO",
      brandName: "Tigo",
      brandColor: expect.stringMatching(/^#/),
      title: expect.any(String),
      price: 2_635,
      priceCurrency: "GTQ",
      priceCurrencyDivisor: 100,
    });
    expect((await phone("+50251110002")).earlier).toEqual([]);
  });

  it("include the value of a sale with a free amount", async () => {
    const value = { type: "ZEND" as const, value: 2_150 };
    const recipientPhoneNumber = "+971501234567";
    await owner.sell([{ offerId: "DU_AE_TOPUP_RANGE", recipientPhoneNumber, value }]);
    const { earlier } = await phone(recipientPhoneNumber);
    expect(earlier[0]).toMatchObject({ value, price: 4_721 });
  });

  it("appear in the list of recent numbers once per number, newest first, eight at most", async () => {
    for (let n = 1; n <= 9; n++) {
      await till.advance(SECOND);
      await owner.sell([{ ...LINE, recipientPhoneNumber: `+5025222000${n}` }]);
    }
    await till.advance(SECOND);
    await owner.sell([{ ...LINE, recipientPhoneNumber: "+50252220003" }]);
    const { body } = await owner.pos("GET", "/recents");
    const numbers = (body.list as { recipientPhoneNumber: string }[]).map(
      ({ recipientPhoneNumber }) => recipientPhoneNumber.slice(-1),
    );
    expect(numbers).toEqual(["3", "9", "8", "7", "6", "5", "4", "2"]);
  });

  it("do not include offers that are no longer sold", async () => {
    const { transactor } = till.gateway.context;
    const recipientPhoneNumber = "+50253330001";
    await owner.sell([{ offerId: "TIGO_GT_TOPUP_50", recipientPhoneNumber }]);
    expect((await phone(recipientPhoneNumber)).earlier).toHaveLength(1);
    await transactor.transact("default", async (tx) => {
      await tx.deleteFrom("offers").where("offer_id", "=", "TIGO_GT_TOPUP_50").execute();
      await tx.updateTable("catalogs").set({ version: 2 }).execute();
    });
    expect((await phone(recipientPhoneNumber)).earlier).toEqual([]);
    await till.advance(SECOND);
  });
});
