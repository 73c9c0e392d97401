import { GLYPH_SIZE, GLYPH_STROKE, GLYPHS, type Glyph } from "./glyphs.ts";

/**
 * Widths of the characters from the space to "~" in the bundled bold font, in thousandths of the
 * font size.
 */
const ASCII: readonly number[] = [
  236, 320, 493, 632, 601, 974, 721, 268, 338, 338, 601, 600, 310, 403, 310, 460, 600, 600, 600,
  600, 600, 600, 600, 600, 600, 600, 330, 330, 600, 600, 600, 500, 903, 685, 667, 651, 697, 607,
  585, 719, 724, 432, 559, 696, 530, 819, 724, 714, 656, 714, 674, 624, 584, 694, 650, 973, 673,
  649, 607, 334, 460, 334, 600, 556, 600, 569, 608, 517, 608, 562, 361, 552, 596, 286, 286, 577,
  303, 894, 596, 564, 608, 608, 404, 504, 383, 596, 538, 841, 560, 534, 518, 372, 402, 372, 600,
];
const SPACE = 32;
/** Maximum widths of nearly all other letters, in thousandths of the font size. */
const OTHER = { arabic: 600, latin: 730, cyrillic: 780, wide: 1_000 } as const;
const MOST_LINES = 2;
const SIZE_STEP = 0.5;

/** Minimum contrast of text and background (WCAG 2.2 AA). */
export const LEAST_CONTRAST = 4.5;
/** If white text has at least this contrast, it stays white and the background is darkened. */
const WHITE_IS_KEPT_FROM = 2.6;
const STEP = 0.02;

const WHITE = "#ffffff";
const BLACK = "#000000";

/** Background colours of brands without a known colour. White text is readable on each. */
const GROUNDS = [
  "#3f4a8a",
  "#2f6073",
  "#2d6a4f",
  "#5b6b23",
  "#7a5a12",
  "#8a4a22",
  "#93394a",
  "#84356f",
  "#64418f",
  "#4a5568",
  "#1f5f8b",
  "#51604a",
] as const;

/** Aspect ratio of a bank card. */
export const FACE_SHAPE = { width: 158.6, height: 100 } as const;

export interface FacedBrand {
  readonly brandName: string;
  /** `#rrggbb`. Any other value selects a colour by the name. */
  readonly brandColor: string;
  readonly glyph?: Glyph | undefined;
}

/** A brand card in the units of its shape, for SVG. */
export interface Face {
  readonly ground: string;
  readonly ink: string;
  readonly glyph: {
    readonly path: string;
    readonly transform: string;
    readonly stroke: number;
  };
  readonly name: {
    readonly size: number;
    /** If true, the name is written from right to left, and `x` is the right end of each line. */
    readonly isRightToLeft: boolean;
    readonly lines: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  };
}

/**
 * Sizes of the parts as fractions of the card's height. CARD is for tiles. SMALL is for lists; its
 * name is larger, to stay readable.
 */
const STYLES = {
  CARD: { edge: 0.11, glyph: 0.3, largest: 0.25, largestOfTwo: 0.2, least: 0.115 },
  SMALL: { edge: 0.1, glyph: 0.38, largest: 0.36, largestOfTwo: 0.21, least: 0.15 },
} as const;

export type FaceStyle = keyof typeof STYLES;

const LINE_HEIGHT = 1.08;
/** Depth of letters such as "g" below the baseline, as a fraction of the font size. */
const BELOW_LINE = 0.22;
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** Lays out a brand card with the icon at the top and the name at the bottom. */
export function faceOf(
  brand: FacedBrand,
  style: FaceStyle = "CARD",
  { width, height }: { readonly width: number; readonly height: number } = FACE_SHAPE,
): Face {
  const { brandName, brandColor, glyph = "card" } = brand;
  const parts = STYLES[style];
  const edge = parts.edge * height;
  const scale = (parts.glyph * height) / GLYPH_SIZE;
  const name = fitName(brandName, {
    width: width - 2 * edge,
    largest: parts.largest * height,
    largestOfTwo: parts.largestOfTwo * height,
    least: parts.least * height,
  });
  const isRightToLeft = RIGHT_TO_LEFT.test(brandName);
  const bottom = height - edge - BELOW_LINE * name.size;
  return {
    ...faceColors(brandColor, brandName),
    glyph: {
      path: GLYPHS[glyph],
      transform: `translate(${round(edge * 0.8)} ${round(edge * 0.8)}) scale(${round(scale)})`,
      stroke: GLYPH_STROKE,
    },
    name: {
      size: round(name.size),
      isRightToLeft,
      lines: name.lines.map((text, at) => ({
        text,
        x: round(isRightToLeft ? width - edge : edge),
        y: round(bottom - (name.lines.length - 1 - at) * LINE_HEIGHT * name.size),
      })),
    },
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

type Rgb = readonly [red: number, green: number, blue: number];

interface FaceColors {
  /** `#rrggbb` */
  readonly ground: string;
  /** Colour of name and icon. Its contrast with the background is at least `LEAST_CONTRAST`. */
  readonly ink: typeof WHITE | typeof BLACK;
}

/**
 * Chooses the colours of a brand card: white on the brand's colour if readable, white on a darkened
 * colour if nearly readable, otherwise black.
 * @param color `#rrggbb`; for any other value the name selects the background
 */
export function faceColors(color: string, name: string): FaceColors {
  const ground = parse(color);
  if (!ground) return { ground: GROUNDS[hash(name) % GROUNDS.length] ?? GROUNDS[0], ink: WHITE };
  if (contrast(color, WHITE) < WHITE_IS_KEPT_FROM) return { ground: color, ink: BLACK };
  if (contrast(color, WHITE) >= LEAST_CONTRAST) return { ground: color, ink: WHITE };
  for (let light = 1 - STEP; ; light -= STEP) {
    const shifted = format(ground, light);
    if (contrast(shifted, WHITE) >= LEAST_CONTRAST) return { ground: shifted, ink: WHITE };
  }
}

/** Returns the WCAG contrast of two `#rrggbb` colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = parse(color) ?? [0, 0, 0];
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function parse(color: string): Rgb | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (!match) return undefined;
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((part) => Number.parseInt(part, 16));
  return [red, green, blue];
}

function format(color: Rgb, light: number): string {
  const parts = color.map((part) =>
    Math.round(part * light)
      .toString(16)
      .padStart(2, "0"),
  );
  return `#${parts.join("")}`;
}

/** FNV-1a, which gives similar names different backgrounds. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (const letter of text) {
    value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01_00_01_93);
  }
  return value >>> 0;
}

/** Box and font sizes of a name, in the units of the card. */
interface NameBox {
  readonly width: number;
  readonly largest: number;
  readonly largestOfTwo: number;
  readonly least: number;
}

interface FittedName {
  readonly size: number;
  readonly lines: readonly string[];
}

/**
 * Fits a name into its box, as large as possible: on one line, or on two lines if that is larger. A
 * name that does not fit at the minimum size is cut and ends with "…".
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

/** Returns the width of a line at font size 1. */
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

/** Returns the text as one line, then its splits into two lines, the most even split first. */
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
