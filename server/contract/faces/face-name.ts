/** How wide a bold letter of the bundled type is, in thousandths of its size: from the space to "~". */
const ASCII: readonly number[] = [
  236, 320, 493, 632, 601, 974, 721, 268, 338, 338, 601, 600, 310, 403, 310, 460, 600, 600, 600,
  600, 600, 600, 600, 600, 600, 600, 330, 330, 600, 600, 600, 500, 903, 685, 667, 651, 697, 607,
  585, 719, 724, 432, 559, 696, 530, 819, 724, 714, 656, 714, 674, 624, 584, 694, 650, 973, 673,
  649, 607, 334, 460, 334, 600, 556, 600, 569, 608, 517, 608, 562, 361, 552, 596, 286, 286, 577,
  303, 894, 596, 564, 608, 608, 404, 504, 383, 596, 538, 841, 560, 534, 518, 372, 402, 372, 600,
];
const SPACE = 32;
/** Of letters beyond that, at the most of nearly all. */
const OTHER = { arabic: 600, latin: 730, cyrillic: 780, wide: 1_000 } as const;
const MOST_LINES = 2;
const SIZE_STEP = 0.5;

/** Where a name has to fit, and how large it may be; all in the units of the drawing. */
export interface NameBox {
  readonly width: number;
  readonly largest: number;
  /** The same on two lines. */
  readonly largestOfTwo: number;
  readonly least: number;
}

export interface FittedName {
  readonly size: number;
  readonly lines: readonly string[];
}

/**
 * A name as large as its box allows, on one line or, where it gets larger by that, on two. What does not
 * fit at the least size is cut, with "…".
 */
export function fitName(
  name: string,
  { width, largest, largestOfTwo, least }: NameBox,
): FittedName {
  const text = name.trim().replaceAll(/\s+/g, " ");
  const ways = waysToBreak(text);
  for (let size = largest; size >= least; size -= SIZE_STEP) {
    const fit = ways.find(
      (lines) =>
        (lines.length === 1 || size <= largestOfTwo) &&
        lines.every((line) => widthOf(line) * size <= width),
    );
    if (fit) return { size, lines: fit };
  }
  return { size: least, lines: [cut(text, width / least)] };
}

/** Of a line of the size 1. */
export function widthOf(text: string): number {
  let sum = 0;
  for (const letter of text) sum += widthOfLetter(letter.codePointAt(0) ?? 0);
  return sum / 1_000;
}

function widthOfLetter(code: number): number {
  if (code < SPACE + ASCII.length) return ASCII[code - SPACE] ?? 0;
  if (code < 0x2_50) return OTHER.latin;
  if (code < 0x5_30) return OTHER.cyrillic;
  if (code < 0x9_00) return OTHER.arabic;
  return OTHER.wide;
}

/** One line, then every pair of lines. */
function waysToBreak(text: string): (readonly string[])[] {
  const words = text.split(/(?<=\p{L}{4}[-/])|\s/u).filter((word) => word !== "");
  const pairs = words
    .slice(1)
    .map((_, at) => [join(words.slice(0, at + 1)), join(words.slice(at + 1))] as const)
    .toSorted((a, b) => longest(a) - longest(b));
  return [[text], ...pairs].slice(0, 1 + words.length * (MOST_LINES - 1));
}

function join(words: readonly string[]): string {
  return words.reduce((line, word) => (/[-/]$/.test(line) ? line + word : `${line} ${word}`));
}

function longest(lines: readonly string[]): number {
  return Math.max(...lines.map(widthOf));
}

function cut(text: string, width: number): string {
  let kept = "";
  for (const letter of text) {
    if (widthOf(`${kept}${letter}…`) > width) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
}
