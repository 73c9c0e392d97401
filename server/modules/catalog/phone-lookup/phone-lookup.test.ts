import fc from "fast-check";
import { getCountries, getExampleNumber } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Environment } from "../../../contract/common.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import type { SettingsChange } from "../../shop/settings/index.ts";

let till: TestGateway;
beforeAll(async () => {
  till = await startTestGateway();
});
afterAll(() => till.close());

const ACCOUNT = { accountId: "default" };
const PATH = "/tools/phonenumberlookup";

function lookUp(number: string, environment: Environment): Promise<Answer> {
  return till.v1("GET", `${PATH}/${number}`, undefined, environment);
}

function change(settings: SettingsChange) {
  return till.gateway.context.settings.change(ACCOUNT, settings);
}

/** Fixed first digits, then any digits (rules#lookup-test-numbers). */
const PATTERNS = [
  { first: "+5023", any: 7, brand: "Claro", country: "GT", mcc: "704", mnc: "01" },
  { first: "+5025", any: 7, brand: "Tigo", country: "GT", mcc: "704", mnc: "02" },
  { first: "+15", any: 9, brand: "Verizon", country: "US", mcc: "311", mnc: "480" },
  { first: "+16", any: 9, brand: "T-Mobile", country: "US", mcc: "310", mnc: "260" },
];

function findPattern(number: string) {
  return PATTERNS.find(
    ({ first, any }) => number.startsWith(first) && number.length === first.length + any,
  );
}

function digits(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const digit = fc.integer({ min: 0, max: 9 }).map(String);
  return fc.string({ unit: digit, minLength, maxLength });
}

describe("the phone lookup in the test environment", () => {
  it("returns the fixed carrier for every number of the four patterns", async () => {
    const number = fc
      .constantFrom(...PATTERNS)
      .chain(({ first, any }) => digits(any, any).map((rest) => first + rest));
    await fc.assert(
      fc.asyncProperty(number, async (msisdn) => {
        const { brand, country, mcc, mnc } = findPattern(msisdn) ?? PATTERNS[0]!;
        const answer = await lookUp(msisdn, "test");
        expect([answer.status, answer.body]).toEqual([
          200,
          { msisdn, brand, country, mobileCountryCode: mcc, mobileNetworkCode: mnc },
        ]);
      }),
    );
  });

  it("finds nothing for numbers close to the patterns", async () => {
    const near = fc
      .constantFrom("+502", "+5023", "+5025", "+1", "+15", "+16", "+1502", "+51", "+61")
      .chain((first) => digits(7, 16 - first.length).map((rest) => first + rest));
    const far = fc
      .tuple(fc.integer({ min: 1, max: 9 }), digits(6, 14))
      .map((d) => `+${d.join("")}`);
    const other = fc.oneof(near, far).filter((number) => findPattern(number) === undefined);
    await fc.assert(
      fc.asyncProperty(other, async (number) => {
        const answer = await lookUp(number, "test");
        expect([answer.status, answer.body.errorCode]).toEqual([400, "PHONE_NUMBER_NOT_FOUND"]);
        expect(Object.keys(answer.body.fields)).toEqual(["msisdn"]);
      }),
    );
  });

  it.each([
    ["+50230000000", 200],
    ["+50239999999", 200],
    ["+5023000000", 400],
    ["+502300000000", 400],
    ["+50240000000", 400],
    ["+50259999999", 200],
    ["+15000000000", 200],
    ["+1500000000", 400],
    ["+150000000000", 400],
    ["+16999999999", 200],
    ["+17000000000", 400],
    ["+14999999999", 400],
  ])("answers the lookup of %s with status %d", async (number, status) => {
    expect((await lookUp(number, "test")).status).toBe(status);
  });
});

