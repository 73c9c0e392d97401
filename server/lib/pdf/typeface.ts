import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { create, type Font } from "fontkit";
import { layOutLetters } from "./letter-glyphs.ts";

export type Weight = "regular" | "bold";

/** A font of a document. */
export interface Face {
  readonly name: string;
  readonly font: Font;
}

/** The fonts of each weight: a character is written with the first that has it. */
export type Typeface = Readonly<Record<Weight, readonly Face[]>>;

const FILES: Readonly<Record<Weight, readonly string[]>> = {
  regular: ["IBMPlexSans-Regular", "IBMPlexSansArabic-Regular"],
  bold: ["IBMPlexSans-Bold", "IBMPlexSansArabic-Bold"],
};

/** Reads the fonts that ship with the program. */
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

/** A text that is laid out with it, here or within a library, gets a glyph for each letter. */
function openFont(data: Buffer): Font {
  const font = create(data);
  if (!("layout" in font)) throw new Error("a file of several fonts is none of ours");
  const layout = font.layout.bind(font);
  font.layout = (text: string) => layOutLetters(layout, text);
  return font;
}

/** Whether a font has everything of a text. */
export function hasAll({ font }: Face, text: string): boolean {
  return [...text].every((char) => font.hasGlyphForCodePoint(char.codePointAt(0) ?? 0));
}
