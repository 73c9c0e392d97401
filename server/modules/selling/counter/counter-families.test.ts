import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PosBrandTile } from "../../../contract/pos/brands.ts";
import type {
  PosBillOffer,
  PosEsimOffer,
  PosOffer,
  PosVoucherOffer,
} from "../../../contract/pos/offers.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { readSandboxCatalog } from "../../catalog/catalog/index.ts";

let till: TestGateway;
let owner: TestTill;
let catalog: Awaited<ReturnType<typeof readSandboxCatalog>>;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75", language: "es" });
  catalog = await readSandboxCatalog(till.gateway.context.config.resourcesDir);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function get(path: string) {
  const { status, body } = await owner.pos("GET", path);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

const ids = (list: { offerId: string }[]) => list.map(({ offerId }) => offerId).sort();

describe("the brand picker", () => {
  it("lists every brand of a family by name, with the number of its offers", async () => {
    const { list } = (await get("/brands?productType=VOUCHER")) as { list: PosBrandTile[] };
    const sold = catalog.vouchers.filter(({ enabled }) => enabled);
    expect(new Set(list.map(({ brand }) => brand))).toEqual(
      new Set(sold.map(({ brand }) => brand)),
    );
    expect(list.map(({ brandName }) => brandName)).toEqual(
      list.map(({ brandName }) => brandName).toSorted((a, b) => a.localeCompare(b)),
    );
    const amazon = sold.filter(({ brand }) => brand === "AMAZON");
    expect(list.find(({ brand }) => brand === "AMAZON")).toEqual({
      brand: "AMAZON",
      brandName: "Amazon",
      brandColor: expect.stringMatching(/^#/),
      countries: [...new Set(amazon.map(({ country }) => country))].sort(),
      subTypes: expect.arrayContaining(["Gift Card", "Online Shopping"]),
      offers: amazon.length,
    });
  });

  it("lists only the brands of a country", async () => {
    const { list } = await get("/brands?productType=BILL_PAY&country=AR");
    const there = catalog.billpay.filter(({ country, enabled }) => enabled && country === "AR");
    expect(new Set(list.map(({ brand }: PosBrandTile) => brand))).toEqual(
      new Set(there.map(({ brand }) => brand)),
    );
  });

  it("marks a paused brand", async () => {
    await till.gateway.context.transactor.transact("default", (tx) =>
      tx
        .insertInto("brand_states")
        .values({
          account_id: "default",
          environment: "test",
          brand: "AMAZON",
          failures: 0,
          paused_since: till.clock.now(),
          pause_reason: "manual",
          next_probe_at: null,
        })
        .execute(),
    );
    const { list } = await get("/brands?productType=VOUCHER&country=US");
    const paused = (list as PosBrandTile[]).filter(({ pausedSince }) => pausedSince);
    expect(paused).toMatchObject([{ brand: "AMAZON", pausedByHand: true }]);
    await till.gateway.context.transactor.transact("default", (tx) =>
      tx.deleteFrom("brand_states").execute(),
    );
  });
});

describe("offers at the counter", () => {
  it("state how a voucher is delivered, and its required fields", async () => {
    const { list } = await get("/offers?productType=VOUCHER&brand=MAKEMYTRIP&country=AE");
    const [offer] = list as PosVoucherOffer[];
    expect(offer).toMatchObject({ productType: "VOUCHER", deliveryType: "EMAIL" });
    expect(offer?.requiredFields.map(({ key, kind }) => [key, kind])).toEqual([
      ["recipient.firstName", "TEXT"],
      ["recipient.email", "EMAIL"],
      ["recipient.msisdn", "PHONE"],
    ]);
    const [token] = (await get("/offers?productType=VOUCHER&brand=AEDC")).list as PosVoucherOffer[];
    expect(token?.requiredFields[0]).toEqual({
      key: "meter.number",
      label: "Meter number",
      kind: "DIGITS",
      inputMask: expect.stringMatching(/^9+$/),
    });
  });

  it("state whether a bill can be retrieved, and which payments are allowed", async () => {
    const { list } = await get("/offers?productType=BILL_PAY&brand=AYSA");
    const [offer] = list as PosBillOffer[];
    expect(offer).toMatchObject({
      productType: "BILL_PAY",
      supportsBillRetrieval: true,
      supportsOverpayment: false,
      retrievalFields: [
        { key: "accountNumber", label: "Account number" },
        { key: "billIdentifier", label: "Bill number" },
      ],
    });
  });

  it("hide the shop's cost in every family", async () => {
    for (const query of [
      "TOPUP&country=GT",
      "VOUCHER&country=US",
      "ESIM&country=ES",
      "BILL_PAY&country=AR",
    ]) {
      const { list } = await get(`/offers?productType=${query}`);
      expect(list.length).toBeGreaterThan(0);
      for (const offer of list) {
        expect(offer).not.toHaveProperty("cost");
        expect(offer.price).not.toHaveProperty("margin");
        expect(offer.price.currency).toBe("GTQ");
      }
    }
  });

  it("cannot be requested without a brand, country or region", async () => {
    const answer = await owner.pos("GET", "/offers?productType=VOUCHER");
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ["country"]]);
  });
});

