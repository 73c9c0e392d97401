import { expect, test } from "vitest";
import { code128 } from "./code-128.ts";

const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0);

test("every symbol is eleven units wide, its bars an even number of them, and like no other", () => {
  const seen = new Set<string>();
  for (let value = 0; value < 100; value++) {
    const symbol = code128(String(value).padStart(2, "0")).slice(6, 12);
    expect(sum(symbol)).toBe(11);
    expect((symbol[0]! + symbol[2]! + symbol[4]!) % 2).toBe(0);
    seen.add(symbol.join(""));
  }
  expect(seen.size).toBe(100);
});

test("a sale's number begins in set C, ends with its check and the stop", () => {
  // 105 (start C) + 1 × 00 + 2 × 01 + 3 × 24 = 179; 179 mod 103 = 76.
  const widths = code128("000124");
  expect(widths.slice(0, 6).join("")).toBe("211232");
  expect(widths.slice(6, 24).join("")).toBe("212222" + "222122" + "311222");
  expect(widths.slice(24, 30)).toEqual(code128("76").slice(6, 12));
  expect(widths.slice(30).join("")).toBe("2331112");
});
