import { inflateSync } from "node:zlib";

const SIGNATURE_LENGTH = 8;
/** A picture of 2000 × 2000 pixels with eight bytes each, and its rows' own bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Looks whether the pixels of a PNG can be read, before a document takes them: it would find out later,
 * where nobody could leave the picture out any more.
 * @throws where they cannot
 */
export function requireWholePng(content: Uint8Array): void {
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
