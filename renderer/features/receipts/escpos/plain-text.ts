import { withoutIsolates } from "../../../lib/direction.ts";

/** Letters that look the same to a reader and that every printer has. */
const ALIKE: Readonly<Record<string, string>> = {
  "\u00a0": " ",
  "\u202f": " ",
  "\u2009": " ",
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "−": "-",
  "…": "...",
  "→": ">",
  "·": "-",
};

/** ASCII, the letters of western Europe, and the euro: what code page 858 holds. */
const WESTERN = /^[\x20-\x7e\u00a1-\u00ff\u20ac]*$/;

/** The text in letters of code page 858; undefined where it has others and must be drawn. */
export function plainText(text: string): string | undefined {
  const plain = withoutIsolates(text).replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => ALIKE[letter] ?? letter,
  );
  return WESTERN.test(plain) ? plain : undefined;
}
