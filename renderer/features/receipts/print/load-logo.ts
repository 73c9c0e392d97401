import type { ShopLogo } from "../../../../server/contract/pos/shop-logo.ts";
import { logoAddress } from "../../../lib/logo-address.ts";
import { resolveWithin } from "../../../lib/resolve-within.ts";

const WAIT_MS = 3_000;

/** The logo ready to be drawn; undefined where there is none, or it does not come: a receipt does not wait. */
export async function loadLogo(logo: ShopLogo | undefined): Promise<ImageBitmap | undefined> {
  if (!logo) {
    return undefined;
  }
  const image = new Image();
  image.src = logoAddress(logo.digest);
  return resolveWithin(drawn(image), WAIT_MS);
}

async function drawn(image: HTMLImageElement): Promise<ImageBitmap | undefined> {
  try {
    await image.decode();
    return await createImageBitmap(image);
  } catch {
    return undefined;
  }
}
