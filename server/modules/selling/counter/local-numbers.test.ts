import fc from "fast-check";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { countedSimulator } from "../../../testing/counted-simulator.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  // Like some carriers, this provider delivers to landlines. The sandbox would refuse them.
  till = await startTestGateway({ providers: { test: countedSimulator(() => till).provider } });
  owner = await openTill(till, { currency: "USD" });
});
beforeEach(() => moveTo("America/New_York"));
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

/** In a shop whose currency is the dollar, the time zone determines the country. */
function moveTo(timeZone: string) {
  return till.gateway.context.settings.change({ accountId: "default" }, { timeZone });
}

async function phone(typed: string) {
  const answer = await owner.pos("GET", `/phone?number=${encodeURIComponent(typed)}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

/** Without "+1", the number in Alabama starts with Singapore's country code. */
const ALABAMA = "+16592345678";
const SINGAPORE = "+6592345678";
const EITHER = "6592345678";

describe("a number without its country code", () => {
  it("becomes a number of the shop's country if only that country is possible", async () => {
    expect(await phone("212 555 0123")).toMatchObject({
      number: "+12125550123",
      formatted: "+1 212 555 0123",
      valid: true,
      country: "US",
    });
    expect(await phone("212 555 0123")).not.toHaveProperty("choices");
  });

  it("becomes a number of another country if only that country is possible", async () => {
    const known = await phone("50251234567");
    expect(known).toMatchObject({ number: "+50251234567", valid: true, country: "GT" });
    expect(known).not.toHaveProperty("choices");
  });

  it("stays undecided between two countries until the clerk chooses", async () => {
    const asked = await phone(EITHER);
    expect(asked).toMatchObject({
      valid: false,
      country: "",
      brands: [],
      earlier: [],
      choices: [
        { number: ALABAMA, valid: true, country: "US" },
        { number: SINGAPORE, valid: true, country: "SG" },
      ],
    });
    expect(asked.choices[1].brands.length).toBeGreaterThan(0);
    expect(asked).not.toHaveProperty("detected");
  });

  it("appears as a choice even if it starts with the digits of its country code", async () => {
    await moveTo("America/El_Salvador");
    const number = "+50350371234";
    const typed = await phone("50371234");
    expect(typed).toMatchObject({ number: "+50371234", valid: false, country: "SV" });
    expect(typed.choices).toMatchObject([{ number, valid: true, country: "SV" }]);
    await owner.pos("PUT", `/favourites/${encodeURIComponent(number)}`, { name: "Rosa" });
    expect(await phone("50371234")).toMatchObject({ number, valid: true, favourite: "Rosa" });
  });

  it("gets the country code of the shop's country, which the status states", async () => {
    expect((await owner.pos("GET", "/status")).body.country).toBe("US");
    await moveTo("America/El_Salvador");
    expect((await owner.pos("GET", "/status")).body.country).toBe("SV");
  });
});

describe("one of two possible numbers", () => {
  it("becomes the chosen number if it has a name; the other number can still be picked", async () => {
    await owner.pos("PUT", `/favourites/${encodeURIComponent(ALABAMA)}`, { name: "Ann" });
    const known = await phone(EITHER);
    expect(known).toMatchObject({ number: ALABAMA, valid: true, country: "US", favourite: "Ann" });
    expect(known.choices).toHaveLength(2);
    await owner.pos("DELETE", `/favourites/${encodeURIComponent(ALABAMA)}`);
    expect((await phone(EITHER)).valid).toBe(false);
  });

  it("becomes the chosen number if only this number has an earlier sale or a name", async () => {
    await owner.sell([{ offerId: "SINGTEL_SG_TOPUP_10", recipientPhoneNumber: SINGAPORE }]);
    expect(await phone(EITHER)).toMatchObject({ number: SINGAPORE, valid: true, country: "SG" });
    await owner.pos("PUT", `/favourites/${encodeURIComponent(ALABAMA)}`, { name: "Ann" });
    expect(await phone(EITHER)).toMatchObject({ valid: false, brands: [] });
  });

  it("needs no choice if typed with a plus", async () => {
    for (const number of [ALABAMA, SINGAPORE]) {
      const known = await phone(number);
      expect(known).toMatchObject({ number, valid: true });
      expect(known).not.toHaveProperty("choices");
    }
  });

  it("cannot receive a sale without its country code", async () => {
    const line = { offerId: "SINGTEL_SG_TOPUP_10", recipientPhoneNumber: EITHER };
    const { status, body } = await owner.sell([line]);
    expect([status, Object.keys(body.fields)]).toEqual([400, ["lines.0.recipientPhoneNumber"]]);
  });
});

describe("a number that takes no top-up", () => {
  beforeEach(() => moveTo("America/Guatemala"));

  it.each(["2222 3333", "+502 2222 3333", "+44 20 7946 0958"])(
    "has no offers if it is the landline %s",
    async (typed) => {
      const known = await phone(typed);
      expect(known).toMatchObject({ valid: true, mobile: false, brands: [], earlier: [] });
      expect(known).not.toHaveProperty("detected");
    },
  );

  it("appears in suggestions only after a delivered top-up", async () => {
    const line = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50222223333" };
    await owner.sell([{ ...line, recipientPhoneNumber: "+50222229001" }]);
    await owner.sell([line]);
    await till.advance(5_000);
    expect((await phone("22229001")).earlier).toEqual([]);
    expect((await phone("22223333")).earlier).toMatchObject([{ outcome: "DELIVERED" }]);
    const { list } = (await owner.pos("GET", "/recents")).body;
    const numbers = list.map((one: { recipientPhoneNumber: string }) => one.recipientPhoneNumber);
    expect(numbers).toContain("+50222223333");
    expect(numbers).not.toContain("+50222229001");
  });

  it.each([
    ["a fixed line in Finland", "35821322", "+50235821322"],
    ["a pager in Germany", "49016401", "+50249016401"],
    ["at home, where only abroad it can be mobile", "67251018", "+672351018"],
    ["two fixed lines", "63201080", "+50263201080"],
  ])("needs no choice: %s", async (_what, typed, number) => {
    const known = await phone(typed);
    expect(known).toMatchObject({ number, valid: true });
    expect(known).not.toHaveProperty("choices");
  });

  it("never appears as a choice", async () => {
    const digits = fc.integer({ min: 20_000_000, max: 79_999_999 }).map(String);
    const canBeMobile = new Set(["MOBILE", "FIXED_LINE_OR_MOBILE", undefined]);
    await fc.assert(
      fc.asyncProperty(digits, async (typed) => {
        for (const { number, mobile } of (await phone(typed)).choices ?? []) {
          expect(mobile).toBe(true);
          expect(canBeMobile).toContain(parsePhoneNumberFromString(number)?.getType());
        }
      }),
      { numRuns: 60 },
    );
  });
});
