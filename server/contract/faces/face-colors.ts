/** Of text on its ground, at the least (WCAG 2.2 AA). */
export const LEAST_CONTRAST = 4.5;
/** From here on white is kept, and the ground made darker for it. */
const WHITE_IS_KEPT_FROM = 2.6;
const STEP = 0.02;

const WHITE = "#ffffff";
const BLACK = "#000000";

/** Calm grounds for brands whose colour is not known; each carries white. */
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

type Rgb = readonly [red: number, green: number, blue: number];

export interface FaceColors {
  /** `#rrggbb` */
  readonly ground: string;
  /** Of its name and its drawing: at least `LEAST_CONTRAST` on the ground. */
  readonly ink: typeof WHITE | typeof BLACK;
}

/**
 * The colours of a face. White stands on a brand's colour wherever that can be read, on a ground that is a
 * little darker where it nearly can; black on what is too light for it.
 * @param color `#rrggbb`; for anything else the same name always gets the same ground
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

/** Of two colours, `#rrggbb` (WCAG): 1 to 21. */
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

/** FNV-1a: neighbours in the alphabet get different grounds. */
function hash(text: string): number {
  let value = 0x81_1c_9d_c5;
  for (const letter of text) {
    value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01_00_01_93);
  }
  return value >>> 0;
}
