import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CatalogContent, Section } from "../../../contract/catalog-content.ts";
import type { Environment } from "../../../contract/common.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { openPlace } from "../../../testing/place.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { CatalogFileFault, formatCatalogFile, readCatalogFile } from "./catalog-file.ts";
import { CatalogRefused, type CatalogReport } from "./catalog-update.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test damages arbitrary fields.
type AnyJson = any;

let till: TestGateway;
/** Two offers of each family with their brands, and two promotions. */
let small: CatalogContent;
beforeAll(async () => {
  till = await startTestGateway();
  small = smaller(await read("test"));
});
afterAll(() => till.close());

function toScope(environment: Environment) {
  return { accountId: "default", environment };
}

function read(environment: Environment): Promise<CatalogContent> {
  return till.gateway.context.catalogUpdates.read(toScope(environment));
}

function smaller(content: CatalogContent): CatalogContent {
  function pick<Offer extends { priceType: string }>(offers: Offer[]): Offer[] {
    const range = offers.find(({ priceType }) => priceType === "RANGE");
    const fixed = offers.find(({ priceType }) => priceType === "FIXED");
    return [fixed ?? offers[0]!, range ?? offers[1]!];
  }
  const picked = {
    topups: pick(content.topups),
    vouchers: pick(content.vouchers),
    esim: pick(content.esim),
    billpay: pick(content.billpay),
    promos: content.promos.slice(0, 2),
  };
  const used = new Set(
    Object.values(picked).flatMap((items) =>
      items.map((item) => ("id" in item ? item.brand.brand : item.brand)),
    ),
  );
  return { brands: content.brands.filter(({ brand }) => used.has(brand)), ...picked };
}

/** @returns the report, or the errors as text */
async function take(
  text: string,
  environment: Environment = "live",
): Promise<CatalogReport | string> {
  const { catalogUpdates } = till.gateway.context;
  try {
    const file = readCatalogFile(Buffer.from(text));
    try {
      const origin = { source: "shop.json", action: "catalog.import" } as const;
      return await catalogUpdates.replace(toScope(environment), file.input, origin);
    } catch (error) {
      if (error instanceof CatalogRefused) return file.describe(error.faults);
      throw error;
    }
  } catch (error) {
    if (error instanceof CatalogFileFault) return error.message;
    throw error;
  }
}

function takeValue(value: unknown, environment?: Environment) {
  return take(JSON.stringify(value), environment);
}

function requireRefusal(faults: CatalogReport | string): string {
  if (typeof faults !== "string") throw new Error("it was taken in");
  return faults;
}

const none = { added: 0, changed: 0, removed: 0 };

