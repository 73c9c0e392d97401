import { LARGEST_BRAND_LOGO, type LeftOutPart } from "../../contract/pos/brand-faces.ts";
import { readPng, requireLogoSize, unfit } from "../shop/index.ts";
import { cleanSvg } from "./clean-svg.ts";

export interface BrandLogoPicture {
  readonly type: "image/png" | "image/svg+xml";
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
  readonly leftOut: readonly LeftOutPart[];
}

/**
 * A logo as it is kept: a PNG as it was sent, an SVG written anew.
 * @throws Problem INVALID_REQUEST naming `content`
 */
export function readBrandLogo(bytes: Buffer): BrandLogoPicture {
  if (bytes.length > LARGEST_BRAND_LOGO) {
    throw unfit(`must have at most ${LARGEST_BRAND_LOGO / 1024} KB`);
  }
  const picture = asPng(bytes) ?? asSvg(bytes);
  if (!picture) throw unfit("must be a PNG picture, or an SVG of shapes");
  requireLogoSize(picture);
  return picture;
}

function asPng(bytes: Buffer): BrandLogoPicture | undefined {
  const picture = readPng(bytes);
  if (!picture) return undefined;
  const { width, height } = picture;
  return { type: "image/png", content: bytes, width, height, leftOut: [] };
}

function asSvg(bytes: Buffer): BrandLogoPicture | undefined {
  const clean = cleanSvg(bytes.toString("utf8"));
  if (!clean) return undefined;
  const { text, ...rest } = clean;
  return { type: "image/svg+xml", content: Buffer.from(text), ...rest };
}
