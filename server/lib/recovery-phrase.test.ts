import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createPhrase,
  PHRASE_WORDS,
  type PhraseFault,
  parsePhrase,
  toPhrase,
} from "./recovery-phrase.ts";

const entropies = fc.uint8Array({ minLength: 16, maxLength: 16 });

describe("recovery phrase", () => {
  it("encodes the test vectors of BIP 39", async () => {
    expect(await toPhrase(Buffer.alloc(16))).toBe(`${"abandon ".repeat(11)}about`);
    expect(await toPhrase(Buffer.alloc(16, 0x7f))).toBe(
      "legal winner thank year wave sausage worth useful legal winner thank yellow",
    );
    expect(await toPhrase(Buffer.alloc(16, 0xff))).toBe(`${"zoo ".repeat(11)}wrong`);
  });

  it("yields the entropy from which it was encoded", async () => {
    await fc.assert(
      fc.asyncProperty(entropies, async (bytes) => {
        const entropy = Buffer.from(bytes);
        expect(await parsePhrase(await toPhrase(entropy))).toEqual(entropy);
      }),
    );
  });

  it("may be typed with capitals, numbers and line breaks, and with only four letters of each word", async () => {
    const phrase = await createPhrase();
    const printed = phrase.split(" ").map((word, at) => `${at + 1}. ${word.toUpperCase()}`);
    expect(printed).toHaveLength(PHRASE_WORDS);
    const entropy = await parsePhrase(phrase);
    expect(await parsePhrase(printed.join("\n"))).toEqual(entropy);
    const short = phrase.split(" ").map((word) => word.slice(0, 4));
    expect(await parsePhrase(short.join(" "))).toEqual(entropy);
  });

  it("has different error messages for an unknown word, a missing word and a wrong order", async () => {
    const right = "legal winner thank year wave sausage worth useful legal winner thank yellow";
    const refuse = (typed: string, why: RegExp, fault: PhraseFault) =>
      expect(parsePhrase(typed)).rejects.toMatchObject({
        message: expect.stringMatching(why),
        fault,
      });
    const unknown = right.replace("sausage", "sausige");
    await refuse(unknown, /Word 6 .*"sausige"/, { kind: "WORD", number: 6 });
    const short = right.replace("sausage ", "");
    await refuse(short, /has 12 words; this one has 11/, { kind: "COUNT", number: 11 });
    const turned = right.replace("legal winner", "winner legal");
    await refuse(turned, /order/, { kind: "CHECKSUM" });
  });
});