describe("a catalog import", () => {
  beforeEach(async () => {
    await takeValue({ promos: [], topups: [], vouchers: [], esim: [], billpay: [] });
    await takeValue({ brands: [] });
  });

  it("gives an empty environment its catalog, which /v1 then serves", async () => {
    const report = await takeValue(small);
    expect(report).toMatchObject({ changed: true });
    expect((report as CatalogReport).sections.topups).toEqual({ ...none, added: 2 });
    const { body } = await till.v1("GET", "/topups/offers?_limit=9&_offset=0", undefined, "live");
    expect(body.total).toBe(2);
    const brands = await till.v1("GET", "/brands?_limit=99&_offset=0", undefined, "live");
    expect(brands.body.total).toBe(small.brands.length);
    const promos = await till.v1("GET", "/promos?_limit=99&_offset=0", undefined, "live");
    expect(promos.body.total).toBe(2);
  });

  it("changes nothing, not even the version, if the new catalog equals the stored one", async () => {
    const first = (await takeValue(small)) as CatalogReport;
    const before = await digestDatabase(till.gateway.context.db);
    const again = await takeValue(small);
    const sections = Object.fromEntries(Object.keys(small).map((name) => [name, none]));
    expect(again).toEqual({ version: first.version, changed: false, sections });
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });

  it("replaces the given sections, keeps the other sections, and counts its changes", async () => {
    const first = (await takeValue(small)) as CatalogReport;
    const [kept, gone] = small.topups;
    const added = { ...kept, offerId: "NEW_ONE" };
    const changed = { ...kept, enabled: !kept!.enabled };
    expect(await takeValue({ topups: [added, changed] })).toEqual({
      version: first.version + 1,
      changed: true,
      sections: { topups: { added: 1, changed: 1, removed: 1 } },
    });
    const path = `/topups/offers/${gone!.offerId}`;
    expect((await till.v1("GET", path, undefined, "live")).status).toBe(404);
    expect((await read("live")).vouchers).toHaveLength(small.vouchers.length);
    expect((await read("live")).topups.map(({ offerId }) => offerId).sort()).toEqual(
      ["NEW_ONE", kept!.offerId].sort(),
    );
  });

  it("replaces only the families that a plain list contains", async () => {
    await takeValue(small);
    const report = await takeValue([small.esim[0], small.topups[0]]);
    expect((report as CatalogReport).sections).toEqual({
      topups: { ...none, removed: 1 },
      esim: { ...none, removed: 1 },
    });
    const after = await read("live");
    expect([after.topups.length, after.vouchers.length, after.billpay.length]).toEqual([1, 2, 2]);
    expect(await takeValue([])).toMatchObject({ changed: false, sections: {} });
  });

  it("accepts a catalog as served by /v1, and a catalog with only the fields of the specification", async () => {
    await takeValue(small);
    const [voucher] = structuredClone(small.vouchers) as AnyJson[];
    delete voucher.brandName;
    delete voucher.deliveryType;
    delete voucher.cost.feePct;
    delete voucher.price.fee;
    voucher.createdAt = "2026-01-15T01:30:00+01:30";
    const served = (await till.v1("GET", "/promos?_limit=9&_offset=0", undefined, "live")).body
      .list;
    expect(served[0].status).toBeDefined();
    expect(await takeValue({ vouchers: [voucher], promos: served })).toMatchObject({
      changed: true,
    });
    const after = await read("live");
    expect(after.vouchers[0]).toMatchObject({
      brandName: small.vouchers[0]!.brandName,
      deliveryType: "",
      createdAt: "2026-01-15T00:00:00.000Z",
    });
    expect(Object.keys(after.vouchers[0]!)).toEqual(Object.keys(small.vouchers[0]!));
  });

  it("can move an offer to another family", async () => {
    await takeValue(small);
    const [topup] = small.topups;
    const { dataGB: _0, dataUnlimited: _1, durationDays: _2, ...rest } = topup as AnyJson;
    const { smsNumber: _3, smsUnlimited: _4, voiceMinutes: _5, voiceUnlimited: _6, ...kept } = rest;
    const voucher = { ...kept, productType: "VOUCHER", requiredFields: [], deliveryType: "EPIN" };
    const report = await takeValue({
      topups: [small.topups[1]],
      vouchers: [...small.vouchers, voucher],
    });
    expect((report as CatalogReport).sections).toEqual({
      topups: { ...none, removed: 1 },
      vouchers: { ...none, added: 1 },
    });
    const { status } = await till.v1(
      "GET",
      `/vouchers/offers/${topup!.offerId}`,
      undefined,
      "live",
    );
    expect(status).toBe(200);
  });

  it("adds one entry to the audit trail and one to the list of changes", async () => {
    const { db } = till.gateway.context;
    await takeValue(small);
    await takeValue(small);
    const [entry] = await db
      .selectFrom("audit_trail")
      .selectAll()
      .orderBy("entry_id", "desc")
      .execute();
    expect(entry).toMatchObject({ action: "catalog.import", subject: "shop.json" });
    const added = Object.values(small).reduce((sum, { length }) => sum + length, 0);
    expect(JSON.parse(entry!.detail_json)).toMatchObject({
      environment: "live",
      added,
      removed: 0,
    });
    const [change] = await db
      .selectFrom("changes")
      .selectAll()
      .orderBy("change_id", "desc")
      .execute();
    expect(change).toMatchObject({ topic: "catalog", subject: "shop.json", environment: "live" });
  });

  it("repeats its comparison if another import changes the catalog first", async () => {
    await takeValue(small);
    const { transactor } = till.gateway.context;
    const other = await openPlace(till);
    const [topup] = small.topups;
    const transact = transactor.transact.bind(transactor);
    let attempts = 0;
    transactor.transact = async (lock, work) => {
      if (attempts++ === 0) {
        await other
          .updateTable("catalogs")
          .set((eb) => ({ version: eb("version", "+", 1) }))
          .where("environment", "=", "live")
          .execute();
        await other
          .deleteFrom("offers")
          .where("offer_id", "=", topup!.offerId)
          .where("environment", "=", "live")
          .execute();
      }
      return transact(lock, work);
    };
    try {
      const report = await takeValue({ topups: small.topups, esim: [] });
      expect((report as CatalogReport).sections).toEqual({
        topups: { ...none, added: 1 },
        esim: { ...none, removed: 2 },
      });
      expect(attempts).toBe(2);
    } finally {
      transactor.transact = transact;
      await other.destroy();
    }
  });
});

