import { hash } from "node:crypto";
import type { Order } from "./provider.ts";

/** Returns 32 bytes from which the sandbox provider derives all numbers of an order. */
export function digestOf({ accountId, transactionId }: Order): Buffer {
  return hash("sha256", `${accountId}/${transactionId}`, "buffer");
}

export function digitsOf(digest: Buffer, offset: number, count: number): string {
  let text = "";
  for (let at = offset; text.length < count; at += 6) {
    text += String(digest.readUIntBE(at % 26, 6)).padStart(15, "0");
  }
  return text.slice(0, count);
}
