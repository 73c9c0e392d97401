import { addressOf } from "../../server/contract/pos/operation.ts";
import { shopOperations } from "../../server/contract/pos/shop.ts";

/** Returns the URL of the shop's logo; another picture has another URL. */
export function logoAddress(digest: string): string {
  return addressOf(shopOperations.readLogo, { digest });
}
