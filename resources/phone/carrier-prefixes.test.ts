import { join } from "node:path";
import { all } from "mcc-mnc-list";
import { describe, expect, it } from "vitest";
import { buildCatalog } from "../catalog/build/catalog.ts";
import { readTable } from "../lib/csv.ts";
import { isUpToDate } from "../lib/generated-file.ts";
import {
  buildCarrierPrefixes,
  CARRIER_PREFIXES_FILE,
  carrierPrefixesText,
  collapse,
  lookUp,
} from "./build/carrier-prefixes.ts";
import { readCarrierData } from "./build/source.ts";

const rowsOf = <const Column extends string>(file: string, columns: readonly Column[]) =>
  readTable(join(import.meta.dirname, file), columns).map(({ cells }) => cells);
const CLOSED = new Set(
  rowsOf("closed-carriers.csv", ["country", "carrier"]).map(
    (row) => `${row.country} ${row.carrier}`,
  ),
);

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
  it("equals the generator's output", () => {
    expect(isUpToDate(CARRIER_PREFIXES_FILE, carrierPrefixesText(data))).toBe(true);
  });

  it("contains the data's carrier for every prefix, except for closed carriers", () => {
    const wrong: string[] = [];
    let closed = 0;
    for (const [callingCode, names] of readCarrierData()) {
      for (const [national, name] of names) {
        const found = carrier(callingCode, national);
        const isClosed = CLOSED.has(`${found?.country} ${name}`);
        if (isClosed) closed += 1;
        // For this virtual operator, the data contains the name of its host.
        const ownName = callingCode === "84" && national === "87" ? "Itel" : name;
        if (found?.name !== (isClosed ? "" : ownName)) wrong.push(`+${callingCode}${national}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(closed).toBeGreaterThan(1_000);
  });

  it("states only the country for the numbers of a closed carrier", () => {
    const nobody = { name: "", brand: "", knownAs: "", mnc: "" };
    expect(carrier("507", "60123456")).toEqual({ ...nobody, country: "PA", mcc: "714" });
    expect(carrier("507", "61712345")).toMatchObject({ name: "Claro" });
    expect(carrier("55", "21985123456")).toEqual({ ...nobody, country: "BR", mcc: "724" });
    for (const { name, knownAs } of data.carriers) {
      expect(["Oi", "Citycell", "Aircel"], name).not.toContain(knownAs);
    }
  });

  it("has no brand for the carriers in unsold-carriers.csv, which lists every such carrier with at least a twentieth of a country's numbers", () => {
    const listed = rowsOf("unsold-carriers.csv", ["country", "carrier"]).map(
      (row) => `${row.country} ${row.carrier}`,
    );
    const sums = new Map<string, number>();
    const add = (key: string, numbers: number) => sums.set(key, (sums.get(key) ?? 0) + numbers);
    for (const [callingCode, names] of readCarrierData()) {
      for (const national of names.keys()) {
        const found = carrier(callingCode, national);
        if (found === undefined || found.name === "" || found.country === "") continue;
        add(found.country, 10 ** -national.length);
        if (found.brand === "") add(`${found.country} ${found.name}`, 10 ** -national.length);
      }
    }
    const countries = new Set(buildCatalog().topups.map(({ country }) => country));
    const unsold = [...sums].filter(([key, numbers]) => {
      const [country = "", name] = key.split(" ", 2);
      return name !== undefined && countries.has(country) && numbers / sums.get(country)! >= 0.05;
    });
    expect(unsold.map(([key]) => key).sort()).toEqual(listed.sort());
  });

  it("has only brands that the catalog sells in the number's country", () => {
    const sold = new Set(
      buildCatalog()
        .topups.filter(({ enabled }) => enabled)
        .map(({ country, brand, regions }) =>
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
    ["252", "612345678", "HORMUUD", "SO"],
    ["967", "771234567", "YEMEN_MOBILE", "YE"],
    ["94", "751234567", "DIALOG", "LK"],
    ["880", "1612345678", "AIRTEL", "BD"],
    ["880", "1812345678", "ROBI", "BD"],
    ["227", "90123456", "ZAMANI", "NE"],
    ["43", "6991234567", "DREI", "AT"],
  ])("+%s %s belongs to %s of %s", (callingCode, national, brand, country) => {
    expect(carrier(callingCode, national)).toMatchObject({ brand, country });
  });

  it("contains carriers whose brand the catalog does not sell", () => {
    expect(carrier("258", "891234567")).toMatchObject({ name: "GMPCS", brand: "", country: "MZ" });
    expect(carrier("7", "9251234567")).toMatchObject({ brand: "", country: "RU" });
  });

  it("has no carriers for Mexico and most of the United States", () => {
    expect(carrier("52", "5512345678")).toBeUndefined();
    expect(carrier("1", "2125551234")).toBeUndefined();
  });
});

describe("the networks of carriers", () => {
  const rows = new Set(all().map(({ mcc, mnc }) => `${mcc}-${mnc}`));

  it("appear in the list of networks, or have only the country's code", () => {
    const wrong = data.carriers.filter(({ country, mcc, mnc }) =>
      mnc === "" ? mcc !== (data.mobileCountryCodes[country] ?? "") : !rows.has(`${mcc}-${mnc}`),
    );
    expect(wrong).toEqual([]);
  });

  it("exist for all but eight brands of the catalog", () => {
    const sold = data.carriers.filter(({ brand }) => brand !== "");
    expect(sold.length).toBeGreaterThan(380);
    const unknown = sold.filter(({ mnc }) => mnc === "");
    const names = unknown.map(({ country, brand }) => `${country} ${brand}`);
    expect(names.sort((a, b) => (a < b ? -1 : 1))).toEqual([
      "BJ CELTIIS",
      "CH LYCAMOBILE",
      "ET SAFARICOM",
      "PG VODAFONE",
      "SA SALAM",
      "SE LYCAMOBILE",
      "SN PROMOBILE",
      "UG LYCAMOBILE",
    ]);
  });

  it("exist for nine tenths of the numbers in four fifths of the countries", () => {
    const countries = new Map<string, { all: number; known: number }>();
    for (const [callingCode, names] of readCarrierData()) {
      for (const national of names.keys()) {
        const { name = "", country = "", mnc = "" } = carrier(callingCode, national) ?? {};
        if (name === "") continue;
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

  it("match the networks of the hosts if the carriers are virtual operators", () => {
    expect(carrier("44", "7440123456")).toEqual({
      name: "Lycamobile",
      brand: "LYCAMOBILE",
      country: "GB",
      knownAs: "EE",
      mcc: "234",
      mnc: "30",
    });
    expect(carrier("44", "7343123456")).toMatchObject({ name: "Lebara", knownAs: "Vodafone" });
    // The data has the host's name. The virtual operator has no brand.
    expect(carrier("84", "871234567")).toEqual({
      name: "Itel",
      brand: "",
      country: "VN",
      knownAs: "VinaPhone",
      mcc: "452",
      mnc: "02",
    });
    const unknown = { brand: "LYCAMOBILE", knownAs: "", mcc: "240", mnc: "" };
    expect(carrier("46", "727612345")).toMatchObject(unknown);
  });

  it("have their everyday names, not the names of registered companies", () => {
    const names = (country: string) =>
      new Set(data.carriers.filter((c) => c.country === country).map(({ knownAs }) => knownAs));
    expect(names("GT")).toEqual(new Set(["Claro", "Tigo"]));
    expect(names("HN")).toContain("Tigo");
    expect(names("HN")).not.toContain("Celtel (Tigo)");
    expect(names("SE")).toContain("3");
    expect(names("CU")).toEqual(new Set(["Cubacel"]));
    expect(names("NE")).toContain("Zamani");
    expect(names("NE")).not.toContain("Orange");
    expect(names("AT")).not.toContain("Orange AT");
  });

  it("have no mobile country code derived from the country if the country has several such codes", () => {
    expect(data.mobileCountryCodes).toMatchObject({ GT: "704", MX: "334", CA: "302" });
    for (const country of ["US", "IN", "GB", "JP", "AX"]) {
      expect(data.mobileCountryCodes[country]).toBeUndefined();
    }
  });
});

describe("collapse", () => {
  const ten = (prefix: string, answer: string): [string, string][] =>
    Array.from({ length: 10 }, (_, digit) => [`${prefix}${digit}`, answer]);

  it("joins ten prefixes with the same result, level by level", () => {
    const table = new Map(ten("3", "a").flatMap(([prefix]) => ten(prefix, "a")));
    expect(collapse(table)).toEqual(new Map([["3", "a"]]));
  });

  it("does not join nine prefixes, because the tenth has another result", () => {
    expect(collapse(new Map(ten("3", "a").slice(1))).size).toBe(9);
  });

  it("retains a longer prefix only if its result differs", () => {
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
