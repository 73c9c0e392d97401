import { LOGO_PIXELS } from "../../../contract/pos/shop-logo.ts";
import { Problem } from "../../../contract/problem.ts";

const TYPES = {
  "image/png": { name: "PNG", read: readPng },
  "image/jpeg": { name: "JPEG", read: readJpeg },
  "image/webp": { name: "WebP", read: readWebp },
} as const;

export type LogoType = keyof typeof TYPES;

interface Size {
  width: number;
  height: number;
}

export interface LogoPicture<Type extends LogoType> extends Size {
  type: Type;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;
/**
 * Markers of JPEG segments with the image's size, except for arithmetic coding, which browsers do
 * not decode.
 */
const JPEG_FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const JPEG_START = 0xd8;
const WEBP_CHUNK_AT = 12;
const WEBP_DATA_AT = 20;
const WEBP_HEAD = 30;
const FOURTEEN_BITS = 0x3fff;

/**
 * Reads the type and the size of an image. SVG is refused because it can contain scripts; the till
 * converts it to a PNG before the upload.
 * @throws Problem INVALID_REQUEST naming `content`
 */
export function readLogo<Type extends LogoType>(
  bytes: Buffer,
  { largestBytes, accepted }: { largestBytes: number; accepted: readonly Type[] },
): LogoPicture<Type> {
  if (bytes.length > largestBytes) throw unfit(`must have at most ${largestBytes / 1024} KB`);
  for (const type of accepted) {
    const size = TYPES[type].read(bytes);
    if (!size) continue;
    requireLogoSize(size);
    return { type, ...size };
  }
  const names = accepted.map((type) => TYPES[type].name);
  const list = new Intl.ListFormat("en", { type: "disjunction" }).format(names);
  throw unfit(`must be a ${list} picture: export a picture of another format as PNG`);
}

function requireLogoSize({ width, height }: Size): void {
  const { least, most } = LOGO_PIXELS;
  if ([width, height].some((pixels) => pixels < least || pixels > most)) {
    throw unfit(`must be ${least} to ${most} pixels wide and high, and is ${width} × ${height}`);
  }
}

function readPng(bytes: Buffer): Size | undefined {
  const isPng = PNG.every((byte, at) => bytes[at] === byte);
  const isWhole = bytes.length > PNG_HEIGHT_AT + 4 && bytes.includes("IEND");
  if (!isPng || !isWhole || bytes.toString("latin1", 12, PNG_WIDTH_AT) !== "IHDR") return undefined;
  return { width: bytes.readUInt32BE(PNG_WIDTH_AT), height: bytes.readUInt32BE(PNG_HEIGHT_AT) };
}

function readJpeg(bytes: Buffer): Size | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== JPEG_START) return undefined;
  for (let at = 2; at + 9 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (JPEG_FRAMES.has(marker)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Reads the size by RFC 9649, sections 2.5 (lossy), 2.6 (lossless) and 2.7 (extended). */
function readWebp(bytes: Buffer): Size | undefined {
  const isWebp =
    bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP";
  if (!isWebp || bytes.length < WEBP_HEAD || bytes.length < bytes.readUInt32LE(4) + 8) {
    return undefined;
  }
  switch (bytes.toString("latin1", WEBP_CHUNK_AT, WEBP_CHUNK_AT + 4)) {
    case "VP8 ":
      return {
        width: bytes.readUInt16LE(WEBP_DATA_AT + 6) & FOURTEEN_BITS,
        height: bytes.readUInt16LE(WEBP_DATA_AT + 8) & FOURTEEN_BITS,
      };
    case "VP8L": {
      const packed = bytes.readUInt32LE(WEBP_DATA_AT + 1);
      return {
        width: (packed & FOURTEEN_BITS) + 1,
        height: ((packed >> 14) & FOURTEEN_BITS) + 1,
      };
    }
    case "VP8X":
      return {
        width: bytes.readUIntLE(WEBP_DATA_AT + 4, 3) + 1,
        height: bytes.readUIntLE(WEBP_DATA_AT + 7, 3) + 1,
      };
    default:
      return undefined;
  }
}

/** @param why predicate of a sentence whose subject is the image */
function unfit(why: string): Problem {
  return new Problem("INVALID_REQUEST", `This picture cannot be the logo: it ${why}.`, {
    content: why,
  });
}
