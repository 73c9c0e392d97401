import { createHash } from "node:crypto";

/** Of base64url: 132 bits, which never meet by chance. */
const CHARACTERS = 22;

/** The digest by which an offer as it was sold is stored once; of its JSON. */
export function toOfferDigest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, CHARACTERS);
}
