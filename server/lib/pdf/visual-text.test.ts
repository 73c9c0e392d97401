import { join } from "node:path";
import { expect, it } from "vitest";
import { readTypeface } from "./typeface.ts";
import { arrange, showable } from "./visual-text.ts";

const { regular } = await readTypeface(join(import.meta.dirname, "../../../resources"));
const seen = (text: string, direction: "ltr" | "rtl") =>
  arrange(text, direction, regular).map((piece) => piece.text);
/** Returns glyphs from left to right, as drawn. */
const glyphsOf = (text: string) => {
  const [piece] = arrange(text, "rtl", regular);
  return piece?.face.font.layout(piece.text).glyphs ?? [];
};

// Pieces are named in typing order; the font lays out Arabic from the right itself.
it.each([
  ["an amount among Arabic", "المبيع \u206612.50 Q\u2069 نقدًا", "rtl", "نقدًا| |12.50 Q|المبيع "],
  ["brackets, which are turned around", "(نقدًا)", "rtl", "نقدًا(|)"],
  // Reversed beforehand, because the font treats them as Arabic.
  ["Arabic digits, which run from left to right", "٣٤٥", "rtl", "٥٤٣"],
  ["a name in Latin among Arabic", "متجر Corner Shop هنا", "rtl", "هنا| |Corner Shop|متجر "],
  ["a name in Arabic among Latin", "By علي, 2", "ltr", "By |2|علي, "],
] as const)("%s", (_, text, direction, pieces) => {
  expect(seen(text, direction)).toEqual(pieces.split("|"));
});

it("joins letters by position, with the first on the right", () => {
  const glyphs = glyphsOf("ببب");
  expect(new Set(glyphs.map(({ id }) => id)).size).toBe(3);
  expect(glyphsOf("بابا").map(({ codePoints }) => String.fromCodePoint(...codePoints))).toEqual([
    "ا",
    "ب",
    "ا",
    "ب",
  ]);
});

it("draws one glyph per letter or required ligature, so that a document can be searched", () => {
  const texts = ["لا شيء بر تن", "العلامة التجارية", "أُعدّ بواسطة", "إلى الأدراج"];
  for (const glyph of texts.flatMap(glyphsOf)) expect(glyph.codePoints).toHaveLength(1);
  expect(glyphsOf("لا").map(({ codePoints }) => codePoints)).toEqual([[0xfefb]]);
  expect(glyphsOf("لا").map(({ codePoints }) => codePoints)).toEqual([[0xfefb]]);
});

it("replaces a character that no font contains by one sign", () => {
  expect(showable("李 👩‍👧 Ñandú Жуĸ ₦ Nguyễn\t1", regular)).toBe(
    "\uFFFD \uFFFD Ñandú Жуĸ ₦ Nguyễn 1",
  );
});
