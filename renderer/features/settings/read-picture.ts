import { LOGO_PIXELS } from "../../../server/contract/pos/shop-logo.ts";

/** A larger file cannot be a logo. */
const LARGEST_SOURCE_BYTES = 10 * 1024 * 1024;
/** Lengths of the PNG's longer side, tried in order while the file is too large. */
const DRAWN_PIXELS = [1024, 512, 256] as const;

export const CHOOSABLE = "image/png,image/jpeg,image/webp,image/svg+xml";

/**
 * Returns a picture as Base64. A format that the gateway does not accept, such as SVG, and a
 * picture with too many bytes or pixels are drawn as a PNG.
 * @param accepted media types that the gateway accepts
 * @returns undefined if the file cannot be drawn or is too small
 */
export async function readPicture(
  file: File,
  { largestBytes, accepted }: { largestBytes: number; accepted: readonly string[] },
): Promise<string | undefined> {
  if (file.size > LARGEST_SOURCE_BYTES) return;
  const picture = await load(file);
  if (!picture) return;
  const { naturalWidth: width, naturalHeight: height } = picture;
  const isAccepted = accepted.includes(file.type) && file.size <= largestBytes;
  if (isAccepted && Math.max(width, height) <= LOGO_PIXELS.most) {
    return Math.min(width, height) < LOGO_PIXELS.least ? undefined : inBase64(file);
  }
  const isVector = file.type === "image/svg+xml";
  for (const longest of DRAWN_PIXELS) {
    const scale = longest / Math.max(width, height);
    const png = await draw(picture, isVector ? scale : Math.min(1, scale));
    if (png && png.size <= largestBytes) return inBase64(png);
  }
  return;
}

/**
 * Uses a `data:` URL, because the page's policy forbids `blob:` URLs. In an image element, an SVG
 * runs no scripts and loads nothing.
 */
async function load(file: File): Promise<HTMLImageElement | undefined> {
  const content = await inBase64(file);
  if (content === undefined) return;
  const picture = new Image();
  picture.src = `data:${file.type};base64,${content}`;
  try {
    await picture.decode();
    // Some browsers report no size for an SVG without one.
    return picture.naturalWidth > 0 && picture.naturalHeight > 0 ? picture : undefined;
  } catch {
    return;
  }
}

/** Returns undefined if a side would be too short. */
async function draw(picture: HTMLImageElement, scale: number): Promise<Blob | undefined> {
  const width = Math.round(picture.naturalWidth * scale);
  const height = Math.round(picture.naturalHeight * scale);
  if (Math.min(width, height) < LOGO_PIXELS.least) return;
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, width, height);
  return canvas.convertToBlob({ type: "image/png" });
}

/** Returns undefined if the file is empty. */
async function inBase64(file: Blob): Promise<string | undefined> {
  let text = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
  return text === "" ? undefined : btoa(text);
}