describe("a purchase", () => {
  it("keeps its offer after an import removes the offer from the catalog", async () => {
    await takeValue(small, "live");
    const before = await read("test");
    const [offer] = before.topups.filter(({ offerId }) => offerId === "TIGO_GT_TOPUP_25");
    await till.v1("POST", "/topups/purchases", {
      offerId: offer!.offerId,
      transactionId: "kept",
      recipientPhoneNumber: "+50251239003",
    });
    const topups = before.topups.filter(({ offerId }) => offerId !== offer!.offerId);
    expect(await takeValue({ topups }, "test")).toMatchObject({
      sections: { topups: { ...none, removed: 1 } },
    });
    expect((await till.v1("GET", `/topups/offers/${offer!.offerId}`)).status).toBe(404);
    await till.advance(60 * 60_000);
    const { body } = await till.v1("GET", "/topups/purchases/kept");
    expect(body).toMatchObject({ status: "DONE", offerId: offer!.offerId, brandName: "Tigo" });
    await takeValue({ topups: before.topups }, "test");
    await till.expectCleanBooks();
  });
});

describe("export and import", () => {
  async function roundTrip(environment: Environment): Promise<void> {
    const text = formatCatalogFile(await read(environment));
    expect(await take(text, environment)).toMatchObject({ changed: false });
    expect(formatCatalogFile(await read(environment))).toBe(text);
    await takeValue({ topups: [], vouchers: [], esim: [], billpay: [], promos: [] }, environment);
    await takeValue({ brands: [] }, environment);
    expect(await take(text, environment)).toMatchObject({ changed: true });
    expect(formatCatalogFile(await read(environment))).toBe(text);
  }

  it("reproduce the sandbox catalog byte for byte", { tags: ["thorough"] }, () =>
    roundTrip("test"),
  );

  it("reproduce any small catalog, in any field and item order", {
    tags: ["thorough"],
  }, async () => {
    const words = fc.string({ unit: "grapheme", maxLength: 20 });
    const amount = fc.integer({ min: 1, max: 1_000_000 });
    const catalogs = fc.record({
      texts: fc.array(words, { minLength: 8, maxLength: 8 }),
      amounts: fc.array(amount, { minLength: 8, maxLength: 8 }),
      copies: fc.integer({ min: 0, max: 3 }),
      order: fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 }),
      at: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
    });
    await fc.assert(
      fc.asyncProperty(catalogs, async ({ texts, amounts, copies, order, at }) => {
        const varied = (Object.entries(structuredClone(small)) as [Section, AnyJson[]][]).map(
          ([section, items]) => {
            const all = items.flatMap((item, index) =>
              Array.from({ length: copies + 1 }, (_, copy) => {
                const twin = structuredClone(item);
                twin.createdAt &&= at.toISOString();
                if (twin.offerId) {
                  twin.offerId += copy === 0 ? "" : `_${copy}`;
                  twin.notes = texts[index];
                  if (twin.priceType === "FIXED") twin.cost.fixed = amounts[copy];
                } else if (twin.id) {
                  twin.id += copy === 0 ? "" : ` ${copy}`;
                  twin.description.description = texts[copy];
                } else if (copy > 0) twin.brand += `_${copy}`;
                else twin.description = texts[index];
                return shuffled(twin, order);
              }),
            );
            return [section, all.sort((a, b) => rank(a, order) - rank(b, order))] as const;
          },
        );
        expect(await takeValue(Object.fromEntries(varied), "live")).toMatchObject({
          changed: true,
        });
        await roundTrip("live");
        await takeValue({ topups: [], vouchers: [], esim: [], billpay: [], promos: [] }, "live");
        await takeValue({ brands: [] }, "live");
      }),
      { numRuns: 30 },
    );
  });

  function rank(item: unknown, order: number[]): number {
    return order[JSON.stringify(item).length % order.length]!;
  }

  function shuffled(value: AnyJson, order: number[]): AnyJson {
    if (Array.isArray(value) || typeof value !== "object") return value;
    const fields = Object.entries(value).sort(
      ([a], [b]) => order[a.length % order.length]! - order[b.length % order.length]!,
    );
    return Object.fromEntries(fields.map(([name, field]) => [name, shuffled(field, order)]));
  }
});

