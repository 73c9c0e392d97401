import { existsSync, readdirSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { BackupFault } from "../../../contract/pos/backups.ts";
import { Problem } from "../../../contract/problem.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import { writeFileWhole } from "../../../lib/write-file.ts";

/** Names only the field that every fault has: the whole schema is not loaded at a start. */
const StoredFault = Type.Unsafe<BackupFault>(Type.Object({ kind: Type.String() }));

/**
 * A restore that the next start performs. Stored outside the database, because the restore replaces
 * the database.
 */
const RestoreRequest = Type.Object({
  name: Type.String(),
  askedAt: Type.Integer(),
  acceptUnsigned: Type.Optional(Type.Boolean()),
  failure: Type.Optional(Type.String()),
  fault: Type.Optional(StoredFault),
});
export type RestoreRequest = Static<typeof RestoreRequest>;

function requestFile(dataDir: string): string {
  return join(dataDir, "restore-at-start.json");
}

export async function findRestoreRequest(dataDir: string): Promise<RestoreRequest | undefined> {
  // Checks without a worker thread, because most starts find no request.
  if (!existsSync(requestFile(dataDir))) return undefined;
  try {
    const found: unknown = JSON.parse(await readFile(requestFile(dataDir), "utf8"));
    return Value.Check(RestoreRequest, found) ? found : undefined;
  } catch {
    return undefined;
  }
}

export function writeRestoreRequest(dataDir: string, request: RestoreRequest): Promise<void> {
  return writeFileWhole(requestFile(dataDir), JSON.stringify(request));
}

export function withdrawRestoreRequest(dataDir: string): Promise<void> {
  return rm(requestFile(dataDir), { force: true });
}

/**
 * Performs a requested restore before the database is opened (rules#backup-restore-at-start). After
 * a failure, the shop starts with its present database and reports the reason.
 */
export async function restoreAsAsked(
  { dataDir, backupDir }: { dataDir: string; backupDir: string },
  { accountId, clock }: { accountId: string; clock: Clock },
): Promise<void> {
  const request = await findRestoreRequest(dataDir);
  if (!request || request.failure !== undefined) return;
  const file = join(backupDir, request.name);
  try {
    const { acceptUnsigned } = request;
    const { restoreBackup } = await import("./restore.ts");
    await restoreBackup({ dataDir, accountId, file, now: clock.now(), acceptUnsigned });
    await withdrawRestoreRequest(dataDir);
  } catch (error) {
    // Another gateway has locked the directory. This gateway cannot start, and leaves the request.
    if (error instanceof Problem && error.errorCode === "SYSTEM_UNAVAILABLE") return;
    const failure = error instanceof Error ? error.message : String(error);
    const fields: unknown = error instanceof Problem ? error.fields : undefined;
    const fault = Value.Check(StoredFault, fields) ? fields : undefined;
    await writeRestoreRequest(dataDir, { ...request, failure, ...(fault && { fault }) });
  }
}

/**
 * Completes an interrupted restore, if any, under the lock of the data directory.
 * @returns the path of the replaced database
 */
export async function finishRestore(dataDir: string): Promise<string | undefined> {
  // Most starts do not load the restore code.
  if (!readdirSync(dataDir).some((name) => name.includes(".restored-"))) return undefined;
  const { completeRestore } = await import("./restore.ts");
  return completeRestore(dataDir);
}

export function toRestoreView({ name, askedAt, failure, fault }: RestoreRequest) {
  return {
    name,
    askedAt: toTimestamp(askedAt),
    ...(failure !== undefined && { failure }),
    ...(fault && { fault }),
  };
}
