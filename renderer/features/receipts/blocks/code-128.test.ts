import fc from "fast-check";
import { expect, test } from "vitest";
import { readRuns } from "../../../../e2e/support/code-128-reader.ts";
import { code128, SYMBOLS } from "./scan-code.ts";

const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0);

test("every symbol of Code 128 is unique and eleven units wide, with an even number of black units", () => {
  for (const symbol of SYMBOLS.slice(0, -1).map((widths) => [...widths].map(Number))) {
    expect(sum(symbol)).toBe(11);
    expect((symbol[0]! + symbol[2]! + symbol[4]!) % 2).toBe(0);
  }
  expect(new Set(SYMBOLS).size).toBe(107);
});

test("the barcode of a sale number starts in set C, and ends with its checksum and the stop symbol", () => {
  // 105 (start C) + 1 × 00 + 2 × 01 + 3 × 24 = 179; 179 mod 103 = 76.
  const widths = code128("000124")!;
  expect(widths.slice(0, 6).join("")).toBe("211232");
  expect(widths.slice(6, 24).join("")).toBe("212222" + "222122" + "311222");
  expect(widths.slice(24, 30).join("")).toBe(SYMBOLS[76]);
  expect(widths.slice(30).join("")).toBe("2331112");
});

test("the barcode of letters starts in set B, and has the checksum of ISO/IEC 15417", () => {
  const widths = code128("Wikipedia")!;
  expect(widths.slice(0, 6).join("")).toBe("211214");
  expect(widths.slice(-13, -7).join("")).toBe(SYMBOLS[88]);
});

test("a decoder returns the encoded text for any letters and digits", () => {
  const text = fc.stringMatching(/^([ -~]|[0-9]{3,7}){1,24}$/);
  fc.assert(
    fc.property(text, (written) => {
      expect(readRuns(code128(written)!, SYMBOLS)).toBe(written);
    }),
  );
});

test("digits have the shortest barcode: pairs in set C, and an odd digit in set B", () => {
  const symbols = (text: string) => (code128(text)!.length - 7) / 6 - 2;
  expect(symbols("6006491234567890")).toBe(8);
  expect(symbols("600649123456789")).toBe(9);
  expect(symbols("AB12345678")).toBe(7);
});

test("a text with unsupported characters has no barcode", () => {
  expect(code128("")).toBeUndefined();
  expect(code128("PIN ñ")).toBeUndefined();
  expect(code128("12\n34")).toBeUndefined();
});
