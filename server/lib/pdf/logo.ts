import { inflateSync } from "node:zlib";
import type { Sheet } from "./sheet.ts";

const SIGNATURE_LENGTH = 8;
/** A picture of 2000 × 2000 pixels with eight bytes each, and its rows' own bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

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

/**
 * Looks whether the pixels of a PNG can be read, before a document takes them: it would find out later,
 * where nobody could leave the picture out any more.
 * @throws where they cannot
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
  inflateSync(Buffer.concat(data), { maxOutputLength: MOST_BYTES });
}
