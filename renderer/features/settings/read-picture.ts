import { LARGEST_LOGO } from "../../../server/contract/pos/shop-logo.ts";

/** A picture in Base64; undefined for what is too large, or no picture that can be drawn. */
export async function readPicture(file: File): Promise<string | undefined> {
  if (file.size === 0 || file.size > LARGEST_LOGO || !/^image\/(png|jpeg)$/.test(file.type)) {
    return undefined;
  }
  try {
    (await createImageBitmap(file)).close();
  } catch {
    return undefined;
  }
  let text = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}
