import { createHmac, timingSafeEqual } from "node:crypto";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import { type FileSealer, SealError } from "../../../lib/sealer.ts";

const PURPOSE = "pages of receipts that load themselves again";
/** Interval at which a page with an unfinished line reloads. */
export const REFRESH_S = 20;
/** Validity of a mark, long enough for slow phones. A later reload counts as a view. */
const LATEST_MS = 3 * REFRESH_S * SECOND;
const MARK = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{22})$/;
const MARK_BYTES = 16;

interface PageRefreshDeps {
  clock: Clock;
  keyFile: Pick<FileSealer, "derive">;
}

/**
 * Makes a mark for the address of an automatic reload, which must not count as a view. The mark is
 * valid for one link and a short time, so that a shared, stored or forged address counts as a view.
 * @returns undefined if there is no key
 */
export function makeRefreshMark(
  tokenHash: string,
  { clock, keyFile }: PageRefreshDeps,
): string | undefined {
  const at = clock.now();
  const digest = digestMark(keyFile, tokenHash, at);
  return digest && `${at.toString(36)}.${digest.toString("base64url")}`;
}

export function isRefresh(
  mark: string,
  tokenHash: string,
  { clock, keyFile }: PageRefreshDeps,
): boolean {
  const [, time = "", digest = ""] = MARK.exec(mark) ?? [];
  const at = Number.parseInt(time, 36);
  const age = clock.now() - at;
  if (!(age >= 0 && age <= LATEST_MS)) return false;
  const right = digestMark(keyFile, tokenHash, at);
  return right !== undefined && timingSafeEqual(right, Buffer.from(digest, "base64url"));
}

function digestMark(
  keyFile: Pick<FileSealer, "derive">,
  tokenHash: string,
  at: number,
): Buffer | undefined {
  const key = deriveKey(keyFile);
  if (!key) return undefined;
  const text = JSON.stringify([tokenHash, at]);
  return createHmac("sha256", key).update(text).digest().subarray(0, MARK_BYTES);
}

/** Does not create a key, because the page works without a key. */
function deriveKey(keyFile: Pick<FileSealer, "derive">): Buffer | undefined {
  try {
    return keyFile.derive(PURPOSE, { create: false })?.bytes;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
