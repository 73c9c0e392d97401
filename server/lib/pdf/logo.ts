import type { Sheet } from "./sheet.ts";
import { requireWholePng } from "./whole-png.ts";

/** A shop's logo as it is kept, with its size in pixels. */
export interface Logo {
  readonly type: string;
  readonly content: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** How large a logo is at most, in points. */
export const LOGO = { width: 110, height: 54 } as const;
const GAP = 12;

/**
 * Draws a logo where reading begins. One that cannot be read is left out: what the document says matters more.
 * @returns where the words beside it begin
 */
export function drawLogo(sheet: Sheet, logo: Logo | undefined, y: number): number {
  if (!logo) return 0;
  const { type, content, width, height } = logo;
  const scale = Math.min(LOGO.width / width, LOGO.height / height);
  const box = { from: 0, y: y + 4, width: width * scale, height: height * scale };
  try {
    if (type === "image/png") requireWholePng(content);
    sheet.picture(content, box);
    return box.width + GAP;
  } catch {
    return 0;
  }
}
