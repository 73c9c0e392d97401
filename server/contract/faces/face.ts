import { faceColors } from "./face-colors.ts";
import { fitName } from "./face-name.ts";
import { GLYPH_SIZE, GLYPH_STROKE, GLYPHS, type Glyph } from "./glyphs.ts";

/** Of a face: that of a bank card. */
export const FACE_SHAPE = { width: 158.6, height: 100 } as const;

/** What is drawn of a brand. */
export interface FacedBrand {
  readonly brandName: string;
  /** `#rrggbb`; for anything else the brand gets a colour by its name. */
  readonly brandColor: string;
  readonly glyph?: Glyph | undefined;
}

/** A face in the units of its shape, to be drawn in SVG. */
export interface Face {
  readonly ground: string;
  readonly ink: string;
  readonly glyph: {
    readonly path: string;
    /** Of the drawing's grid, as SVG takes it. */
    readonly transform: string;
    readonly stroke: number;
  };
  readonly name: {
    readonly size: number;
    /** The name is written from right to left: `x` is where its lines end on the right. */
    readonly isRightToLeft: boolean;
    readonly lines: readonly { readonly text: string; readonly x: number; readonly y: number }[];
  };
}

/**
 * How large the parts are: CARD where the face is looked at, SMALL in lists, where the name would
 * otherwise be too small to be read. In shares of the height.
 */
const STYLES = {
  CARD: { edge: 0.11, glyph: 0.3, largest: 0.25, largestOfTwo: 0.2, least: 0.115 },
  SMALL: { edge: 0.1, glyph: 0.38, largest: 0.36, largestOfTwo: 0.21, least: 0.15 },
} as const;

export type FaceStyle = keyof typeof STYLES;

const LINE_HEIGHT = 1.08;
/** What letters like "g" reach below their line. */
const BELOW_LINE = 0.22;
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** The drawing on top, the name at the bottom, in the brand's colours. Nothing of it is anybody's artwork. */
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
