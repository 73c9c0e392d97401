import { createHash, timingSafeEqual } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Ids } from "../../../lib/ids.ts";

const TOKEN_BYTES = 32;
const HASH_BYTES = 32;

/**
 * Returns the path of the SHA-256 of the token for `/metrics`. Without the file, no token is valid.
 */
function tokenFile(dataDir: string): string {
  return join(dataDir, "metrics-token.sha256");
}

/** Creates a token, which cannot be shown again. The previous token becomes invalid. */
export async function createMetricsToken(dataDir: string, ids: Ids): Promise<string> {
  const token = `metrics_${ids.secret(TOKEN_BYTES)}`;
  const fresh = `${tokenFile(dataDir)}.${ids.uuid()}`;
  const handle = await open(fresh, "wx", 0o600);
  try {
    await handle.writeFile(hashToken(token).toString("hex"));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, tokenFile(dataDir));
  return token;
}

/** @returns false if there was no token */
export async function revokeMetricsToken(dataDir: string): Promise<boolean> {
  try {
    await rm(tokenFile(dataDir));
    return true;
  } catch {
    return false;
  }
}

export async function isMetricsToken(dataDir: string, token: string): Promise<boolean> {
  const text = await readFile(tokenFile(dataDir), "utf8").catch(() => "");
  const known = Buffer.from(text.trim(), "hex");
  return known.length === HASH_BYTES && timingSafeEqual(known, hashToken(token));
}

function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
