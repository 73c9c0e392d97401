import { inkOn, monogramText } from "../../contract/pos/brand-monogram.ts";

/** The pictures of a brand: its monogram on its colour, drawn here, in three shapes. */
export const PICTURES = {
  "logo.svg": { width: 256, height: 256, radius: 56 },
  "big.svg": { width: 1024, height: 512, radius: 0 },
  "gift.svg": { width: 640, height: 400, radius: 32 },
} as const;

export type Picture = keyof typeof PICTURES;

const NEUTRAL = "#44403c";
const XML: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Stable: the same brand always looks the same, offline. */
export function drawBrand(
  { brandName, brandColor }: { brandName: string; brandColor: string },
  picture: Picture,
): string {
  const { width, height, radius } = PICTURES[picture];
  const color = inkOn(brandColor) === undefined ? NEUTRAL : brandColor;
  const words = picture === "logo.svg" ? monogramText(brandName) : brandName;
  const size = Math.min(height * 0.45, (width * 1.5) / Math.max(words.length, 2));
  const text = words.replace(/[&<>"]/g, (character) => XML[character] ?? "");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
  <title>${text}</title>
  <rect width="${width}" height="${height}" rx="${radius}" fill="${color}"/>
  <text x="50%" y="50%" dy="0.35em" text-anchor="middle" font-family="system-ui, sans-serif"
    font-weight="700" font-size="${size.toFixed(0)}" fill="${inkOn(color)}">${text}</text>
</svg>
`;
}
