import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countErrors, findNearWord } from "./search-index.ts";

const BRANDS = ["netflix", "spotify", "steam", "xbox", "playstation", "roblox"];

describe("findNearWord", () => {
  it.each([
    ["netflx", "netflix"],
    ["netfilx", "netflix"],
    ["netflixx", "netflix"],
    ["spotfy", "spotify"],
    ["staem", "steam"],
    ["plasytaton", "playstation"],
  ])("finds the brand meant by %s", (typed, meant) => {
    expect(findNearWord(typed, BRANDS)).toBe(meant);
  });

  it.each(["xbx", "stxxm", "guatemala", "netherlands"])("finds nothing near %s", (typed) => {
    expect(findNearWord(typed, BRANDS)).toBeUndefined();
  });

  it("returns the closest word, and the first of equally close words", () => {
    expect(findNearWord("roblix", ["roblex", "roblox"])).toBe("roblex");
    expect(findNearWord("playstatio", ["playstatn", "playstation"])).toBe("playstation");
  });
});

describe("countErrors", () => {
  it("returns the same number in both directions, and never more errors than were made", () => {
    const word = fc.stringMatching(/^[a-e]{4,9}$/);
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom("a", "z"), (text, pick, letter) => {
        const at = pick % text.length;
        const wrong = text.slice(0, at) + letter + text.slice(at + 1);
        const missing = text.slice(0, at) + text.slice(at + 1);
        for (const typed of [wrong, missing]) {
          expect(countErrors(typed, text)).toBeLessThanOrEqual(1);
          expect(countErrors(typed, text)).toBe(countErrors(text, typed));
        }
        expect(countErrors(text, text)).toBe(0);
      }),
    );
  });
});
