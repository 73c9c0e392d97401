import { createHash } from "node:crypto";
import type { Order } from "./provider.ts";

/**
 * What every number follows from that the sandbox provider makes up: the same order is fulfilled
 * the same way however often it is asked about. 32 bytes.
 */
export function digestOf({ accountId, transactionId }: Order): Buffer {
  return createHash("sha256").update(`${accountId}/${transactionId}`).digest();
}

/** `count` decimal digits out of a digest. */
export function digitsOf(digest: Buffer, offset: number, count: number): string {
  let text = "";
  for (let at = offset; text.length < count; at += 6) {
    text += String(digest.readUIntBE(at % 26, 6)).padStart(15, "0");
  }
  return text.slice(0, count);
}
