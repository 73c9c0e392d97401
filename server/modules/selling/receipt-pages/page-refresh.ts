import { createHmac, timingSafeEqual } from "node:crypto";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import { type FileSealer, SealError } from "../../../lib/sealer.ts";

const PURPOSE = "pages of receipts that load themselves again";
/** A page with a line still to be delivered is loaded again after this long. */
export const REFRESH_S = 20;
/** A phone that was busy or far from its network comes late; one that comes later has been opened again. */
const LATEST_MS = 3 * REFRESH_S * SECOND;
const MARK = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{22})$/;
const MARK_BYTES = 16;

interface PageRefreshDeps {
  clock: Clock;
  keyFile: Pick<FileSealer, "derive">;
}

/**
 * The mark by which a page that loads itself again is told from one that a person opens. It is valid for the one
 * link and for as long as it takes: an address with a mark that is shared, kept or made up is a view like any other.
 * @returns undefined where there is no key to make it with
 */
export function markOfRefresh(
  tokenHash: string,
  { clock, keyFile }: PageRefreshDeps,
): string | undefined {
  const at = clock.now();
  const digest = digestOf(keyFile, tokenHash, at);
  return digest && `${at.toString(36)}.${digest.toString("base64url")}`;
}

/** Whether a page that was marked has loaded itself again. */
export function isRefresh(
  mark: string,
  tokenHash: string,
  { clock, keyFile }: PageRefreshDeps,
): boolean {
  const [, time = "", digest = ""] = MARK.exec(mark) ?? [];
  const at = Number.parseInt(time, 36);
  const age = clock.now() - at;
  if (!(age >= 0 && age <= LATEST_MS)) return false;
  const right = digestOf(keyFile, tokenHash, at);
  return right !== undefined && timingSafeEqual(right, Buffer.from(digest, "base64url"));
}

function digestOf(
  keyFile: Pick<FileSealer, "derive">,
  tokenHash: string,
  at: number,
): Buffer | undefined {
  const key = deriveKey(keyFile);
  if (!key) return undefined;
  const text = JSON.stringify([tokenHash, at]);
  return createHmac("sha256", key).update(text).digest().subarray(0, MARK_BYTES);
}

/** The page itself takes no key, and opens without one. */
function deriveKey(keyFile: Pick<FileSealer, "derive">): Buffer | undefined {
  try {
    return keyFile.derive(PURPOSE, { create: false })?.bytes;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
