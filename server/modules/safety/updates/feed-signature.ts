import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Beside each file of a feed that says what is new: its signature by the feed's own key, in base64. */
export const SIGNATURE_SUFFIX = ".sig";
/** The public key that a build brings along, where its feed is signed. */
export const FEED_KEY_FILE = "update-feed-key.pem";

/** @returns undefined where this build believes an unsigned feed */
export async function readFeedKey(resourcesDir: string): Promise<KeyObject | undefined> {
  const pem = await readFile(join(resourcesDir, FEED_KEY_FILE), "utf8").catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    },
  );
  return pem === undefined ? undefined : createPublicKey(pem);
}

/** @returns the signature of a feed's file, as it stands beside it */
export function signFeed(bytes: Buffer, privateKey: KeyObject): string {
  return `${sign(null, bytes, privateKey).toString("base64")}\n`;
}

/** @throws Error where the bytes are not those that the holder of the key signed */
export function requireSigned(bytes: Buffer, signature: string, key: KeyObject): void {
  if (verify(null, bytes, key, Buffer.from(signature.trim(), "base64"))) return;
  throw new Error("the feed of updates is not signed with the key that this program knows");
}

/**
 * An old list that is served again hides newer versions: each says until when it is good.
 * @param expires undefined where it does not say, which is enough only where nothing is signed
 * @throws Error
 */
export function requireFresh(
  expires: string | undefined,
  { now, isSigned }: { now: number; isSigned: boolean },
): void {
  if (expires === undefined && !isSigned) return;
  const until = Date.parse(expires ?? "");
  if (Number.isNaN(until)) throw new Error("the feed of updates does not say when it expires");
  if (now <= until) return;
  throw new Error(
    `the feed of updates expired on ${expires}: it may hide newer versions until it is signed again`,
  );
}
