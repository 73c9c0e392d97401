import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { create, type Font, type Glyph, type GlyphPosition, type GlyphRun } from "fontkit";

/**
 * Required Arabic ligatures, as single Unicode characters: PDF readers reverse two characters of
 * one glyph when they extract text.
 */
const ALWAYS_ONE: ReadonlyMap<string, number> = new Map([
  ["\u0644\u0622", 0xfef5],
  ["\u0644\u0623", 0xfef7],
  ["\u0644\u0625", 0xfef9],
  ["\u0644\u0627", 0xfefb],
]);

const JOINED = { liga: false };
const SINGLE = { liga: false, rlig: false };

export type Weight = "regular" | "bold";

export interface Face {
  readonly name: string;
  readonly font: Font;
}

/** Fonts of each weight. A character is drawn with the first font that contains it. */
export type Typeface = Readonly<Record<Weight, readonly Face[]>>;

const FILES: Readonly<Record<Weight, readonly string[]>> = {
  regular: ["IBMPlexSans-Regular", "IBMPlexSansArabic-Regular"],
  bold: ["IBMPlexSans-Bold", "IBMPlexSansArabic-Bold"],
};

export async function readTypeface(resourcesDir: string): Promise<Typeface> {
  const read = async (name: string): Promise<Face> => ({
    name,
    font: openFont(await readFile(join(resourcesDir, "fonts", `${name}.ttf`))),
  });
  return {
    regular: await Promise.all(FILES.regular.map(read)),
    bold: await Promise.all(FILES.bold.map(read)),
  };
}

/** Opens a font. Its layouts have one glyph per letter, even for libraries that call the font. */
function openFont(data: Buffer): Font {
  const font = create(data);
  if (!("layout" in font)) throw new Error("a file of several fonts is none of ours");
  const layout = font.layout.bind(font);
  font.layout = (text: string) => layOutByLetter(layout, text);
  return font;
}

/** Returns whether a font contains every character of a text. */
export function hasAll({ font }: Face, text: string): boolean {
  return [...text].every((char) => font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0));
}

/**
 * Lays out a text with one glyph per letter or required ligature, so that readers can search and
 * copy it.
 */
function layOutByLetter(layout: Font["layout"], text: string): GlyphRun {
  const joined = layout(text, JOINED);
  if (joined.glyphs.every(({ codePoints }) => codePoints.length === 1)) return joined;
  const parts = exchange(joined, layout(text, SINGLE));
  if (parts) {
    joined.glyphs = parts.map(([glyph]) => glyph);
    joined.positions = parts.map(([, position]) => position);
  }
  joined.glyphs = joined.glyphs.map((glyph) => {
    const one = ALWAYS_ONE.get(String.fromCodePoint(...glyph.codePoints));
    return one === undefined ? glyph : withCode(glyph, one);
  });
  return joined;
}

/** Copies a glyph before changing it, because the font caches and reuses its glyphs. */
function withCode(glyph: Glyph, code: number): Glyph {
  return Object.create(glyph, { codePoints: { value: [code] } }) as Glyph;
}

type Placed = readonly [glyph: Glyph, position: GlyphPosition];

/**
 * Replaces single glyphs by the required ligatures of the joined layout.
 * @returns undefined if the two layouts have different orders
 */
function exchange(joined: GlyphRun, single: GlyphRun): Placed[] | undefined {
  const placed: Placed[] = [];
  let at = 0;
  for (const glyph of placedOf(joined)) {
    const wanted = glyph[0].codePoints.length;
    const letters: Placed[] = [];
    for (const one of placedOf(single).slice(at)) {
      if (countOf(letters) >= wanted) break;
      letters.push(one);
    }
    if (codesOf(letters) !== codesOf([glyph])) return undefined;
    at += letters.length;
    placed.push(...(ALWAYS_ONE.has(textOf(glyph)) ? [glyph] : letters));
  }
  return placed;
}

function placedOf({ glyphs, positions }: GlyphRun): Placed[] {
  return glyphs.flatMap((glyph, index) => {
    const position = positions[index];
    return position ? [[glyph, position] as const] : [];
  });
}

function countOf(letters: readonly Placed[]): number {
  return letters.reduce((count, [{ codePoints }]) => count + codePoints.length, 0);
}

function textOf([{ codePoints }]: Placed): string {
  return String.fromCodePoint(...codePoints);
}

/** Returns the sorted characters of the glyphs, so that glyphs in opposite order compare equal. */
function codesOf(letters: readonly Placed[]): string {
  const codes = letters.flatMap(([{ codePoints }]) => codePoints);
  return codes.toSorted((a, b) => a - b).join();
}
