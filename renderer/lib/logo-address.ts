import { addressOf } from "../../server/contract/pos/operation.ts";
import { shopOperations } from "../../server/contract/pos/shop.ts";

/** Each picture has its own URL. */
export function logoAddress(digest: string): string {
  return addressOf(shopOperations.readLogo, { digest });
}
