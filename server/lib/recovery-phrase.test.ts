import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPhrase, PHRASE_WORDS, parsePhrase, toPhrase } from "./recovery-phrase.ts";

const entropies = fc.uint8Array({ minLength: 16, maxLength: 16 });

describe("recovery phrase", () => {
  it("encodes the vectors of BIP 39", () => {
    expect(toPhrase(Buffer.alloc(16))).toBe(`${"abandon ".repeat(11)}about`);
    expect(toPhrase(Buffer.alloc(16, 0x7f))).toBe(
      "legal winner thank year wave sausage worth useful legal winner thank yellow",
    );
    expect(toPhrase(Buffer.alloc(16, 0xff))).toBe(`${"zoo ".repeat(11)}wrong`);
  });

  it("returns the bits that it was made from", () => {
    fc.assert(
      fc.property(entropies, (bytes) => {
        const entropy = Buffer.from(bytes);
        expect(parsePhrase(toPhrase(entropy))).toEqual(entropy);
      }),
    );
  });

  it("accepts capitals, numbers, line breaks and the first four letters of a word", () => {
    const phrase = createPhrase();
    const printed = phrase.split(" ").map((word, at) => `${at + 1}. ${word.toUpperCase()}`);
    expect(printed).toHaveLength(PHRASE_WORDS);
    expect(parsePhrase(printed.join("\n"))).toEqual(parsePhrase(phrase));
    const short = phrase.split(" ").map((word) => word.slice(0, 4));
    expect(parsePhrase(short.join(" "))).toEqual(parsePhrase(phrase));
  });

  it("names the word that is not on the list, a missing word, and a wrong order", () => {
    const right = "legal winner thank year wave sausage worth useful legal winner thank yellow";
    expect(() => parsePhrase(right.replace("sausage", "sausige"))).toThrow(/Word 6 .*"sausige"/);
    expect(() => parsePhrase(right.replace("sausage ", ""))).toThrow(
      "has 12 words; this one has 11",
    );
    expect(() => parsePhrase(right.replace("legal winner", "winner legal"))).toThrow(/order/);
  });
});
