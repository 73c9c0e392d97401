import { createHash, createHmac } from "node:crypto";
import type { FileSealer } from "../../../lib/sealer.ts";
import type { LinkRef } from "./link-store.ts";

const PURPOSE = "the links of receipts";
/** 192 bits: 32 letters, which a small QR code holds. */
const TOKEN_BYTES = 24;
const TOKEN = /^[A-Za-z0-9_-]{32}$/;

/**
 * What stands in a link: it follows from the key file, so that it can be shown again and sent later while
 * the database holds its hash alone.
 * @throws SealError when the key cannot be used
 */
export function tokenOf(
  keyFile: Pick<FileSealer, "derive">,
  { accountId, environment, linkId }: LinkRef,
): string {
  const key = keyFile.derive(PURPOSE, { create: true });
  if (!key) throw new Error("no key was made");
  const text = JSON.stringify([accountId, environment, linkId]);
  const digest = createHmac("sha256", key.bytes).update(text).digest();
  return digest.subarray(0, TOKEN_BYTES).toString("base64url");
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

export function hashOfToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
