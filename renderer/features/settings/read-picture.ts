import { LARGEST_BRAND_LOGO } from "../../../server/contract/pos/brand-faces.ts";
import { LARGEST_LOGO } from "../../../server/contract/pos/shop-logo.ts";

const SVG = "image/svg+xml";

/** A picture in Base64; undefined for what is too large, or no picture that can be drawn. */
export async function readPicture(file: File): Promise<string | undefined> {
  const isTaken = file.size <= LARGEST_LOGO && /^image\/(png|jpeg)$/.test(file.type);
  return isTaken && (await canBeDrawn(file)) ? inBase64(file) : undefined;
}

/** The same of a brand's logo, which may be an SVG: that is understood by the gateway. */
export async function readBrandLogo(file: File): Promise<string | undefined> {
  if (file.size > LARGEST_BRAND_LOGO) {
    return undefined;
  }
  const isTaken = file.type === SVG || (file.type === "image/png" && (await canBeDrawn(file)));
  return isTaken ? inBase64(file) : undefined;
}

async function canBeDrawn(file: File): Promise<boolean> {
  try {
    (await createImageBitmap(file)).close();
    return true;
  } catch {
    return false;
  }
}

/** Undefined for an empty file. */
async function inBase64(file: File): Promise<string | undefined> {
  let text = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
  return text === "" ? undefined : btoa(text);
}
