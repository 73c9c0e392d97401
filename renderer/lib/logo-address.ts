import { addressOf } from "../../server/contract/pos/operation.ts";
import { shopOperations } from "../../server/contract/pos/shop.ts";

/** Returns the URL of a logo. The URL changes with the picture. */
export function logoAddress(digest: string): string {
  return addressOf(shopOperations.readLogo, { digest });
}