describe("a catalog with errors", () => {
  beforeAll(async () => {
    await takeValue(small, "live");
  });

  type Break = (content: AnyJson) => void;
  it.each<[string, string, Break]>([
    ["no field", "topups[0].cost is required", (c) => delete c.topups[0].cost],
    [
      "an unknown field",
      "topups[0].enabeld is not a known field",
      (c) => (c.topups[0].enabeld = true),
    ],
    [
      "a text for a number",
      "topups[0].price.fixed must be integer",
      (c) => (c.topups[0].price.fixed = "5"),
    ],
    [
      "an amount under zero",
      "topups[0].price.fixed must not be less than 0",
      (c) => (c.topups[0].price.fixed = -1),
    ],
    [
      "an unsafe integer",
      "topups[0].durationDays is too large",
      (c) => (c.topups[0].durationDays = 1e300),
    ],
    [
      "a price beyond measure",
      "topups[0].price.fixed must not be over",
      (c) => (c.topups[0].price.fixed = 2e9),
    ],
    [
      "FIXED without fixed",
      "topups[0].cost.fixed is required for a FIXED offer",
      (c) => delete c.topups[0].cost.fixed,
    ],
    [
      "FIXED with a range",
      "topups[0].send.max must be left out for a FIXED offer",
      (c) => (c.topups[0].send.max = 9),
    ],
    [
      "RANGE without fx",
      "topups[1].price.fx is required for a RANGE offer",
      (c) => delete c.topups[1].price.fx,
    ],
    [
      "RANGE with fx 0",
      "topups[1].price.fx must be more than 0",
      (c) => (c.topups[1].price.fx = 0),
    ],
    [
      "RANGE without min",
      "topups[1].send.min is required for a RANGE offer",
      (c) => delete c.topups[1].send.min,
    ],
    [
      "min over max",
      "topups[1].cost.max must not be less than min",
      (c) => (c.topups[1].cost.max = 0),
    ],
    [
      "RANGE with fixed",
      "topups[1].cost.fixed must be left out for a RANGE offer",
      (c) => (c.topups[1].cost.fixed = 1),
    ],
    [
      "amounts out of reach",
      "topups[1] has amounts that cannot be worked out",
      (c) => (c.topups[1].cost.fx = 1e-200),
    ],
    [
      "a wrong divisor",
      "topups[0].send.currencyDivisor must be",
      (c) => (c.topups[0].send.currencyDivisor = 7),
    ],
    [
      "no currency of ISO 4217",
      "topups[0].send.currency is not an ISO 4217",
      (c) => (c.topups[0].send.currency = "ZZZ"),
    ],
    [
      "a cost the wallet has not",
      "topups[0].cost.currency must be USD",
      (c) => (c.topups[0].cost.currency = "EUR"),
    ],
    [
      "a price in another currency",
      "topups[0].price.currency must be USD",
      (c) => (c.topups[0].price.currency = "EUR"),
    ],
    [
      "an unknown region",
      "vouchers[0].regions[0] must be one of Global,",
      (c) => (c.vouchers[0].regions = ["Mars"]),
    ],
    [
      "another family",
      'vouchers[0].productType must be "VOUCHER"',
      (c) => (c.vouchers[0].productType = "TOPUP"),
    ],
    [
      "a country in small letters",
      "vouchers[0].country must be an ISO 3166-1",
      (c) => (c.vouchers[0].country = "gt"),
    ],
    [
      "no time",
      "vouchers[0].createdAt must be a time such as",
      (c) => (c.vouchers[0].createdAt = "yesterday"),
    ],
    [
      "half of a character",
      "vouchers[0].notes has half of a character",
      (c) => (c.vouchers[0].notes = "\ud83d"),
    ],
    [
      "an empty id",
      "vouchers[0].offerId must be 1 to 128 letters",
      (c) => (c.vouchers[0].offerId = ""),
    ],
    [
      "an id that leads elsewhere",
      "vouchers[0].offerId must be 1 to 128 letters",
      (c) => (c.vouchers[0].offerId = "../../x"),
    ],
    [
      "an id of the language",
      "promos[0].id must be 1 to 128 letters",
      (c) => (c.promos[0].id = "__proto__"),
    ],
    [
      "a NUL",
      "topups[0].notes has the control character U+0000",
      (c) => (c.topups[0].notes = "a\u0000b"),
    ],
    [
      "a printer's escape in a text of many lines",
      "brands[0].description has the control character U+001B",
      (c) => (c.brands[0].description = "first line\nsecond\u001b@"),
    ],
    [
      "a line end in a name",
      "vouchers[0].requiredFields[0] has the control character U+000A",
      (c) => (c.vouchers[0].requiredFields = ["a\nb"]),
    ],
    ...["\u202a", "\u202e", "\u2066", "\u2069", "\u2028"].map((mark): [string, string, Break] => [
      `a name with ${JSON.stringify(mark)}`,
      "brands[0].brandName has the control character U+20",
      (c) => (c.brands[0].brandName = `Tigo${mark}gt.exe`),
    ]),
    ...["a\u202eb", "\u2067a", "a\u2069", "\u2066a\nb\u2069"].map(
      (text): [string, string, Break] => [
        `a text that turns around what follows it: ${JSON.stringify(text)}`,
        "topups[0].notes has the control character U+20",
        (c) => (c.topups[0].notes = text),
      ],
    ),
    [
      "a name without end",
      "brands[0].brandName is longer than 512 characters",
      (c) => (c.brands[0].brandName = "x".repeat(200_000)),
    ],
    [
      "a text without end",
      "topups[0].notes is longer than 20000 characters",
      (c) => (c.topups[0].notes = "x".repeat(20_001)),
    ],
    [
      "a link without end",
      "brands[0].brandLogo is longer than 2048 characters",
      (c) => (c.brands[0].brandLogo = `/${"x".repeat(2_048)}`),
    ],
    ...[
      "javascript:alert(1)",
      " JavaScript:alert(1)",
      "data:image/svg+xml,<svg/>",
      "//x.example/a",
    ].map((link): [string, string, Break] => [
      `a picture at ${link}`,
      "brands[0].brandLogo must be empty, a path",
      (c) => (c.brands[0].brandLogo = link),
    ]),
    [
      "a film that runs",
      "brands[0].redemptionInstructionInfos[0].redemptionVideo must be empty, a path",
      (c) =>
        (c.brands[0].redemptionInstructionInfos = [
          {
            country: "GT",
            deliveryType: "EPIN",
            language: "en",
            redemptionInstructions: "",
            terms: "",
            redemptionVideo: "vbscript:x",
          },
        ]),
    ],
    [
      "an id twice",
      "which is in topups already",
      (c) => (c.vouchers[0].offerId = c.topups[1].offerId),
    ],
    [
      "an unknown brand",
      "esim[0].brand is NOBODY, which is not a brand",
      (c) => (c.esim[0].brand = "NOBODY"),
    ],
    ["another brand's name", "esim[0].brandName must be", (c) => (c.esim[0].brandName = "?")],
    [
      "an eSIM with a range",
      "esim[0].priceType must be FIXED",
      (c) => (c.esim[0].priceType = "RANGE"),
    ],
    [
      "an unknown speed",
      "esim[0].dataSpeeds[0] must be one of 2G, 3G, 4G, 5G",
      (c) => (c.esim[0].dataSpeeds = ["6G"]),
    ],
    [
      "a field asked for twice",
      "billpay[0].requiredFields[1] is x a second time",
      (c) => {
        c.billpay[0].requiredFields = ["x", "x"];
        c.billpay[0].billRetrievalRequiredFields = [];
        c.billpay[0].supportsBillRetrieval = false;
      },
    ],
    [
      "a bill found by what is not asked",
      "billpay[1].billRetrievalRequiredFields[0] must be one of requiredFields",
      (c) => {
        c.billpay[1].billRetrievalRequiredFields = ["never"];
        c.billpay[1].supportsBillRetrieval = true;
      },
    ],
    [
      "retrieval by nothing",
      "billpay[1].supportsBillRetrieval must be true exactly",
      (c) => {
        c.billpay[1].billRetrievalRequiredFields = [];
        c.billpay[1].supportsBillRetrieval = true;
      },
    ],
    [
      "overpaid exactly",
      "billpay[0].supportsOverpayment must be false for a FIXED",
      (c) => (c.billpay[0].supportsOverpayment = true),
    ],
    [
      "no time of the day",
      "billpay[0].cutoffTime must be a time of the day",
      (c) => (c.billpay[0].cutoffTime = "25:00"),
    ],
    [
      "a promotion that never runs",
      "promos[0].endAt must be after startAt",
      (c) => (c.promos[0].endAt = c.promos[0].startAt),
    ],
    [
      "a promotion of nobody",
      "promos[0].brand.brand is NOBODY",
      (c) => (c.promos[0].brand.brand = "NOBODY"),
    ],
    [
      "values the wrong way round",
      "promos[0].maxValue must not be less than minValue",
      (c) => (c.promos[0].minValue = 1e9),
    ],
    [
      "a language twice",
      "promos[0].descriptions[0].language is en a second time",
      (c) => (c.promos[0].descriptions = [c.promos[0].description]),
    ],
    ["a brand twice", "which is in brands already", (c) => c.brands.push(c.brands[0])],
    ["a brand that is no object", "brands[0] must be object", (c) => (c.brands[0] = "TIGO")],
    ["an unknown section", "topup is not one of brands, topups", (c) => (c.topup = [])],
    ["a section that is no list", "esim must be a list", (c) => (c.esim = {})],
  ])("changes nothing, and causes a message about %s: %s", async (_name, words, break_) => {
    const content = structuredClone(small);
    break_(content);
    const before = await digestDatabase(till.gateway.context.db);
    const faults = await take(JSON.stringify(content));
    expect(faults).toContain(words);
    expect(faults).toMatch(/^line 1: /);
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });

  it("causes a message with the line of each error", async () => {
    const broken: AnyJson = structuredClone(small);
    delete broken.topups[1].notes;
    broken.promos[1].brand.brand = "NOBODY";
    const text = JSON.stringify(broken, null, 2);
    const lines = text.split("\n");
    const faults = requireRefusal(await take(text)).split("\n");
    expect(faults).toHaveLength(2);
    const [notes, promo] = faults.map((line) => Number(/^line (\d+): /.exec(line)?.[1]));
    const topup = lines.findIndex((line) => line.includes(broken.topups[1].offerId)) + 1;
    expect(notes).toBe(topup - 1);
    expect(lines[promo! - 1]).toContain("NOBODY");
    expect(faults[0]).toContain("topups[1].notes is required.");
  });

  it("causes messages with the positions of the items, if the catalog is a plain list", async () => {
    const broken: AnyJson = [small.topups[0], small.esim[0], { ...small.esim[1], brand: "NOBODY" }];
    expect(await takeValue(broken)).toMatch(/^line 1: \[2\]\.brand is NOBODY/);
    expect(await takeValue([{ productType: "CAR" }, 5])).toBe(
      "line 1: [0].productType must be one of TOPUP, VOUCHER, ESIM, BILL_PAY.\n" +
        "line 1: [1].productType must be one of TOPUP, VOUCHER, ESIM, BILL_PAY.",
    );
  });

  it("causes a message with the first twenty errors and their total", async () => {
    const many = Array.from({ length: 50 }, (_, n) => ({
      ...small.esim[0],
      offerId: `E${n}`,
      brand: "NO",
    }));
    const faults = requireRefusal(await takeValue(many)).split("\n");
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toBe("… and 30 more.");
  });

  it("cannot remove or rename a brand that other items use", async () => {
    const [topup] = small.topups;
    const brands = small.brands.filter(({ brand }) => brand !== topup!.brand);
    const faults = requireRefusal(await takeValue({ brands }));
    expect(faults).toMatch(/^line 1: brands leaves out \w+, which \d+ offers and \d+ promotions/);
    expect(faults).toContain(topup!.brand);
    const renamed = small.brands.map((brand) => ({
      ...brand,
      brandName: `New ${brand.brandName}`,
    }));
    expect(await takeValue({ brands: renamed })).toMatch(/brands\[0\]\.brandName must stay "/);
    expect(await takeValue({ topups: [{ ...topup, offerId: small.esim[0]!.offerId }] })).toContain(
      "which is in esim already",
    );
  });

  it.each([
    ["", "line 1, column 1: the text ends where a value was expected."],
    [
      '{"topups": [\n{]}',
      '2, column 2: the text has "]" where a name in double quotes was expected.',
    ],
    ['{"esim": [],\n"esim": []}', 'line 2, column 1: the text has the name "esim" twice.'],
    ['"catalog"', "line 1: the file must be a list of offers, or an object"],
  ])("causes a readable error for the text %j", async (text, words) => {
    expect(await take(text)).toContain(words);
  });

  it("causes a message if its file is not UTF-8; a byte order mark is no error", async () => {
    expect(await take(`\ufeff${formatCatalogFile(small)}`)).toMatchObject({ changed: false });
    expect(() => readCatalogFile(Buffer.from("[]", "utf16le"))).toThrow("column 2");
    expect(() => readCatalogFile(Buffer.from([0x22, 0xe9, 0x22]))).toThrow("not UTF-8");
  });
});
