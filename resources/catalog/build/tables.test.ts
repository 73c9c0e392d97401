import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { catalogFrom, TABLES_DIR } from "./catalog.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tables-"));
  cpSync(TABLES_DIR, dir, { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true }));

function replaceLine(file: string, line: number, text: string): void {
  const path = join(dir, file);
  const lines = readFileSync(path, "utf8").split("\n");
  lines[line - 1] = text;
  writeFileSync(path, lines.join("\n"));
}

function biller({
  service = "WATER",
  fields = "accountNumber",
  retrieval = "",
  cutoff = "17:00",
  days = "MONDAY-FRIDAY",
  range = "5,200",
}): string {
  return `AR,AYSA,${service},${fields},${retrieval},no,no,${cutoff},${days},no,60,,${range},1,0,0,0,100`;
}

function promo({
  kind = "EXTRA",
  brand = "CLARO",
  days = "2025-01-20,2025-02-02",
  limits = "5,25",
  languages = "es",
}): string {
  return `CLARO_SV_TEST,${kind},${brand},SV,${days},${limits},2,${languages}`;
}

describe("the tables' readers", () => {
  it.each([
    ["countries.csv", "AE,Emirates,AED,Middle East", '"Middle East" is not a region'],
    ["countries.csv", "AE,Emirates,DHS,Asia", '"DHS" is not a currency of ISO 4217'],
    ["countries.csv", "ARE,Emirates,AED,Asia", '"ARE" is not a two-letter country code'],
    ["brands.csv", "A1,A1,red,Austria", 'brandColor "red" is not #RRGGBB'],
    ["brands.csv", "a-1,A1,#DA291C,Austria", 'brand "a-1" is not a code'],
    ["operators.csv", "XX,DU,,,20 30,5,100,0.5,,5,4,0,0,0", 'unknown country "XX"'],
    ["operators.csv", "AE,NOPE,,,20 30,5,100,0.5,,5,4,0,0,0", 'unknown brand "NOPE"'],
    ["operators.csv", "AE,DU,,,30 20,5,100,0.5,,5,4,0,0,0", "topups must rise from left to right"],
    ["operators.csv", "AE,DU,,,20 30,5,,0.5,,5,4,0,0,0", 'rangeMaxUsd "" is no number'],
    ["operators.csv", "AE,DU,,,20 30,5,99,0.5,,5,4,0,0,0", "must be a multiple of rangeMinUsd"],
    ["operators.csv", "AE,DU,,,20 30,5,100,0.3,,5,4,0,0,0", "in whole steps"],
    ["operators.csv", "AE,DU,,,20 30,5,100,0.5,,0,4,0,0,0", "discountPct must be more than 0"],
    ["operators.csv", "AE,DU,,,20 30,5,100,0.5,4,5,4,0,0,0", "4 USD is no price of the free value"],
    ["operators.csv", "AE,DU,,,20 30,,,,5,5,4,0,0,0", "usdPrices need a free value"],
    ["operators.csv", "AE,DU,USD,,20 30,5,100,0.5,5,5,4,0,0,0", "not counted in US dollars"],
    ["plans.csv", "AE,NOPE,,3,7,0,0,50", "no operator AE NOPE"],
    ["plans.csv", "AE,DU,,3,0,0,0,50", "durationDays must be more than 0"],
    ["plans.csv", "AE,DU,,3,7,1.5,0,50", 'voiceMinutes "1.5" is not a whole number'],
    ["esim-countries.csv", "AND,,,FAIR,3G|4G", '"AND" is not a two-letter country code'],
    ["esim-countries.csv", "AD,,,FAIR,3G|4G", "name is empty"],
    [
      "esim-countries.csv",
      "FR,France,Asia,FAIR,4G",
      "FR has its name and regions in countries.csv",
    ],
    ["esim-countries.csv", "AD,Andorra,Asia,FAIR,5G|4G", 'dataSpeeds "5G|4G" is not some of'],
    ["esim-areas.csv", "AFRICA,Africa,Africa,AREA_HIGH,KE XX", 'unknown place "XX"'],
    ["esim-areas.csv", "AFRICA,Africa,Africa,AREA_HIGH,KE EG", '"EG" is out of order'],
    ["esim-areas.csv", "AF,Africa,Africa,AREA_HIGH,KE", "an area's code must not be a country's"],
    ["esim-brands.csv", "NOPE,FR,ASIA,18", 'unknown brand "NOPE"'],
    ["esim-brands.csv", "AIRALO,DO,,18", "no plans for AIRALO MIDDLE (DO)"],
    ["esim-plans.csv", "AIRALO,NOWHERE,1,7,0,0,4.00", "nothing is sold in AIRALO NOWHERE"],
    ["esim-plans.csv", "AIRALO,LOW,0,7,50,0,4.00", "a plan without data is not sold as an eSIM"],
    ["billers.csv", biller({ service: "RENT" }), 'unknown service "RENT"'],
    ["billers.csv", biller({ fields: "" }), "requiredFields is empty"],
    ["billers.csv", biller({ retrieval: "billIdentifier" }), "billIdentifier is not required"],
    ["billers.csv", biller({ cutoff: "24:00" }), 'cutoffTime "24:00" is not HH:MM'],
    ["billers.csv", biller({ days: "MONDAY" }), 'processingDays "MONDAY" is not like'],
    ["billers.csv", biller({ range: "," }), "neither fixed values nor a range"],
    ["billers-services.csv", "CONTRIBUTION,,the bill", "subType and bill must be given"],
    ["promos.csv", promo({ brand: "AIRALO" }), "no TOPUP of AIRALO is sold in SV"],
    ["promos.csv", promo({ kind: "NOPE" }), "no text for NOPE en"],
    ["promos.csv", promo({ limits: "50,5" }), "max is less than min"],
    ["promos.csv", promo({ limits: "1.005,5" }), "min has too many decimals"],
    ["promos.csv", promo({ limits: "400,500" }), "no offer of CLARO is between min and max"],
    ["promos.csv", promo({ days: "2025-02-01,2025-01-31" }), "lastDay is before firstDay"],
    ["promos.csv", promo({ days: "2025-02-30,2025-03-31" }), 'firstDay "2025-02-30" is not a day'],
    ["promos.csv", promo({ languages: "fr|es" }), 'language "es" is out of order'],
    ["promos.csv", promo({ languages: "en" }), "English is always there"],
    ["promos-texts.csv", "BONUS_DATA,en,Now {extra} more.,Terms.", "unknown placeholder {extra}"],
    ["promos-texts.csv", "NOPE,en,Text.,Terms.", "no text for BONUS_DATA en", "promos.csv:2"],
  ])("refuse in %s the line %j", (file, line, message, at = `${file}:2`) => {
    replaceLine(file, 2, line);
    expect(() => catalogFrom(dir)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          new RegExp(`^${at}: .*${message.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`),
        ),
      }),
    );
  });

  it("refuse to disable an offer that does not exist", () => {
    replaceLine("disabled-offers.csv", 2, "NO_SUCH_OFFER,Withdrawn.");
    expect(() => catalogFrom(dir)).toThrow("disabled-offers.csv:2: no offer NO_SUCH_OFFER");
  });
});
