import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { catalogFrom, RATES_FILE, TABLES_DIR } from "./catalog.ts";
import { readTables } from "./tables.ts";

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

describe("the tables", () => {
  it.each([
    ["countries.csv", "AE,Emirates,AED,Middle East", '"Middle East" is not a region'],
    ["countries.csv", "AE,Emirates,DHS,Asia", '"DHS" is not a currency of ISO 4217'],
    ["countries.csv", "ARE,Emirates,AED,Asia", '"ARE" is not a two-letter country code'],
    ["brands.csv", "A1,A1,red,Austria", 'brandColor "red" is not #RRGGBB'],
    ["brands.csv", "a-1,A1,#DA291C,Austria", 'brand "a-1" is not a code'],
    ["operators.csv", "XX,DU,,,20 30,5,100,0.5,5,4,0,0,0", 'unknown country "XX"'],
    ["operators.csv", "AE,NOPE,,,20 30,5,100,0.5,5,4,0,0,0", 'unknown brand "NOPE"'],
    ["operators.csv", "AE,DU,,,30 20,5,100,0.5,5,4,0,0,0", "topups must rise from left to right"],
    ["operators.csv", "AE,DU,,,20 30,5,,0.5,5,4,0,0,0", 'rangeMaxUsd "" is no number'],
    ["operators.csv", "AE,DU,,,20 30,5,99,0.5,5,4,0,0,0", "must be a multiple of rangeMinUsd"],
    ["operators.csv", "AE,DU,,,20 30,5,100,0.3,5,4,0,0,0", "in whole steps"],
    ["operators.csv", "AE,DU,,,20 30,5,100,0.5,0,4,0,0,0", "discountPct must be more than 0"],
    ["plans.csv", "AE,NOPE,3,7,0,0,50", "no operator AE NOPE"],
    ["plans.csv", "AE,DU,3,0,0,0,50", "durationDays must be more than 0"],
    ["plans.csv", "AE,DU,3,7,1.5,0,50", 'voiceMinutes "1.5" is not a whole number'],
  ])("refuse in %s the line %j", (file, line, message) => {
    replaceLine(file, 2, line);
    expect(() => readTables(dir, RATES_FILE)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          new RegExp(`^${file}:2: .*${message.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`),
        ),
      }),
    );
  });

  it("refuse to disable an offer that does not exist", () => {
    replaceLine("disabled-offers.csv", 2, "NO_SUCH_OFFER,Withdrawn.");
    expect(() => catalogFrom(dir)).toThrow("disabled-offers.csv:2: no offer NO_SUCH_OFFER");
  });
});
