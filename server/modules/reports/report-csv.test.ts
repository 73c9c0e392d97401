import { once } from "node:events";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCsvWriter, toHarmlessCell } from "./report-csv.ts";

/** Everything that makes trouble in a cell, more often than chance would. */
const trouble = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", '"', ",", "'", "5", " ", "é", "٣"))
    .map((characters) => characters.join("")),
);

describe("a cell", () => {
  it("never begins as a formula does, unless it is a sign before digits alone", () => {
    fc.assert(
      fc.property(trouble, (text) => {
        const cell = toHarmlessCell(text);
        if (/^[+-]/.test(cell)) expect(cell).toMatch(/^[+-][0-9]+$/);
        else expect(cell).not.toMatch(/^[=@\t\r]/);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is the text itself, or the text after one apostrophe where it had to be", () => {
    fc.assert(
      fc.property(trouble, (text) => {
        const dangerous = /^[=@\t\r+-]/.test(text) && !/^[+-][0-9]+$/.test(text);
        expect(toHarmlessCell(text)).toBe(dangerous ? `'${text}` : text);
      }),
      { numRuns: 2_000 },
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
    [" =1", " =1"],
    ["a=1", "a=1"],
  ])("%j is written as %j", (text, cell) => {
    expect(toHarmlessCell(text)).toBe(cell);
  });
});

describe("the text", () => {
  async function write(rows: string[][]): Promise<string> {
    const writer = createCsvWriter();
    const chunks: Buffer[] = [];
    writer.on("data", (chunk: Buffer) => chunks.push(chunk));
    for (const row of rows) writer.write(row);
    writer.end();
    await once(writer, "end");
    return Buffer.concat(chunks).toString("utf8");
  }

  it("is read back by any reader of RFC 4180 as it was", async () => {
    const columns = (await write([["x"]])).split("\r\n", 1)[0]!.split(",").length;
    const cell = fc.oneof(
      trouble.filter((text) => text.isWellFormed() && !text.startsWith("\ufeff")),
      fc.constant(""),
    );
    const row = fc.array(cell, { minLength: columns, maxLength: columns });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 5 }), async (rows) => {
        const text = await write(rows);
        expect(text.endsWith("\r\n")).toBe(true);
        const read: string[][] = parse(text, { record_delimiter: "\r\n", from_line: 2 });
        // `from_line` counts lines; a header is always one.
        expect(read).toEqual(rows);
      }),
    );
  });

  it("has a header even when there is no row", async () => {
    expect(await write([])).toMatch(/^transactionId,.*,externalReferenceId\r\n$/);
  });
});
