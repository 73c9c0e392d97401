import { FACE_SHAPE, type FacedBrand, faceOf } from "../../../contract/faces/face.ts";

/** The pictures of a brand: its face, drawn here, in three shapes. */
export const PICTURES = {
  "logo.svg": { width: 100, height: 100, radius: 18 },
  "big.svg": { width: 200, height: 100, radius: 0 },
  "gift.svg": { ...FACE_SHAPE, radius: 6 },
} as const;

export type Picture = keyof typeof PICTURES;

/** Of one unit of the drawing, in pixels. */
const SCALE = 4;
const FONTS = "IBM Plex Sans, IBM Plex Sans Arabic, system-ui, sans-serif";
const XML: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Stable: the same brand always looks the same, offline. */
export function drawBrand(brand: FacedBrand, picture: Picture): string {
  const { width, height, radius } = PICTURES[picture];
  const { ground, ink, glyph, name } = faceOf(brand, "CARD", { width, height });
  const lines = name.lines.map(
    ({ text, x, y }) =>
      `<text x="${x}" y="${y}"${
        name.isRightToLeft ? ' direction="rtl"' : ""
      }>${escaped(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width * SCALE}" height="${height * SCALE}" role="img">
  <title>${escaped(brand.brandName)}</title>
  <rect width="${width}" height="${height}" rx="${radius}" fill="${ground}"/>
  <path d="${glyph.path}" transform="${glyph.transform}" fill="none" stroke="${ink}"
    stroke-width="${glyph.stroke}" stroke-linecap="round" stroke-linejoin="round"/>
  <g font-family="${FONTS}" font-weight="600" font-size="${name.size}" fill="${ink}">${lines.join("")}</g>
</svg>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => XML[character] ?? "");
}
