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

function edit(file: string, change: (lines: string[]) => void): void {
  const path = join(dir, file);
  const lines = readFileSync(path, "utf8").split("\n");
  change(lines);
  writeFileSync(path, lines.join("\n"));
}

function replaceLine(file: string, line: number, text: string): void {
  edit(file, (lines) => {
    lines[line - 1] = text;
  });
}

function append(file: string, text: string): void {
  edit(file, (lines) => {
    lines.splice(-1, 0, text);
  });
}

const PRODUCTS = "voucher-products.csv";
const COUNTRIES = "voucher-countries.csv";

describe("the readers of voucher and brand tables", () => {
  it.each([
    [PRODUCTS, "NOPE,GIFT,Card,Gaming,EPIN,,ONLINE_CODE,a.com,4,0,0,0,0", 'unknown brand "NOPE"'],
    [PRODUCTS, "APPLE,gift,Card,Gaming,EPIN,,ONLINE_CODE,a.com,4,0,0,0,0", "is not a code"],
    [PRODUCTS, "APPLE,GIFT,,Gaming,EPIN,,ONLINE_CODE,a.com,4,0,0,0,0", "name is empty"],
    [PRODUCTS, "APPLE,GIFT,Card,Games,EPIN,,ONLINE_CODE,a.com,4,0,0,0,0", '"Games" is not a sub'],
    [PRODUCTS, "APPLE,GIFT,Card,Gaming,POST,,ONLINE_CODE,a.com,4,0,0,0,0", '"POST" is not a del'],
    [PRODUCTS, "APPLE,GIFT,Card,Gaming,EPIN,,ONLINE_CODE,a.com,0,0,0,0,0", "more than 0"],
    [COUNTRIES, "XX,APPLE,GIFT,,10,,,,", 'unknown country "XX"'],
    [COUNTRIES, "AE,APPLE,NOPE,,10,,,,", 'unknown product "APPLE NOPE"'],
    [COUNTRIES, "AE,APPLE,GIFT,,,,,,", "neither values nor a range"],
    [COUNTRIES, "AE,APPLE,GIFT,,20 10,,,,", "values must rise from left to right"],
    [COUNTRIES, "AE,APPLE,GIFT,DHS,10,,,,", '"DHS" is not a currency of ISO 4217'],
    [COUNTRIES, "AE,VODACOM,EPIN,,10,,,,", "where is empty here and in the product"],
    ["brand-fields.csv", "NOPE,meter.number,Meter,999", 'unknown brand "NOPE"'],
    ["brand-fields.csv", ",meter.number,,999", "label is empty"],
    ["brand-fields.csv", ",meter.number,Meter,123", 'inputMask "123" is not'],
    ["brand-languages.csv", "XX,es", 'unknown country "XX"'],
    ["brand-languages.csv", "AE,arabic", '"arabic" is not a two-letter language code'],
    ["brand-steps.csv", "NOPE,en,Look.", 'unknown brand "NOPE"'],
    ["voucher-instructions.csv", "ONLINE_CODE,en,Go.||Enter.,Once.", "a step is empty"],
    ["voucher-instructions.csv", "ONLINE_CODE,en,Go to {site}.,Once.", "{site} is not known"],
  ])("refuse in %s the line %j", (file, line, message) => {
    replaceLine(file, 2, line);
    expect(() => catalogFrom(dir)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          new RegExp(`^${file}:2: .*${message.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`),
        ),
      }),
    );
  });

  it("refuse a kind of voucher that is sold in no country", () => {
    append(PRODUCTS, "APPLE,OTHER,Card,Gaming,EPIN,,ONLINE_CODE,apple.com,4,0,0,0,0");
    expect(() => catalogFrom(dir)).toThrow(`${PRODUCTS}: APPLE OTHER is sold nowhere`);
  });

  it("refuse two ways of redeeming that a customer cannot distinguish", () => {
    append(PRODUCTS, "APPLE,OTHER,Card,Gaming,EPIN,,APP_CODE,apple.com,4,0,0,0,0");
    append(COUNTRIES, "US,APPLE,OTHER,,10,,,,");
    expect(() => catalogFrom(dir)).toThrow("APPLE US EPIN is redeemed in two ways");
  });

  it("refuse a way of redeeming without instructions", () => {
    append(PRODUCTS, "APPLE,OTHER,Card,Gaming,EMAIL,,MAGIC,apple.com,4,0,0,0,0");
    append(COUNTRIES, "US,APPLE,OTHER,,10,,,,");
    expect(() => catalogFrom(dir)).toThrow("MAGIC is not written down in English");
  });

  it("refuse a required field without a label", () => {
    append(PRODUCTS, "APPLE,OTHER,Card,Gaming,EMAIL,shoe.size,EMAIL_CARD,a.com,4,0,0,0,0");
    append(COUNTRIES, "US,APPLE,OTHER,,10,,,,");
    expect(() => catalogFrom(dir)).toThrow("brand-fields.csv: no label for shoe.size of APPLE");
  });
});