describe("eSIM destinations", () => {
  it("count every plan that covers them, and show the lowest price", async () => {
    const { countries, regions, global } = await get("/esim-destinations");
    const sold = catalog.esim.filter(({ enabled }) => enabled);
    const inSpain = sold.filter(
      ({ country, roaming }) => country === "ES" || roaming.some((one) => one.country === "ES"),
    );
    const spain = countries.find(({ country }: { country: string }) => country === "ES");
    const { list } = (await get("/offers?productType=ESIM&country=ES")) as { list: PosEsimOffer[] };
    expect(ids(list)).toEqual(ids(inSpain));
    const prices = list.map(({ price }) => price.fixed! + price.fee);
    expect(spain).toEqual({
      country: "ES",
      offers: inSpain.length,
      fromPrice: Math.min(...prices),
    });
    // Plans that cover only this country come first.
    const own = list.map(({ country }) => country === "ES");
    expect(own.lastIndexOf(true)).toBeLessThan(own.indexOf(false));
    for (const { region, offers, countries: inRegion } of regions) {
      const query = `/offers?productType=ESIM&region=${encodeURIComponent(region)}`;
      const of = sold.filter(
        (plan) => plan.country === "" && (plan.regions as string[]).includes(region),
      );
      expect([region, ids((await get(query)).list)]).toEqual([region, ids(of)]);
      expect(offers).toBe(of.length);
      const reached = new Set(of.flatMap(({ roaming }) => roaming.map(({ country }) => country)));
      expect(inRegion).toEqual([...reached].sort());
    }
    expect(global.offers).toBe(sold.filter(({ regions: r }) => r.includes("Global")).length);
  });

  it("can be filtered by brand", async () => {
    const { list } = await get("/offers?productType=ESIM&country=ES&brand=AIRALO");
    expect(new Set(list.map(({ brand }: PosOffer) => brand))).toEqual(new Set(["AIRALO"]));
  });
});

describe("a bill", () => {
  it("shows the due amount, and can be paid with the value that the lookup returned", async () => {
    const fields = [{ key: "accountNumber", value: "30001234567" }];
    const offerId = "PERSONAL_AR_BILL_POSTPAID";
    const bill = (await owner.pos("POST", "/bills", { offerId, fields })).body;
    expect(bill).toMatchObject({ offerId, value: { type: "ZEND", value: bill.send } });
    expect(bill).not.toHaveProperty("cost");
    const line = { productType: "BILL_PAY" as const, offerId, fields, value: bill.value };
    expect((await owner.sell([line])).body.total).toBe(bill.price);
    // This biller refuses less than the due amount.
    const less = { ...line, value: { type: "ZEND" as const, value: bill.send - 100 } };
    expect((await owner.sell([{ ...less, price: 1 }])).body).toMatchObject({
      errorCode: "VALUE_OUT_OF_RANGE",
      fields: { "lines.0.value.value": expect.stringContaining("must not be less") },
    });
    await till.advance(2_000);
  });

  it.each([
    [
      { offerId: "PERSONAL_AR_BILL_POSTPAID", fields: [] },
      "REQUIRED_FIELD_MISSING",
      "accountNumber",
    ],
    [{ offerId: "AMAZON_US_GIFT_25", fields: [] }, "OFFER_NOT_FOUND", "offerId"],
  ])("cannot be retrieved with %j: %s", async (input, errorCode, field) => {
    const { status, body } = await owner.pos("POST", "/bills", input);
    expect([status, body.errorCode, Object.keys(body.fields)]).toEqual([400, errorCode, [field]]);
  });
});

