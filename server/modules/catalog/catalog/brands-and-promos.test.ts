import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

let till: TestGateway;
beforeAll(async () => {
  till = await startTestGateway();
});
afterAll(() => till.close());

describe("brands", () => {
  it("appear in order of code, and can be filtered by a country in which they have offers", async () => {
    const all = (await till.v1("GET", "/brands?_limit=1024&_offset=0")).body;
    expect(all.total).toBe(all.list.length);
    const codes = all.list.map(({ brand }: { brand: string }) => brand);
    expect(codes).toEqual(codes.toSorted((a: string, b: string) => (a < b ? -1 : 1)));
    expect(Object.keys(all.list[0])).toEqual(["brand", "brandName"]);
    const guatemala = (await till.v1("GET", "/brands?_limit=1024&_offset=0&country=GT")).body;
    expect(guatemala.list).toContainEqual({ brand: "TIGO", brandName: "Tigo" });
    expect(guatemala.list).not.toContainEqual({ brand: "ESKOM", brandName: "Eskom" });
  });

  it("have exactly the fields of the contract", async () => {
    const { body } = await till.v1("GET", "/brands/ESKOM");
    expect(Object.keys(body)).toEqual([
      "brand",
      "brandName",
      "brandBigImage",
      "brandColor",
      "brandGiftImage",
      "brandInfoPdf",
      "brandLogo",
      "brandLogoExtension",
      "description",
      "inputMasks",
      "redemptionInstructions",
      "requiredFieldsLabels",
    ]);
    expect(body.inputMasks).toContainEqual({
      requiredField: "meter.number",
      inputMask: "99999999999",
    });
    expect((await till.v1("GET", "/brands/NOBODY")).status).toBe(404);
  });

  it("have input masks, and the sandbox refuses values that do not fit a mask", async () => {
    const offerId = "ESKOM_ZA_ELECTRICITY_RANGE";
    const value = { type: "ZEND", value: 10_000 };
    for (const meter of ["7", "7".repeat(40), "seven"]) {
      const fields = [
        { key: "meter.number", value: meter },
        { key: "recipient.msisdn", value: "+27821234567" },
      ];
      const input = { offerId, transactionId: `mask-${meter}`, fields, value };
      const answer = await till.v1("POST", "/vouchers/purchases", input);
      expect(answer.body.status, meter).toBe("ACCEPTED");
      await till.settle();
      const path = `/vouchers/purchases/mask-${meter}`;
      expect((await till.v1("GET", path)).body.error?.code, meter).toBe("RECIPIENT_INVALID");
    }
  });

  it("have generated pictures that need no key", async () => {
    const { body } = await till.v1("GET", "/brands/ESKOM");
    for (const link of [body.brandLogo, body.brandBigImage, body.brandGiftImage]) {
      const picture = await fetch(link);
      expect(picture.status).toBe(200);
      expect(picture.headers.get("content-type")).toContain("image/svg+xml");
      expect(await picture.text()).toContain('fill="#00539F"');
    }
    expect((await till.call("GET", "/v1/brands/ESKOM/other.svg")).status).toBe(404);
    expect((await till.call("GET", "/v1/brands/NOBODY/logo.svg")).status).toBe(404);
  });

  it("have redemption instructions, in English if the requested language is missing", async () => {
    const path = "/brands/ADIDAS/redemptionInstructions";
    const english = await till.v1("GET", `${path}?country=US&deliveryType=EPIN`);
    const spanish = await till.v1("GET", `${path}?country=US&deliveryType=EPIN&language=es`);
    const klingon = await till.v1("GET", `${path}?country=US&deliveryType=EPIN&language=tl`);
    expect(english.body.language).toBe("en");
    expect(spanish.body.language).toBe("es");
    expect(spanish.body.redemptionInstructions).not.toBe(english.body.redemptionInstructions);
    expect(klingon.body).toEqual(english.body);
    expect((await till.v1("GET", `${path}?country=GT&deliveryType=EPIN`)).status).toBe(404);
    const missing = await till.v1("GET", `${path}?country=US`);
    expect(missing.body.fields).toEqual({ deliveryType: "is required" });
  });

  it("link to their redemption instructions if any exist", async () => {
    const { body } = await till.v1("GET", "/brands/ADIDAS");
    expect(body.redemptionInstructions.length).toBeGreaterThan(3);
    for (const { link, language } of body.redemptionInstructions) {
      const { pathname, search } = new URL(link);
      const answer = await till.v1("GET", pathname.replace("/v1", "") + search);
      expect(answer.body.language).toBe(language);
    }
  });
});

