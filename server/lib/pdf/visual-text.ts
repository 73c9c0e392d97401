import bidiJs from "bidi-js";
import { type Face, hasAll } from "./typeface.ts";

export type Direction = "ltr" | "rtl";

/**
 * Part of a line with one font and one direction, which is written in one call. A line's pieces are
 * in visual order from left to right.
 */
export interface Piece {
  readonly text: string;
  readonly face: Face;
}

export const REPLACEMENT = "\uFFFD";

// The types declare a default export, but the loaded module is the function itself.
const bidi = (bidiJs as unknown as typeof bidiJs.default)();
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Matches invisible characters that control the order or the joining of letters. */
const STEERING = /\p{Default_Ignorable_Code_Point}/gu;
const CONTROL = /\p{Cc}/gu;
/** Matches punctuation and spaces, which belong to the script of neighbouring words. */
const BETWEEN = /^[\p{P}\p{Z}]+$/u;

interface Letter {
  readonly text: string;
  readonly level: number;
  readonly face: Face;
}

/** Replaces each grapheme that the fonts do not contain by `REPLACEMENT`. */
export function showable(text: string, faces: readonly Face[]): string {
  const plain = text.normalize("NFC").replaceAll(CONTROL, " ");
  return Array.from(graphemes.segment(plain), ({ segment }) =>
    findFace(segment, faces) === undefined ? REPLACEMENT : segment,
  ).join("");
}

/**
 * Returns a line in visual order from left to right, by the Unicode bidirectional algorithm.
 * @param text a result of `showable`
 */
export function arrange(text: string, direction: Direction, faces: readonly Face[]): Piece[] {
  const runs = runsOf(lettersOf(text, direction, faces));
  return reorder(runs).map(({ letters, face, level }) => {
    const isRightToLeft = level % 2 === 1;
    const seen = isRightToLeft
      ? letters.map((letter) => bidi.getMirroredCharacter(letter) ?? letter)
      : letters;
    // The font reverses only text that it treats as Arabic.
    const isTurned = face.font.layout(seen.join("")).direction === "rtl";
    return { face, text: (isTurned === isRightToLeft ? seen : seen.toReversed()).join("") };
  });
}

function lettersOf(text: string, direction: Direction, faces: readonly Face[]): Letter[] {
  const { levels } = bidi.getEmbeddingLevels(text, direction);
  const letters: Letter[] = [];
  for (const { segment, index } of graphemes.segment(text)) {
    const visible = segment.replaceAll(STEERING, "");
    if (visible === "") continue;
    const level = levels[index] ?? 0;
    const last = letters.at(-1);
    const stays =
      last && last.level === level && BETWEEN.test(visible) && hasAll(last.face, visible);
    const face = stays ? last.face : findFace(segment, faces);
    if (face) letters.push({ text: visible, level, face });
  }
  return letters;
}

function findFace(segment: string, faces: readonly Face[]): Face | undefined {
  const visible = segment.replaceAll(STEERING, "");
  return faces.find((face) => hasAll(face, visible));
}

interface Run {
  readonly level: number;
  readonly face: Face;
  readonly letters: string[];
}

function runsOf(letters: readonly Letter[]): Run[] {
  const runs: Run[] = [];
  for (const { text, level, face } of letters) {
    const last = runs.at(-1);
    if (last && last.level === level && last.face === face) last.letters.push(text);
    else runs.push({ level, face, letters: [text] });
  }
  return runs;
}

/** Applies rule L2 of the Unicode bidirectional algorithm. */
function reorder(runs: Run[]): Run[] {
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  let ordered = runs;
  for (let level = highest; level >= 1; level--) ordered = turnFrom(ordered, level);
  return ordered;
}

function turnFrom(runs: readonly Run[], level: number): Run[] {
  const turned: Run[] = [];
  let waiting: Run[] = [];
  for (const run of runs) {
    if (run.level >= level) {
      waiting.unshift(run);
      continue;
    }
    turned.push(...waiting, run);
    waiting = [];
  }
  return [...turned, ...waiting];
}

const LEFT_TO_RIGHT_ISOLATE = "\u2066";
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";
const LEADING_MARKS = /^[\u061c\u200e\u200f]+/;

/** Wraps a text in marks that isolate it from surrounding right-to-left words. */
export class IsolatedText {
  readonly #direction: Direction;

  constructor(direction: Direction) {
    this.#direction = direction;
  }

  /** Isolates a text in the direction of its own letters. */
  text(text: string): string {
    return this.#within(FIRST_STRONG_ISOLATE, text);
  }

  /** Isolates a number, account or amount, which reads from left to right in every language. */
  number(text: string): string {
    return this.#direction === "rtl"
      ? this.#within(LEFT_TO_RIGHT_ISOLATE, text.replace(LEADING_MARKS, ""))
      : text;
  }

  #within(start: string, text: string): string {
    return this.#direction === "ltr" || text === "" ? text : start + text + POP_ISOLATE;
  }
}
