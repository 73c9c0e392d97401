import fc from "fast-check";
import { getCountries, getCountryCallingCode, getExampleNumber } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { canonicalNumber, type PhoneService } from "./index.ts";

let till: TestGateway;
let phones: PhoneService;
beforeAll(async () => {
  till = await startTestGateway();
  phones = till.gateway.context.phones;
});
afterAll(() => till.close());

function read(typed: string, home: string) {
  const { international, local } = phones.read(typed, home, "live");
  return [international.valid ? international.number : undefined, local?.number];
}

const COUNTRIES = getCountries();

describe("digits typed without a plus", () => {
  it.each([
    ["51234567", "GT", "+50251234567"],
    ["2222 3333", "GT", "+50222223333"],
    ["7012-3456", "SV", "+50370123456"],
    ["(212) 555-0123", "US", "+12125550123"],
    ["1 212 555 0123", "US", undefined],
    ["06 12 34 56 78", "FR", "+33612345678"],
    ["612345678", "FR", "+33612345678"],
    ["612 34 56 78", "ES", "+34612345678"],
    ["0712345678", "CI", "+2250712345678"],
    ["07400 123456", "GB", "+447400123456"],
    ["0803 123 4567", "NG", "+2348031234567"],
    ["090-1234-5678", "JP", "+819012345678"],
    ["8 912 345 67 89", "RU", "+79123456789"],
    ["98123 45678", "IN", "+919812345678"],
    ["050 123 4567", "AE", "+971501234567"],
    ["0412 345 678", "AU", "+61412345678"],
    ["312 3456789", "IT", "+393123456789"],
    ["06 1234 5678", "IT", "+390612345678"],
    ["11 91234 5678", "BR", "+5511912345678"],
    ["55 1234 5678", "MX", "+525512345678"],
  ])("%j typed in %s becomes %s", (typed, home, number) => {
    expect(read(typed, home)[1]).toBe(number);
  });

  it.each([
    ["too short", "5123456", "GT"],
    ["too long", "512345678", "GT"],
    ["in no range", "91234567", "GT"],
    ["another country's, with its code", "50251234567", "US"],
    ["another country's of the same code", "2125550123", "CA"],
    ["another country's, after the digits that dial abroad", "01150251234567", "US"],
    ["where the country is not known", "51234567", ""],
    ["where it is no country", "51234567", "XX"],
    ["nothing", "", "GT"],
    ["no digits", "abc", "GT"],
  ])("get no country code: %s", (_what, typed, home) => {
    expect(phones.read(typed, home, "live").local).toBeUndefined();
  });

  it("can have a local and an international meaning", () => {
    expect(read("6592345678", "US")).toEqual(["+6592345678", "+16592345678"]);
    expect(read("50051234", "GT")).toEqual(["+50051234", "+50250051234"]);
  });

  it("have one meaning if only that meaning is valid, even if they start with the country's own code", () => {
    expect(read("50251234567", "GT")).toEqual(["+50251234567", undefined]);
    expect(phones.read("50259874", "GT", "live")).toMatchObject({
      international: { valid: false },
      local: { number: "+50250259874" },
      beginsWithOwnCode: true,
    });
  });

  it("have the local meaning in a shop of the same country, for the example number of each country", () => {
    // libphonenumber returns the country with the same calling code for these territories.
    const shared = new Set(["AX", "BL", "CC", "CX", "EH", "IM", "MF", "SJ", "VA"]);
    const wrong = COUNTRIES.filter((country) => !shared.has(country)).filter((country) => {
      const example = getExampleNumber(country, examples);
      const typed = example?.formatNational() ?? "";
      return read(typed, country)[1] !== example?.number;
    });
    expect(wrong).toEqual([]);
  });
});

