import { createHash } from "node:crypto";

/** Of base64url: 132 bits, which practically never collide. */
const CHARACTERS = 22;

/** Returns the digest of an offer's JSON, by which each sold version is stored once. */
export function toOfferDigest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, CHARACTERS);
}
