import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { catalogFrom, offersOf, TABLES_DIR } from "./catalog.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "changes-"));
  cpSync(TABLES_DIR, dir, { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true }));

const HEADER = "country,brand,kind,from,to,date,source,checked";

function catalogOn(day: string, ...rows: string[]) {
  const path = join(dir, "market-changes.csv");
  writeFileSync(path, `${[HEADER, ...rows].join("\n")}\n`);
  return catalogFrom(dir, `${day}T00:00:00.000Z`);
}

function offersOn(day: string, row: string, country: string, brand: string) {
  const catalog = catalogOn(day, row);
  const offers = offersOf(catalog).filter((o) => o.country === country && o.brand === brand);
  return { catalog, offers };
}

describe("a market change", () => {
  const RENAMED = "CL,VTR,renamed,VTR,Claro hogar,2026-06-01,Press release,2026-11-22";

  it("renames a brand everywhere in the catalog from the date of the change", () => {
    const names = (day: string) => {
      const { catalog, offers } = offersOn(day, RENAMED, "CL", "VTR");
      expect(offers.length).toBeGreaterThan(0);
      const detail = catalog.brands.find(({ brand }) => brand === "VTR");
      return new Set([detail?.brandName, ...offers.map(({ brandName }) => brandName)]);
    };
    expect(names("2026-05-31")).toEqual(new Set(["VTR"]));
    expect(names("2026-06-01")).toEqual(new Set(["Claro hogar"]));
  });

  it.each([
    ["ended", "", "Not sold since 2026-03-05."],
    ["merged", "NETFLIX", "Part of Netflix since 2026-03-05."],
  ])("disables a brand's offers with the reason if it %s", (kind, to, words) => {
    const row = `KE,SHOWMAX,${kind},Showmax,${to},2026-03-05,Announcement,2026-11-22`;
    const before = offersOn("2026-03-04", row, "KE", "SHOWMAX").offers;
    expect(before.map(({ enabled }) => enabled)).toEqual([true, true]);
    const { offers, catalog } = offersOn("2026-03-05", row, "KE", "SHOWMAX");
    expect(offers.map(({ offerId }) => offerId)).toEqual(before.map(({ offerId }) => offerId));
    for (const { enabled, notes } of offers) {
      expect(enabled).toBe(false);
      expect(notes.endsWith(` ${words}`)).toBe(true);
    }
    const elsewhere = catalog.vouchers.filter((o) => o.brand === "SHOWMAX" && o.country === "NG");
    expect(elsewhere.map(({ enabled }) => enabled)).toEqual([true, true]);
  });

  it("keeps a brand out of the catalog before the brand's start", () => {
    const row = "JO,HYPERMAX,starts,,HyperMax,2026-12-01,Announcement,2026-11-22";
    expect(() => catalogOn("2026-11-30", row)).toThrow("to must be empty");
    const start = "JO,HYPERMAX,starts,,,2026-12-01,Announcement,2026-11-22";
    const { offers, catalog } = offersOn("2026-11-30", start, "JO", "HYPERMAX");
    expect(offers).toEqual([]);
    const detail = catalog.brands.find(({ brand }) => brand === "HYPERMAX");
    expect(new Set(detail?.redemptionInstructionInfos.map(({ country }) => country))).toEqual(
      new Set(["OM"]),
    );
    expect(offersOn("2026-12-01", start, "JO", "HYPERMAX").offers.length).toBeGreaterThan(0);
  });

  it("has no effect as long as it has no date", () => {
    const row = "KE,SHOWMAX,ended,Showmax,,,Rumour,2026-11-22";
    const { offers } = offersOn("2026-11-22", row, "KE", "SHOWMAX");
    expect(offers.map(({ enabled }) => enabled)).toEqual([true, true]);
  });

  it("refuses the remaining promotions of a brand that it ends", () => {
    const row = "CU,CUBACEL,ended,Cubacel,,2026-03-05,Invented,2026-11-22";
    expect(() => catalogOn("2026-11-22", row)).toThrow("no TOPUP of CUBACEL is sold in CU");
  });

  it.each([
    ["is of no brand", RENAMED.replace("VTR", "NOPE"), 'unknown brand "NOPE"'],
    ["had another name before", RENAMED.replace(",VTR,Cl", ",VTX,Cl"), 'was called "VTR"'],
    ["is of no kind", RENAMED.replace("renamed", "grew"), 'kind "grew" is not a kind'],
    ["has no source", RENAMED.replace("Press release", ""), "source is empty"],
    ["was never looked up", RENAMED.replace("2026-11-22", ""), 'checked "" is not a day'],
    ["leads nowhere", RENAMED.replace("Claro hogar", ""), "to is empty"],
    [
      "renames what is sold elsewhere too",
      "CO,MOVISTAR,renamed,Movistar,Tigo,2026-06-01,Press release,2026-11-22",
      "MOVISTAR is sold in",
    ],
    [
      "goes to no brand",
      "KE,SHOWMAX,merged,Showmax,NOPE,2026-03-05,Press release,2026-11-22",
      'unknown brand "NOPE"',
    ],
  ])("causes an error that names its line if it %s", (_what, row, words) => {
    expect(() => catalogOn("2026-11-22", row)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(words) }),
    );
    expect(() => catalogOn("2026-11-22", row)).toThrow(/^market-changes\.csv:2: /);
  });

  it("must be verified again before the tables' date is moved to a year later", () => {
    const row = "UY,MOVISTAR,renamed,Movistar,,,Press release,2026-11-22";
    expect(() => catalogOn("2027-11-23", row)).not.toThrow();
    expect(() => catalogOn("2027-11-24", row)).toThrow("look it up again");
    expect(() => catalogOn("2029-01-01", RENAMED)).not.toThrow();
  });
});

it("an earlier tables' date results in another catalog", () => {
  const table = readFileSync(join(TABLES_DIR, "market-changes.csv"), "utf8").trim().split("\n");
  const before = catalogOn("2025-10-29", ...table.slice(1));
  const name = ({ brands }: typeof before) =>
    brands.find(({ brand }) => brand === "MOVISTAR_EC")?.brandName;
  expect([name(before), name(catalogFrom(TABLES_DIR))]).toEqual(["Movistar", "Movistar (Tigo)"]);
});
