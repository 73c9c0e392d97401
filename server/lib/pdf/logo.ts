import { inflateSync } from "node:zlib";
import type { Sheet } from "./sheet.ts";

const SIGNATURE_LENGTH = 8;
/** Maximum size of decoded pixels: twice 2000 × 2000 pixels of eight bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface Logo {
  readonly type: string;
  readonly content: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export const LOGO = { width: 110, height: 54 } as const;
const GAP = 12;

/**
 * Draws a logo on the side where lines start. Omits an unreadable logo.
 * @returns distance from that side at which the text beside the logo starts
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

/**
 * Decodes the pixels of a PNG before it is drawn, because the PDF library reports an error too
 * late.
 * @throws if the pixels cannot be read
 */
function requireWholePng(content: Uint8Array): void {
  const bytes = Buffer.from(content);
  const data: Buffer[] = [];
  for (let at = SIGNATURE_LENGTH; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (type === "IDAT") data.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  inflateSync(Buffer.concat(data), { maxOutputLength: MAX_BYTES });
}
