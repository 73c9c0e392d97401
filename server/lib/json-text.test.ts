import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkJsonText, JsonFault, locateValues, placeOf } from "./json-text.ts";

function faultOf(text: string): string {
  try {
    checkJsonText(text);
    return "none";
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const { line, column } = placeOf(text, error.offset);
    return `${line}:${column} ${error.message}`;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("JSON check", () => {
  it.each([
    ["", "1:1 ends where a value was expected"],
    ['{"a": 1,\n "b": }', '2:7 has "}" where a value was expected'],
    ["[1,\n2,\n]", '3:1 has "]" where a value was expected'],
    ['{"a": 1\n', '2:1 ends where "," or "}" was expected'],
    ["{a: 1}", '1:2 has "a" where a name in double quotes was expected'],
    ['{"a" 1}', '1:6 has "1" where ":" was expected'],
    ["[1] x", '1:5 has "x" where the end of the text was expected'],
    ['["open', "1:2 a string has no end"],
    ['["a\nb"]', '1:4 has "\\n" where the end of the string or an escape was expected'],
    ["[01]", '1:3 has "1" where "," or "]" was expected'],
    ['{"a": 1,\r\n"a": 2}', '2:1 has the name "a" twice'],
    ['{"a": 1, "\\u0061": 2}', '1:10 has the name "a" twice'],
    ["[".repeat(200), "1:102 is nested too deeply"],
    ["['a']", '1:2 has "\'" where a value was expected'],
    ["[😀]", '1:2 has "😀" where a value was expected'],
  ])("locates the error of %j at %s", (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it("accepts exactly the texts that JSON.parse accepts", () => {
    const damaged = fc
      .tuple(
        fc.json({ maxDepth: 4 }),
        fc.nat(),
        fc.nat(3),
        fc.constantFrom("", ...'{}[]",:0\\e-.'.split("")),
      )
      .map(([text, at, cut, put]) => {
        const from = text.length === 0 ? 0 : at % text.length;
        return text.slice(0, from) + put + text.slice(from + cut);
      });
    fc.assert(
      fc.property(damaged, (text) => {
        const fault = faultOf(text);
        return fault.includes("twice") || (fault === "none") === isJson(text);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("location of a value", () => {
  /** Yields each path in a value, with the value at the path. */
  function* leaves(
    value: unknown,
    path: (string | number)[] = [],
  ): Generator<[(string | number)[], unknown]> {
    yield [path, value];
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) yield* leaves(item, [...path, index]);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) yield* leaves(item, [...path, key]);
    }
  }

  it("points to the start of the value's text in any layout", () => {
    const laidOut = fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2, "\t"));
    fc.assert(
      fc.property(laidOut, ([value, indent]) => {
        const text = `\n ${JSON.stringify(value, null, indent)}`;
        const all = [...leaves(JSON.parse(text))];
        const offsets = locateValues(
          text,
          all.map(([path]) => path),
        );
        for (const [index, [, item]] of all.entries()) {
          const shown = JSON.stringify(item);
          const found = text.slice(offsets[index]).replaceAll(/\s/g, "");
          expect(found.startsWith(shown.replaceAll(/\s/g, ""))).toBe(true);
        }
      }),
    );
  });

  it("points to the parent of a missing value", () => {
    const text = '{"a": [ {"b": 1} ]}';
    expect(locateValues(text, [["a", 0, "c", "d"], ["x"], ["a", 0, "b"]])).toEqual([8, 0, 14]);
  });
});
