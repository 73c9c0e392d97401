import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CSV_HEADER, toCsvLine, toHarmlessCell } from "./report-csv.ts";

const SIGNS = ["=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"];

/** Generates characters with a special meaning in a cell, more often than random text would. */
const trouble = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(...SIGNS, ";", "\t", "\r", "\n", '"', ",", "'", "5", " ", "\u00A0", "é", "٣"),
    )
    .map((characters) => characters.join("")),
);

function isFormula(cell: string): boolean {
  return /^[\t\r]/.test(cell) || SIGNS.some((sign) => cell.trimStart().startsWith(sign));
}

describe("a CSV cell", () => {
  it("contains no formula at its start or after a semicolon, unless it is an integer", () => {
    fc.assert(
      fc.property(trouble, (text) => {
        const cell = toHarmlessCell(text);
        if (/^[+-][0-9]+$/.test(cell)) return;
        const [first = "", ...others] = cell.split(";");
        expect(isFormula(first)).toBe(false);
        for (const part of others) {
          const unquoted = part.replace(/^[\s"]+/, "");
          expect(SIGNS.some((sign) => unquoted.startsWith(sign))).toBe(false);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it("contains its text unchanged, with apostrophes added only before formulas", () => {
    fc.assert(
      fc.property(trouble, (text) => {
        const cell = toHarmlessCell(text);
        let at = 0;
        for (const character of cell) {
          if (text.startsWith(character, at)) at += character.length;
          else expect(character).toBe("'");
        }
        expect(at).toBe(text.length);
        const parts = text.split(";").slice(1);
        const needsNone = parts.every((part) => !/^[\s"']*[=+\-@＝＋－＠]/.test(part));
        if (needsNone && (!isFormula(text) || /^[+-][0-9]+$/.test(text))) expect(cell).toBe(text);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    ["=1+1", "'=1+1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\tx", "'\tx"],
    ["\rx", "'\rx"],
    ["+50251234567", "+50251234567"],
    ["-7", "-7"],
    ["-7.5", "'-7.5"],
    ["+1+1", "'+1+1"],
    ["+1\n", "'+1\n"],
    ["+", "'+"],
    ["-", "'-"],
    ["", ""],
    [" =1", "' =1"],
    ["\n\u00A0+1+1", "'\n\u00A0+1+1"],
    ["\uFF1D1+1", "'\uFF1D1+1"],
    ["\uFF0B1", "'\uFF0B1"],
    ["\uFF0D1", "'\uFF0D1"],
    ["\uFF20A1", "'\uFF20A1"],
    ["a;=1+1", "a;'=1+1"],
    ["a; \uFF1D1;@x", "a;' \uFF1D1;'@x"],
    ['a;"=1"', 'a;\'"=1"'],
    ["a;b", "a;b"],
    ["a=1", "a=1"],
  ])("%j is written as %j", (text, cell) => {
    expect(toHarmlessCell(text)).toBe(cell);
  });
});

describe("the text of a CSV file", () => {
  const COLUMNS = CSV_HEADER.split(",").length;

  it("can be parsed unchanged by any reader of RFC 4180", () => {
    const cell = fc.oneof(
      trouble.filter((text) => text.isWellFormed() && !text.startsWith("\ufeff")),
      fc.constant(""),
    );
    const row = fc.array(cell, { minLength: COLUMNS, maxLength: COLUMNS });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const text = rows.map(toCsvLine).join("");
        const read: string[][] = parse(text, { record_delimiter: "\r\n" });
        expect(read).toEqual(rows);
      }),
    );
  });

  it("quotes only cells that require it", () => {
    expect(toCsvLine(["a b", "", "'", "1;2", 'x"', "y,", "z\r", "\n", "é"])).toBe(
      'a b,,\',1;2,"x""","y,","z\r","\n",é\r\n',
    );
  });

  it("starts with the names of the columns", () => {
    expect(CSV_HEADER).toMatch(/^transactionId,.*,refundedTransactionId\r\n$/);
  });
});
