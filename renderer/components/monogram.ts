import { inkOn } from "../../server/contract/pos/brand-monogram.ts";

/** The brand's colour with black or white on it, whichever reads better; nothing without a colour. */
export function monogramColors(color: string): { background?: string; color?: string } {
  const ink = inkOn(color);
  return ink === undefined ? {} : { background: color, color: ink };
}
