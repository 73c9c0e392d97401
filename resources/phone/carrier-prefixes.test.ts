import { all } from "mcc-mnc-list";
import { describe, expect, it } from "vitest";
import { buildCatalog } from "../catalog/build/catalog.ts";
import { isUpToDate } from "../lib/generated-file.ts";
import {
  buildCarrierPrefixes,
  CARRIER_PREFIXES_FILE,
  carrierPrefixesText,
} from "./build/carrier-prefixes.ts";
import { collapse, lookUp } from "./build/collapse.ts";
import { readCarrierData } from "./build/source.ts";

const data = buildCarrierPrefixes();
const tables = new Map(
  Object.entries(data.prefixes).map(([code, table]) => [code, new Map(Object.entries(table))]),
);

function carrier(callingCode: string, national: string) {
  const table = tables.get(callingCode);
  const index = table && lookUp(table, national);
  return index === undefined ? undefined : data.carriers[index];
}

describe("the committed prefix file", () => {
  it("is what the data and the aliases give", () => {
    expect(isUpToDate(CARRIER_PREFIXES_FILE, carrierPrefixesText(data))).toBe(true);
  });

  it("answers every prefix of the data as the data does", () => {
    const wrong: string[] = [];
    for (const [callingCode, names] of readCarrierData()) {
      for (const [national, name] of names) {
        if (carrier(callingCode, national)?.name !== name) wrong.push(`+${callingCode}${national}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("knows only brands that the catalog sells in that country", () => {
    const sold = new Set(
      buildCatalog().topups.map(({ country, brand, regions }) =>
        regions.includes("Global") ? ` ${brand}` : `${country} ${brand}`,
      ),
    );
    const unknown = data.carriers.filter(
      ({ country, brand }) => brand !== "" && !sold.has(`${country} ${brand}`),
    );
    expect(unknown).toEqual([]);
  });

  it.each([
    ["502", "30001234", "TIGO", "GT"],
    ["502", "39501234", "CLARO", "GT"],
    ["502", "57001234", "TIGO", "GT"],
    ["502", "54101234", "CLARO", "GT"],
    ["53", "52345678", "CUBACEL", "CU"],
    ["504", "98765432", "TIGO", "HN"],
    ["509", "31234567", "DIGICEL", "HT"],
    ["1", "8762412345", "DIGICEL", "JM"],
    ["1", "8097412345", "CLARO", "DO"],
    ["225", "0712345678", "ORANGE", "CI"],
    ["234", "8031234567", "MTN", "NG"],
    ["234", "8091234567", "T2", "NG"],
    ["254", "722123456", "SAFARICOM", "KE"],
    ["221", "761234567", "YAS", "SN"],
    ["255", "621234567", "HALOTEL", "TZ"],
    ["20", "1012345678", "VODAFONE", "EG"],
    ["62", "8951234567", "TRI", "ID"],
    ["62", "8151234567", "IM3", "ID"],
    ["63", "9171234567", "GLOBE", "PH"],
    ["7", "7011234567", "KCELL", "KZ"],
    ["881", "612345678", "IRIDIUM", ""],
  ])("+%s %s is %s of %s", (callingCode, national, brand, country) => {
    expect(carrier(callingCode, national)).toMatchObject({ brand, country });
  });

  it("still names a carrier that the catalog does not sell", () => {
    expect(carrier("258", "891234567")).toMatchObject({ name: "GMPCS", brand: "", country: "MZ" });
    expect(carrier("7", "9251234567")).toMatchObject({ brand: "", country: "RU" });
  });

  it("knows nothing of Mexico and most of the United States", () => {
    expect(carrier("52", "5512345678")).toBeUndefined();
    expect(carrier("1", "2125551234")).toBeUndefined();
  });
});

describe("networks", () => {
  const rows = new Set(all().map(({ mcc, mnc }) => `${mcc}-${mnc}`));

  it("are those of the list, each with both of its codes or with none but the country's", () => {
    const wrong = data.carriers.filter(({ country, mcc, mnc }) =>
      mnc === "" ? mcc !== (data.mobileCountryCodes[country] ?? "") : !rows.has(`${mcc}-${mnc}`),
    );
    expect(wrong).toEqual([]);
  });

  it("are known for every brand that the catalog sells, but for four", () => {
    const sold = data.carriers.filter(({ brand }) => brand !== "");
    expect(sold.length).toBeGreaterThan(380);
    const unknown = sold.filter(({ mnc }) => mnc === "");
    const names = unknown.map(({ country, brand }) => `${country} ${brand}`);
    expect(names.sort((a, b) => (a < b ? -1 : 1))).toEqual([
      "BJ CELTIIS",
      "ET SAFARICOM",
      "PG VODAFONE",
      "SE LYCAMOBILE",
    ]);
  });

  it("cover nine tenths of the numbers in four countries out of five", () => {
    const countries = new Map<string, { all: number; known: number }>();
    for (const [callingCode, names] of readCarrierData()) {
      for (const national of names.keys()) {
        const { country = "", mnc = "" } = carrier(callingCode, national) ?? {};
        const sum = countries.get(country) ?? { all: 0, known: 0 };
        const numbers = 10 ** -national.length;
        sum.all += numbers;
        if (mnc !== "") sum.known += numbers;
        countries.set(country, sum);
      }
    }
    const shares = [...countries.values()].map(({ all, known }) => known / all);
    const covered = shares.filter((share) => Math.round(share * 100) >= 90);
    expect(covered.length / shares.length).toBeGreaterThan(0.8);
  });

  it("of a virtual operator are its host's", () => {
    expect(carrier("44", "7440123456")).toEqual({
      name: "Lycamobile",
      brand: "LYCAMOBILE",
      country: "GB",
      knownAs: "EE",
      mcc: "234",
      mnc: "30",
    });
    expect(carrier("44", "7343123456")).toMatchObject({ name: "Lebara", knownAs: "Vodafone" });
    const unknown = { brand: "LYCAMOBILE", knownAs: "", mcc: "240", mnc: "" };
    expect(carrier("46", "727612345")).toMatchObject(unknown);
  });

  it("are called as people call them, not as the company is registered", () => {
    const names = (country: string) =>
      new Set(data.carriers.filter((c) => c.country === country).map(({ knownAs }) => knownAs));
    expect(names("GT")).toEqual(new Set(["Claro", "Tigo"]));
    expect(names("HN")).toContain("Tigo");
    expect(names("HN")).not.toContain("Celtel (Tigo)");
    expect(names("SE")).toContain("3");
    expect(names("CU")).toEqual(new Set(["Cubacel"]));
  });

  it("have no country code where a country has several", () => {
    expect(data.mobileCountryCodes).toMatchObject({ GT: "704", MX: "334", CA: "302" });
    for (const country of ["US", "IN", "GB", "JP", "AX"]) {
      expect(data.mobileCountryCodes[country]).toBeUndefined();
    }
  });
});

describe("collapse", () => {
  const ten = (prefix: string, answer: string): [string, string][] =>
    Array.from({ length: 10 }, (_, digit) => [`${prefix}${digit}`, answer]);

  it("joins ten siblings with one answer, level by level", () => {
    const table = new Map(ten("3", "a").flatMap(([prefix]) => ten(prefix, "a")));
    expect(collapse(table)).toEqual(new Map([["3", "a"]]));
  });

  it("keeps nine siblings apart: the tenth range belongs to nobody", () => {
    expect(collapse(new Map(ten("3", "a").slice(1))).size).toBe(9);
  });

  it("keeps an exception and drops a repetition", () => {
    const table = new Map([
      ["3", "a"],
      ["30", "a"],
      ["31", "b"],
    ]);
    expect(collapse(table)).toEqual(
      new Map([
        ["3", "a"],
        ["31", "b"],
      ]),
    );
  });
});