describe("the lookup address", () => {
  it("accepts a plus sign, encoded or not", async () => {
    const [bare, encoded] = [
      await lookUp("+50231234567", "test"),
      await lookUp("%2B50231234567", "test"),
    ];
    expect(bare.body.msisdn).toBe("+50231234567");
    expect(encoded.body).toEqual(bare.body);
  });

  it.each([
    ["no plus", "50231234567"],
    ["a double zero", "0050231234567"],
    ["a space for the plus", "%2050231234567"],
    ["a space inside", "+502%203123%204567"],
    ["a plus at the end", "+50231234567+"],
    ["six digits", "+123456"],
    ["sixteen digits", "+1234567890123456"],
    ["a zero first", "+0231234567"],
    ["a letter", "+5023123456x"],
    ["digits of another script", encodeURIComponent("+٥٠٢٣١٢٣٤٥٦٧")],
    ["two numbers", "+50231234567,+50251234567"],
    ["nothing to read", "__proto__"],
  ])("refuses %s in both environments", async (_what, number) => {
    const before = await digestDatabase(till.gateway.context.db);
    for (const environment of ["test", "live"] as const) {
      const answer = await lookUp(number, environment);
      expect([answer.status, answer.body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
      expect(Object.keys(answer.body.fields)).toEqual(["msisdn"]);
    }
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });

  it("does not exist without a number or with a further path segment", async () => {
    expect((await lookUp("", "test")).body.errorCode).toBe("NOT_FOUND");
    expect((await lookUp("+50231234567/x", "test")).body.errorCode).toBe("NOT_FOUND");
  });

  it("requires a key", async () => {
    expect((await till.call("GET", `/v1${PATH}/+50231234567`)).status).toBe(401);
  });
});

describe("the phone lookup in the live environment", () => {
  it.each([
    ["+50230001234", "Tigo", "GT", "704", "02"],
    ["+50239501234", "Claro", "GT", "704", "01"],
    ["+50370121234", "Claro", "SV", "706", "01"],
    ["+50498765432", "Tigo", "HN", "708", "002"],
    ["+5352345678", "Cubacel", "CU", "368", "01"],
    ["+50931234567", "Digicel", "HT", "372", "02"],
    ["+18762412345", "Digicel", "JM", "338", "05"],
    ["+18097412345", "Claro", "DO", "370", "02"],
    ["+2250712345678", "Orange", "CI", "612", "03"],
    ["+2348031234567", "MTN", "NG", "621", "30"],
    ["+254722123456", "Safaricom", "KE", "639", "02"],
    ["+221761234567", "Yas", "SN", "608", "02"],
    ["+201012345678", "Vodafone", "EG", "602", "02"],
    ["+639171234567", "Globe", "PH", "515", "02"],
    ["+628951234567", "Tri", "ID", "510", "89"],
    ["+8613812345678", "China Mobile", "CN", "460", "00"],
    ["+819012345678", "au", "JP", "440", "50"],
    ["+447400123456", "Three", "GB", "234", "20"],
    ["+447911123456", "JT", "GG", "234", "50"],
    ["+33612345678", "SFR", "FR", "208", "08"],
    ["+4915112345678", "Telekom", "DE", "262", "01"],
    ["+46702345678", "Telia", "SE", "240", "01"],
    ["+61412345678", "Optus", "AU", "505", "02"],
    ["+905321234567", "Turkcell", "TR", "286", "01"],
    ["+27821234567", "Vodacom", "ZA", "655", "01"],
    ["+79251234567", "MegaFon", "RU", "250", "02"],
    ["+77011234567", "Kcell", "KZ", "401", "02"],
    ["+881612345678", "Iridium", "", "901", "03"],
  ])(
    "finds the carrier of %s: %s in %s, with the codes %s-%s",
    async (msisdn, brand, country, mcc, mnc) => {
      expect((await lookUp(msisdn, "live")).body).toEqual({
        msisdn,
        brand,
        country,
        mobileCountryCode: mcc,
        mobileNetworkCode: mnc,
      });
    },
  );

  it.each([
    ["Lycamobile", "+447440123456", "EE", "234", "30"],
    ["Lebara", "+447343123456", "Vodafone", "234", "15"],
    ["Virgin Mobile", "+971531234567", "du", "424", "03"],
  ])("names the host network for a number of %s", async (_virtual, number, brand, mcc, mnc) => {
    expect((await lookUp(number, "live")).body).toMatchObject({
      brand,
      mobileCountryCode: mcc,
      mobileNetworkCode: mnc,
    });
  });

  it.each([
    ["a fixed line", "+50222123456", "GT", "704"],
    ["a country without prefix data", "+525512345678", "MX", "334"],
    ["a country of several codes", "+12125550123", "US", ""],
    ["a satellite number of no known carrier", "+870773111632", "", ""],
    ["a virtual operator of no known host", "+46727612345", "SE", "240"],
  ])("returns no carrier for %s", async (_what, msisdn, country, mcc) => {
    expect((await lookUp(msisdn, "live")).body).toEqual({
      msisdn,
      brand: "",
      country,
      mobileCountryCode: mcc,
      mobileNetworkCode: "",
    });
  });

  it("finds the example mobile number of every country", async () => {
    // libphonenumber returns the country with the same calling code for these territories.
    const shared: Partial<Record<string, string>> = {
      AX: "FI",
      BL: "GP",
      CC: "AU",
      CX: "AU",
      EH: "MA",
      IM: "GB",
      MF: "GP",
      SJ: "NO",
      VA: "IT",
    };
    const countries = getCountries();
    expect(countries.length).toBeGreaterThan(240);
    const found = [];
    for (const country of countries) {
      const number = getExampleNumber(country, examples)?.number ?? "";
      found.push([country, (await lookUp(number, "live")).body.country]);
    }
    expect(found).toEqual(countries.map((country) => [country, shared[country] ?? country]));
  });

  it.each(["+50291234567", "+99912345678", "+447700900123", "+123456789", "+5023123456"])(
    "returns PHONE_NUMBER_NOT_FOUND for the invalid number %s",
    async (number) => {
      const answer = await lookUp(number, "live");
      expect([answer.status, answer.body.errorCode]).toEqual([400, "PHONE_NUMBER_NOT_FOUND"]);
      expect(Object.keys(answer.body.fields)).toEqual(["msisdn"]);
    },
  );

  it("does not use the test environment's carrier of the same number", async () => {
    expect((await lookUp("+50230001234", "test")).body.brand).toBe("Claro");
    expect((await lookUp("+50230001234", "live")).body.brand).toBe("Tigo");
    expect((await lookUp("+15551234567", "test")).body.brand).toBe("Verizon");
    expect((await lookUp("+15551234567", "live")).body.errorCode).toBe("PHONE_NUMBER_NOT_FOUND");
  });
});

describe("the lookup switch", () => {
  it("refuses every number in both environments while off, even before checking the number", async () => {
    await change({ lookupEnabled: false });
    for (const environment of ["test", "live"] as const) {
      for (const number of ["+50231234567", "+50239501234", "+123456789", "50231234567", "x"]) {
        const answer = await lookUp(number, environment);
        expect([answer.status, answer.body]).toEqual([
          400,
          {
            errorCode: "LOOKUP_NOT_ENABLED",
            message: "The phone lookup is switched off for this account.",
            fields: {},
          },
        ]);
      }
    }
    expect((await till.call("GET", `/v1${PATH}/+50231234567`)).status).toBe(401);
    expect((await till.v1("GET", "/balance")).status).toBe(200);
  });

  it("stays off over a restart, and restores the lookup when switched on", async () => {
    await change({ lookupEnabled: false });
    await till.restart();
    expect((await lookUp("+50231234567", "test")).body.errorCode).toBe("LOOKUP_NOT_ENABLED");
    await change({ lookupEnabled: true });
    expect((await lookUp("+50231234567", "test")).body.brand).toBe("Claro");
    expect((await lookUp("50231234567", "test")).body.errorCode).toBe("INVALID_REQUEST");
  });

  it("applies only to its own account", async () => {
    const { db, keys, transactor } = till.gateway.context;
    await transactor.transact("default", async (tx) => {
      const account = await tx
        .selectFrom("accounts")
        .selectAll()
        .where("account_id", "=", "default")
        .executeTakeFirstOrThrow();
      await tx
        .insertInto("accounts")
        .values({ ...account, account_id: "other", lookup_enabled: 0 })
        .execute();
    });
    const other = await keys.create({ accountId: "other", environment: "test" }, "other");
    const headers = { authorization: `Bearer ${other.key}` };
    const refused = await till.call("GET", `/v1${PATH}/+50231234567`, { headers });
    expect(refused.body.errorCode).toBe("LOOKUP_NOT_ENABLED");
    expect((await lookUp("+50231234567", "test")).status).toBe(200);
    await change({ lookupEnabled: false });
    const row = db.selectFrom("accounts").select("lookup_enabled");
    expect(await row.where("account_id", "=", "default").executeTakeFirst()).toEqual({
      lookup_enabled: 0,
    });
    await writerOf(db)
      .updateTable("accounts")
      .set({ lookup_enabled: 1 })
      .where("account_id", "=", "other")
      .execute();
    const allowed = await till.call("GET", `/v1${PATH}/+50231234567`, { headers });
    expect(allowed.status).toBe(200);
    expect((await lookUp("+50231234567", "test")).body.errorCode).toBe("LOOKUP_NOT_ENABLED");
    await change({ lookupEnabled: true });
  });
});
