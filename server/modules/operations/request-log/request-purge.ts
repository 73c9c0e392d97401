import {
  measureRequestFile,
  openRequestFile,
  removeRequestFile,
} from "../../../db/sqlite/request-file.ts";
import { DAY, pause } from "../../../lib/clock.ts";
import { countAllRequests, deleteOldest } from "./request-store.ts";

/** Time for which a request is kept. */
export const KEPT_MS = 7 * DAY;
/** Expired requests that are deleted with one batch. */
export const EXPIRED_AT_ONCE = 400;

/** Deletes the expired requests of a sandbox's log that is not open, or the file if it has no others. */
export async function purgeRequestFile(dataDir: string, now: number): Promise<void> {
  if (!measureRequestFile(dataDir)) return;
  const db = await openRequestFile(dataDir, { isLight: true });
  let isEmpty = false;
  try {
    const expired = { before: now - KEPT_MS, count: EXPIRED_AT_ONCE };
    while ((await deleteOldest(db, expired)) === EXPIRED_AT_ONCE) await pause();
    isEmpty = (await countAllRequests(db)) === 0;
  } finally {
    await db.destroy();
  }
  if (isEmpty) removeRequestFile(dataDir);
}
