import { createHash } from "node:crypto";

/** Characters of base64url: 132 bits, for which collisions are practically impossible. */
const CHARACTERS = 22;

/**
 * Returns the digest of an offer's JSON. Each sold version of an offer is
 * stored once, under its digest.
 */
export function toOfferDigest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, CHARACTERS);
}
