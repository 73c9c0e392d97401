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
  const color = /^#[0-9a-f]{6}$/i.test(brandColor) ? brandColor : NEUTRAL;
  const words = picture === "logo.svg" ? monogram(brandName) : brandName;
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

/** One or two letters that stand for a name. */
function monogram(name: string): string {
  const [first = "?", second] = name.split(/[\s&+.-]+/u).filter(Boolean);
  return second
    ? `${[...first][0]}${[...second][0]}`.toUpperCase()
    : [...first].slice(0, 2).join("");
}

/** Black or white, whichever is read better (WCAG relative luminance). */
function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000000" : "#ffffff";
}
