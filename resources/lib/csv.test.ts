import { describe, expect, it } from "vitest";
import { keyed, parseTable } from "./csv.ts";

const parse = (text: string) => parseTable("t.csv", text, ["code", "name"]);

describe("parseTable", () => {
  it("reads plain and quoted cells with their file and line", () => {
    expect(parse('code,name\nA,"Guinea, Republic"\nB,\n')).toEqual([
      { at: "t.csv:2", cells: { code: "A", name: "Guinea, Republic" } },
      { at: "t.csv:3", cells: { code: "B", name: "" } },
    ]);
  });

  it.each([
    ["code,title\n", 't.csv:1: expected the header "code,name"'],
    ["code,name\nA,x\nB\n", "t.csv:3: expected 2 cells, found 1"],
    ["code,name\n\n", "t.csv:2: expected 2 cells, found 1"],
    ['code,name\nA,x"y\n', "t.csv:2: a quote is out of place"],
    ['code,name\nA,"x"y\n', "t.csv:2: a quote is out of place"],
    ["code,name\nA, x\n", 't.csv:2: " x" has space around it'],
    ["code,name\nA,x\r\n", 't.csv:2: "x\r" has space around it'],
    ["code,name\nA,x", "t.csv: the last line must end with a line feed"],
  ])("refuses %j", (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});

describe("keyed", () => {
  it("refuses a repeated key", () => {
    const rows = parse("code,name\nA,x\nA,y\n");
    expect(() => keyed(rows, ({ cells }) => [cells.code, cells.name])).toThrow(
      "t.csv:3: A is there twice",
    );
  });
});
