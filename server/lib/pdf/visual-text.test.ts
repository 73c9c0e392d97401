import { join } from "node:path";
import { expect, it } from "vitest";
import { readTypeface } from "./typeface.ts";
import { arrange, showable } from "./visual-text.ts";

const { regular } = await readTypeface(join(import.meta.dirname, "../../../resources"));
const seen = (text: string, direction: "ltr" | "rtl") =>
  arrange(text, direction, regular).map((piece) => piece.text);
/** Returns the glyphs from left to right, as they are drawn. */
const glyphsOf = (text: string) => {
  const [piece] = arrange(text, "rtl", regular);
  return piece?.face.font.layout(piece.text).glyphs ?? [];
};

// The letters of each expected piece are in typing order, because the font itself lays out Arabic
// from the right.
it.each([
  ["an amount among Arabic", "المبيع \u2066Q 12.50\u2069 نقدًا", "rtl", "نقدًا| |Q 12.50|المبيع "],
  ["brackets, which are turned around", "(نقدًا)", "rtl", "نقدًا(|)"],
  // The digits are reversed before drawing, because the font lays them out like Arabic letters.
  ["Arabic digits, which run from left to right", "٣٤٥", "rtl", "٥٤٣"],
  ["a name in Latin among Arabic", "متجر Corner Shop هنا", "rtl", "هنا| |Corner Shop|متجر "],
  ["a name in Arabic among Latin", "By علي, 2", "ltr", "By |2|علي, "],
] as const)("text is arranged in visual order: %s", (_, text, direction, pieces) => {
  expect(seen(text, direction)).toEqual(pieces.split("|"));
});

it("Arabic letters have the joined form for their position, and the first letter is on the right", () => {
  const glyphs = glyphsOf("ببب");
  expect(new Set(glyphs.map(({ id }) => id)).size).toBe(3);
  expect(glyphsOf("بابا").map(({ codePoints }) => String.fromCodePoint(...codePoints))).toEqual([
    "ا",
    "ب",
    "ا",
    "ب",
  ]);
});

it("a text has one glyph per letter or required ligature, so that the document can be searched", () => {
  const texts = ["لا شيء بر تن", "العلامة التجارية", "أُعدّ بواسطة", "إلى الأدراج"];
  for (const glyph of texts.flatMap(glyphsOf)) expect(glyph.codePoints).toHaveLength(1);
  expect(glyphsOf("لا").map(({ codePoints }) => codePoints)).toEqual([[0xfefb]]);
  expect(glyphsOf("لا").map(({ codePoints }) => codePoints)).toEqual([[0xfefb]]);
});

it("a character that no font contains is replaced by a single replacement character", () => {
  expect(showable("李 👩‍👧 Ñandú Жуĸ ₦ Nguyễn\t1", regular)).toBe(
    "\uFFFD \uFFFD Ñandú Жуĸ ₦ Nguyễn 1",
  );
});
