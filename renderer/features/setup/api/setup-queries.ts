import {
  backupOperations,
  type LookedAt,
  type RecoveryKit,
  UPLOAD_PART_BYTES,
} from "../../../../server/contract/pos/backups.ts";
import { type SetupInput, setupOperations } from "../../../../server/contract/pos/setup.ts";
import type { PosSession } from "../../../../server/contract/pos/staff.ts";
import { call } from "../../../lib/api-client.ts";

export function setUpShop(input: SetupInput): Promise<PosSession> {
  return call(setupOperations.setUp, { body: input, timeoutMs: 30_000 });
}

/** Copying and checking a large shop takes minutes. */
const RESTORE_TIMEOUT_MS = 30 * 60_000;

interface ChosenBackup {
  readonly file: string;
  /** Recovery phrase. Empty if the backup needs none. */
  readonly phrase: string;
  readonly acceptUnsigned?: boolean;
}

export function lookAtBackup({ file, phrase }: ChosenBackup): Promise<LookedAt> {
  const body = { file, ...(phrase.trim() && { phrase }) };
  return call(backupOperations.look, { body, timeoutMs: RESTORE_TIMEOUT_MS });
}

export function restoreShop({ file, phrase, acceptUnsigned }: ChosenBackup) {
  const body = {
    file,
    ...(phrase.trim() && { phrase }),
    ...(acceptUnsigned && { acceptUnsigned }),
  };
  return call(backupOperations.restoreFirst, { body, timeoutMs: RESTORE_TIMEOUT_MS });
}

/**
 * Uploads files in parts, so that files need not fit in memory.
 * @returns the newest file by name, which may depend on the others, and the total size
 */
export async function uploadBackups(
  files: readonly File[],
): Promise<{ file: string; bytes: number }> {
  let [newest, bytes] = ["", 0];
  for (const [number, file] of files.toSorted(byName).entries()) {
    newest = await uploadBackup(file, number);
    bytes += file.size;
  }
  return { file: newest, bytes };
}

function byName(a: File, b: File): number {
  return a.name < b.name ? -1 : 1;
}

async function uploadBackup(file: File, number: number): Promise<string> {
  let stored = { file: "", bytes: 0 };
  do {
    const part = file.slice(stored.bytes, stored.bytes + UPLOAD_PART_BYTES);
    const content = await toBase64(part);
    stored = await call(backupOperations.upload, { body: { number, at: stored.bytes, content } });
  } while (stored.bytes < file.size);
  return stored.file;
}

async function toBase64(part: Blob): Promise<string> {
  const bytes = new Uint8Array(await part.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export function confirmFirstKit({ kitId }: RecoveryKit): Promise<object> {
  return call(backupOperations.confirmKit, { body: { kitId } });
}