describe("any typed text", () => {
  const home = fc.constantFrom("", ...COUNTRIES);
  const anyDigits = fc.stringMatching(/^\d{1,17}$/);
  const nearDigits = fc
    .tuple(fc.constantFrom(...COUNTRIES), fc.stringMatching(/^\d{0,4}$/), fc.boolean())
    .map(([country, last, withCode]) => {
      const example = getExampleNumber(country, examples);
      const national = example?.formatNational().replaceAll(/\D/g, "") ?? "";
      const code = withCode ? getCountryCallingCode(country) : "";
      return code + national.slice(0, national.length - last.length) + last;
    });
  const typed = fc.oneof(anyDigits, nearDigits);
  const environment = fc.constantFrom("live" as const, "test" as const);

  it("becomes a local number only if that number is valid in the shop's country", () => {
    fc.assert(
      fc.property(typed, home, environment, (digits, country, where) => {
        const { local, international } = phones.read(digits, country, where);
        if (!local) return;
        expect(local).toMatchObject({ country, valid: true });
        expect(phones.describe(local.number, where)).toEqual(local);
        expect(local.number).not.toBe(international.number);
        // A 0 or an area code may be added before the typed digits.
        expect(local.number.endsWith(digits.slice(-4))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("remains an international number if it starts with a plus, and changes only to its canonical form", () => {
    const writing = fc.constantFrom("+", "00", " +", "(+", "Tel. +");
    fc.assert(
      fc.property(writing, typed, home, environment, (plus, digits, country, where) => {
        const said = digits.replace(/^0+/, "");
        const { local, international } = phones.read(plus + said, country, where);
        expect(local).toBeUndefined();
        // The plus stands for "00": a 1 may complete "0011" (Australia) or "001" (South Korea).
        const isDialled = said.startsWith("1") && international.valid;
        if (!isDialled) expect(international.number).toBe(canonicalNumber(`+${said}`));
      }),
    );
  });
});

describe("the canonical form of a number", () => {
  it.each([
    ["+54111523456789", "+5491123456789"],
    ["+4407400123456", "+447400123456"],
    ["+49015123456789", "+4915123456789"],
    ["+610412345678", "+61412345678"],
    ["+5501511912345678", "+5511912345678"],
    ["+390612345678", "+390612345678"],
    ["+50251234567", "+50251234567"],
    ["+15551234567", "+15551234567"],
    ["30001234567", "30001234567"],
    ["", ""],
  ])("turns %s into %s", (typed, canonical) => {
    expect(canonicalNumber(typed)).toBe(canonical);
  });

  it("does not depend on the written form of a country's example number", () => {
    const wrong = COUNTRIES.flatMap((country) => {
      const example = getExampleNumber(country, examples);
      if (!example) return [];
      const national = example.formatNational().replaceAll(/\D/g, "");
      const forms = [example.number, `+${example.countryCallingCode}${national}`];
      const read = forms
        .map((form) => canonicalNumber(form))
        .filter((one) => one !== example.number);
      // In Russia, a first 8 may also belong to the number.
      return read.length > 0 ? [[country, ...read]] : [];
    });
    expect(wrong).toEqual([]);
  });

  it("digits after the country's international prefix form an international number", () => {
    const dialled = [
      ["01150251234567", "US"],
      ["001150251234567", "AU"],
      ["+1150251234567", "AU"],
      ["81050251234567", "RU"],
      ["0050251234567", "GT"],
    ];
    for (const [typed = "", home = ""] of dialled) {
      expect([typed, read(typed, home)[0]]).toEqual([typed, "+50251234567"]);
    }
  });

  it("the till proposes a valid number if a small correction of the typed digits gives one", () => {
    const repairs = [
      ["+5215512345678", "GT", "+525512345678"],
      ["+50250251234567", "GT", "+50251234567"],
      ["+01150251234567", "GT", "+50251234567"],
      ["01150251234567", "GT", "+50251234567"],
      ["+340612345678", "GT", "+34612345678"],
    ];
    for (const [typed = "", home = "", number] of repairs) {
      expect([typed, phones.read(typed, home, "live").repaired?.number]).toEqual([typed, number]);
    }
    for (const typed of ["5123456", "+5025123456", "50251234567", "+50251234567"]) {
      expect([typed, phones.read(typed, "GT", "live").repaired]).toEqual([typed, undefined]);
    }
  });
});