describe("promotions at the counter", () => {
  it("appear while they run, in the shop's language, for brands that the shop sells", async () => {
    const { promos } = await get("/offers?productType=TOPUP&country=GT");
    const now = new Date(till.clock.now()).toISOString();
    const running = catalog.promos.filter(
      ({ country, startAt, endAt }) => country === "GT" && startAt <= now && now < endAt,
    );
    expect(promos.map(({ promoId }: { promoId: string }) => promoId)).toEqual(
      running.map(({ id }) => id),
    );
    expect(promos[0]).toMatchObject({ language: "es", currency: "GTQ", currencyDivisor: 100 });
    const tigo = await get("/offers?productType=TOPUP&country=GT&brand=TIGO");
    expect(tigo.promos).toEqual([]);
    const [global] = (await get("/offers?productType=ESIM&brand=TRAVEL_ESIM")).promos;
    expect(global).toMatchObject({ country: "", language: "es" });
    expect(global).not.toHaveProperty("currency");
    expect(global.description).toBe(
      "Cada plan de Tillgate Travel eSIM de 61.93 GTQ a 852.43 GTQ incluye un 10% más de datos.",
    );
  });
});

describe("stored data about a number", () => {
  const NUMBER = "+50251234567";
  const path = encodeURIComponent(NUMBER);

  it("includes a name until the name is removed", async () => {
    const put = (name: string) => owner.pos("PUT", `/favourites/${path}`, { name });
    expect((await put("Doña Ana")).body.list).toMatchObject([
      { number: NUMBER, formatted: "+502 5123 4567", country: "GT", name: "Doña Ana" },
    ]);
    expect((await get("/favourites")).list[0]).not.toHaveProperty("lastSale");
    await put(" Ana ");
    expect((await get("/favourites")).list).toMatchObject([{ name: "Ana" }]);
    expect((await get(`/phone?number=${path}`)).favourite).toBe("Ana");
    await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: NUMBER }]);
    expect((await get("/recents")).list[0].favourite).toBe("Ana");
    const [favourite] = (await get("/favourites")).list;
    expect(favourite.lastSale).toEqual((await get("/recents")).list[0]);
    await till.advance(2_000);
    await owner.sell([{ offerId: "TIGO_GT_TOPUP_50", recipientPhoneNumber: NUMBER }]);
    await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234568" }]);
    expect((await get("/favourites")).list).toMatchObject([
      { number: NUMBER, lastSale: { offerId: "TIGO_GT_TOPUP_50" } },
    ]);
    await till.restart();
    for (const _time of [1, 2]) {
      expect((await owner.pos("DELETE", `/favourites/${path}`)).body.list).toEqual([]);
    }
    expect(await get(`/phone?number=${path}`)).not.toHaveProperty("favourite");
    await till.advance(2_000);
  });

  it("includes the carrier, which overrides the carrier of the number range", async () => {
    expect((await get(`/phone?number=${path}`)).detected).toEqual({
      brand: "TIGO",
      brandName: "Tigo",
    });
    const { body } = await owner.pos("PUT", `/phone/${path}/carrier`, { brand: "CLARO" });
    const remembered = {
      brand: "CLARO",
      brandName: "Claro",
      remembered: true,
      looksLike: "Tigo",
    };
    expect(body.detected).toEqual(remembered);
    expect((await get(`/phone?number=${path}`)).detected).toEqual(remembered);
    await owner.pos("PUT", `/phone/${path}/carrier`, { brand: "TIGO" });
    expect((await get(`/phone?number=${path}`)).detected).toMatchObject({ brand: "TIGO" });
  });

  it("cannot include an impossible number, an empty name or a brand of another country", async () => {
    const before = await digestDatabase(till.gateway.context.db);
    const cases: [string, object, string][] = [
      ["/favourites/%2B50212", { name: "Ana" }, "number"],
      ["/favourites/%2B99912345678", { name: "Ana" }, "number"],
      [`/favourites/${path}`, { name: "" }, "name"],
      [`/phone/${path}/carrier`, { brand: "VERIZON" }, "brand"],
    ];
    for (const [to, body, field] of cases) {
      const answer = await owner.pos("PUT", to, body);
      expect([to, answer.status, Object.keys(answer.body.fields)]).toEqual([to, 400, [field]]);
    }
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });
});