interface PromoItem {
  id: string;
  status: string;
  startAt: string;
  endAt: string;
  country: string;
  createdAt: string;
  description: { language: string };
}

async function promos(query = ""): Promise<PromoItem[]> {
  const { body } = await till.v1("GET", `/promos?_limit=1024&_offset=0${query}`);
  expect(body.total).toBe(body.list.length);
  return body.list;
}

describe("promotions", () => {
  it("change from pending to active at their start, and to expired at their end", async () => {
    for (let week = 0; week < 8; week++) {
      const now = till.clock.now();
      const seen = await promos();
      expect(seen.length).toBeGreaterThanOrEqual(40);
      for (const { id, status, startAt, endAt } of seen) {
        const began = Date.parse(startAt) <= now;
        const ended = Date.parse(endAt) <= now;
        const expected = { false: "pending", true: ended ? "expired" : "active" }[`${began}`];
        expect([id, status]).toEqual([id, expected]);
      }
      for (const status of ["pending", "active", "expired"]) {
        const found = await promos(`&status=${status}`);
        expect(found.map(({ id }) => id)).toEqual(
          seen.filter((promo) => promo.status === status).map(({ id }) => id),
        );
        expect(found.length).toBeGreaterThan(0);
      }
      till.clock.set(till.clock.now() + 7 * DAY);
    }
  });

  it("appear newest first, and in order of id if their times are equal", async () => {
    const ids = (await promos()).map(({ createdAt, id }) => [createdAt, id] as const);
    const sorted = ids.toSorted(
      ([a, x], [b, y]) => b.localeCompare(a) || (x < y ? -1 : Number(x > y)),
    );
    expect(ids).toEqual(sorted);
  });

  it("state the currency of the delivered amount, or of the cost for an eSIM", async () => {
    const { body } = await till.v1("GET", "/promos?_limit=1024&_offset=0");
    const units = new Set<string>();
    for (const { brand, country, currency, currencyDivisor } of body.list) {
      const offers = [];
      for (const family of ["topups", "vouchers", "esim"]) {
        const place = country === "" ? "" : `&country=${country}`;
        const path = `/${family}/offers?_limit=1&_offset=0&brand=${brand.brand}${place}`;
        offers.push(...(await till.v1("GET", path)).body.list);
      }
      const [{ send, cost }] = offers;
      const unit = send ?? cost;
      expect({ currency, currencyDivisor }).toEqual({
        currency: unit.currency,
        currencyDivisor: unit.currencyDivisor,
      });
      units.add(`${currency}/${currencyDivisor}`);
    }
    expect([...units]).toEqual(expect.arrayContaining(["GTQ/100", "USD/100"]));
    expect([...units].some((unit) => unit.endsWith("/1"))).toBe(true);
    const one = body.list[0];
    expect((await till.v1("GET", `/promos/${one.id}`)).body).toEqual(one);
  });

  it("can be filtered by several countries, by brand, and by a case-sensitive region", async () => {
    const all = await promos();
    const two = await promos("&country=SV,GT");
    expect(two).toEqual(all.filter(({ country }) => country === "SV" || country === "GT"));
    expect(await promos("&brand=CLARO&country=PK")).toEqual([]);
    expect((await promos("&region=Central%20America")).length).toBeGreaterThan(0);
    const lower = await till.v1("GET", "/promos?_limit=1&_offset=0&region=central%20america");
    expect(lower.body.errorCode).toBe("INVALID_REQUEST");
    const bad = await till.v1("GET", "/promos?_limit=1&_offset=0&country=SV,gt");
    expect(Object.keys(bad.body.fields)).toEqual(["country"]);
  });

  it("use the requested language, or English if that language is missing", async () => {
    const spanish = await promos("&language=es&country=SV");
    expect(spanish.some(({ description }) => description.language === "es")).toBe(true);
    const finnish = await promos("&language=fi");
    expect(new Set(finnish.map(({ description }) => description.language))).toEqual(
      new Set(["en"]),
    );
  });

  it("can be read by id", async () => {
    const [first] = await promos();
    expect((await till.v1("GET", `/promos/${first?.id}`)).body).toEqual(first);
    expect((await till.v1("GET", "/promos/nothing")).status).toBe(404);
  });
});
