import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { COUNTED_SALES, findCountedSale, readCountedSales } from "./counted-keys.ts";

const E2E = join(import.meta.dirname, "..");
const ASSERTED = /\bexpect\(counter\.keys[^;]*?\.toBe\(\s*countedKeys\(\s*"([^"]*)"/g;
const OTHER_NUMBER = /\bexpect\(counter\.keys[^;]*?\.toBe\(\s*(?!countedKeys\()/;

const journeys = globSync("*.spec.ts", { cwd: E2E }).map((name) => {
  const source = readFileSync(join(E2E, name), "utf8");
  const asserted = Array.from(source.matchAll(ASSERTED), ([, one]) => findCountedSale(one ?? ""));
  return { name: basename(name), source, asserted };
});

describe("the table of keys in docs/sell.md", () => {
  it("states as many keys as each row lists", () => {
    const wrong = COUNTED_SALES.filter(({ keys, count }) => {
      const listed = keys.map((key) => Number(/^(\d+) letters$/.exec(key)?.[1] ?? 1));
      return listed.reduce((sum, one) => sum + one, 0) !== count;
    });
    expect(wrong).toEqual([]);
    expect(COUNTED_SALES.length).toBeGreaterThan(15);
  });

  it("names for each row an end-to-end test that counts the row's keys", () => {
    const missing = COUNTED_SALES.flatMap(({ what, journeys: named }) =>
      (named.length > 0 ? named : ["no journey"])
        .filter((name) =>
          journeys.every((journey) => {
            const isCounted = journey.asserted.some((one) => one.what === what);
            return journey.name !== name || !isCounted;
          }),
        )
        .map((name) => `${name} does not count the keys of "${what}"`),
    );
    expect(missing).toEqual([]);
  });

  it("provides every key count that end-to-end tests expect", () => {
    const others = journeys.filter(({ source }) => OTHER_NUMBER.test(source));
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  it("causes an error if a row has another format", () => {
    const table = (keys: string) =>
      `\n## Keys per sale\n\n| What | Keys | Journey |\n|---|---|---|\n| A card | ${keys} | \`a.spec.ts\` |\n`;
    expect(readCountedSales(table("the letters + 2: `Enter` (a, b), `Enter`"))).toEqual([
      {
        what: "A card",
        isTyped: true,
        count: 2,
        keys: ["`Enter`", "`Enter`"],
        journeys: ["a.spec.ts"],
      },
    ]);
    expect(() => readCountedSales(table("`Enter`, `Enter`"))).toThrow(/A card/);
  });
});
