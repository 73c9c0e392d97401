import { addressOf } from "../../server/contract/pos/operation.ts";
import { shopOperations } from "../../server/contract/pos/shop.ts";

/** Where the shop's logo is; another picture has another address. */
export function logoAddress(digest: string): string {
  return addressOf(shopOperations.readLogo, { digest });
}
