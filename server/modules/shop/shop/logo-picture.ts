import { LARGEST_LOGO, LOGO_PIXELS } from "../../../contract/pos/shop-logo.ts";
import { Problem } from "../../../contract/problem.ts";

export interface LogoPicture {
  type: "image/png" | "image/jpeg";
  width: number;
  height: number;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;
/** The segments of a JPEG that say its size: without arithmetic coding, which browsers do not read. */
const JPEG_FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const JPEG_START = 0xd8;

/**
 * What a picture is, by its own bytes. An SVG can hold scripts: it is none of the two that are taken.
 * @throws Problem INVALID_REQUEST naming `content`
 */
export function readLogo(bytes: Buffer): LogoPicture {
  if (bytes.length > LARGEST_LOGO) throw unfit(`must have at most ${LARGEST_LOGO / 1024} KB`);
  const picture = readPng(bytes) ?? readJpeg(bytes);
  if (!picture) throw unfit("must be a PNG or JPEG picture");
  requireLogoSize(picture);
  return picture;
}

/** @throws Problem INVALID_REQUEST naming `content`, where it is too small to be seen or too large to be needed */
export function requireLogoSize({ width, height }: Pick<LogoPicture, "width" | "height">): void {
  const { least, most } = LOGO_PIXELS;
  if ([width, height].some((pixels) => pixels < least || pixels > most)) {
    throw unfit(`must be ${least} to ${most} pixels wide and high, and is ${width} × ${height}`);
  }
}

/** Undefined for what is no whole PNG. */
export function readPng(bytes: Buffer): LogoPicture | undefined {
  const isPng = PNG.every((byte, at) => bytes[at] === byte);
  const isWhole = bytes.length > PNG_HEIGHT_AT + 4 && bytes.includes("IEND");
  if (!isPng || !isWhole || bytes.toString("latin1", 12, PNG_WIDTH_AT) !== "IHDR") return undefined;
  const [width, height] = [bytes.readUInt32BE(PNG_WIDTH_AT), bytes.readUInt32BE(PNG_HEIGHT_AT)];
  return { type: "image/png", width, height };
}

/** Segment by segment, until the one that says the size. */
function readJpeg(bytes: Buffer): LogoPicture | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== JPEG_START) return undefined;
  for (let at = 2; at + 9 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (JPEG_FRAMES.has(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { type: "image/jpeg", width, height };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Why a picture is no logo, in words that go on with "it". */
export function unfit(why: string): Problem {
  return new Problem("INVALID_REQUEST", `This picture cannot be the logo: it ${why}.`, {
    content: why,
  });
}
