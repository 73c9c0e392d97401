import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import { Problem } from "../../../contract/problem.ts";
import { EVERY_ACCOUNT } from "../../../db/account-lock.ts";
import { keepChecksums } from "../../../db/checksums.ts";
import { type Db, openDatabaseFile, type Tx } from "../../../db/database.ts";
import {
  databaseExists,
  databaseFile,
  lockDataDir,
  makeDataDir,
} from "../../../db/database-files.ts";
import { migrate } from "../../../db/migrate.ts";
import { createTransactor, type Transactor } from "../../../db/transactor.ts";
import { type Clock, SECOND } from "../../../lib/clock.ts";
import { PhraseError } from "../../../lib/recovery-phrase.ts";
import {
  findSealKey,
  findSealKeyId,
  keyringKeyFile,
  type SealKey,
  sealKeyFile,
  sealWithKey,
} from "../../../lib/sealer.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { doubtUnfinished } from "../../purchases/purchases/index.ts";
import {
  checkDatabaseCopy,
  describeBackupFault,
  type OpenedBackup,
  openBackup,
  toBackupFault,
} from "./backup-check.ts";
import { type CurrentShop, listKits, readCurrentShop, readFacts } from "./backup-facts.ts";
import {
  createPrivateFile,
  flushDir,
  flushFile,
  partName,
  READY_DATABASE,
  removePart,
  takenAtOf,
  toNameStamp,
} from "./backup-files.ts";
import type { BackupFacts } from "./backup-format.ts";
import { openKits, type SealedKit, type ShopKeys } from "./recovery-kit.ts";
import { closeReview, isAccessShared, openReview } from "./restore-review.ts";
import { type Carried, carryRevocations } from "./revocations.ts";
import { findUnreadable, type Unreadable } from "./sealed-with.ts";

/** A restored database: complete and verified, but not yet active. */
export interface StagedRestore {
  /** Empty if no shop was set up. */
  shopName: string;
  /** Time of the backup in milliseconds. The restored books lack all later changes. */
  takenAt: number;
  /** Number of purchases whose outcome the gateway will query from the provider. */
  unfinished: number;
  unreadable: Unreadable;
  /** One text for each revocation that was carried over from the replaced database. */
  carried: string[];
  /** Whether an owner has to confirm access, because revocations may be missing. */
  needsReview: boolean;
}

export interface Restored extends StagedRestore {
  kept: string | undefined;
}

export interface RestoreRequest {
  dataDir: string;
  accountId: string;
  file: string;
  now: number;
  /** The phrase as typed; required if the data directory's key file does not decrypt the backup. */
  phrase?: string | undefined;
  /**
   * Name of the backup's shop, which a person types to confirm that it replaces a different shop.
   */
  adopt?: string | undefined;
  acceptUnsigned?: boolean | undefined;
  /** Audit entry to write instead of the usual entry about a restore. */
  audit?: { action: AuditAction; subject: string };
}

const KEPT = "before-restore-";
const BUILDING = "tillgate.db.building";

/**
 * Returns the path of the database that will replace the present database. The directory of the
 * replaced files has the same stamp.
 */
function readyFile(dataDir: string, stamp: string): string {
  return `${databaseFile(dataDir)}.restored-${stamp}`;
}

function keyFiles(dataDir: string): string[] {
  return [sealKeyFile(dataDir), keyringKeyFile(dataDir)];
}

function readyKeyFile(keyFile: string, stamp: string): string {
  return `${keyFile}.restored-${stamp}`;
}

/**
 * Replaces the database with a backup (rules#backup-restore). Changes nothing until the restored
 * copy is complete and verified. If it is interrupted after that, `finishRestore` completes the
 * restore.
 * @throws Problem with the reason; the database is unchanged
 */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const { dataDir } = request;
  const lock = lockDataDir(dataDir);
  if (!lock) {
    throw new Problem(
      "SYSTEM_UNAVAILABLE",
      `Tillgate is running on ${dataDir}: stop it, then restore. Nothing was done.`,
    );
  }
  try {
    await completeRestore(dataDir);
    const staged = await stageRestore(request);
    return { ...staged, kept: await completeRestore(dataDir) };
  } finally {
    lock.release();
  }
}

/**
 * Prepares the restored database; `finishRestore` activates it. The caller has locked the data
 * directory.
 * @throws Problem with the reason; no files remain
 */
async function stageRestore(request: RestoreRequest): Promise<StagedRestore> {
  const { dataDir, file, now } = request;
  const named = takenAtOf(basename(file)) ?? Math.floor((await statOf(file)).mtimeMs);
  const building = join(dataDir, BUILDING);
  await removePart(building);
  await removeStagedKeys(dataDir);
  try {
    await createPrivateFile(building);
    const opened = await openOrRefuse(request, building);
    await refuseBroken(building, file);
    const { facts, key, keyring } = opened;
    if (facts === undefined) refuseUnsigned(request);
    const takenAt = facts?.takenAt ?? named;
    const current = findSealKey(dataDir);
    const prepared = await prepare(building, { ...request, takenAt, key: key ?? current, keyring });
    await refuseBroken(building, file);
    await flushFile(building);
    const stamp = freeStamp(dataDir, now);
    // Renames the database last: until then, staged keys are ignored.
    if (key && key.id !== current?.id) await stageKeys(dataDir, stamp, { key, keyring });
    renameSync(building, readyFile(dataDir, stamp));
    await flushDir(dataDir);
    return { takenAt, ...prepared };
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(
      "INVALID_REQUEST",
      `The backup ${basename(file)} could not be restored: ${describeBackupFault(error)}. Nothing was done.`,
      toBackupFault(error),
    );
  } finally {
    await removePart(building);
  }
}

/** A refused restore as a plain value. An error would lose its fields between threads. */
export interface RefusedRestore {
  refusal: Pick<Problem, "errorCode" | "message" | "fields">;
}

export async function stageOrRefuse(
  request: RestoreRequest,
): Promise<StagedRestore | RefusedRestore> {
  try {
    return await stageRestore(request);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { errorCode, message, fields } = error;
    return { refusal: { errorCode, message, fields } };
  }
}

/** @throws Problem; `fields` names the input that the person has to fill in, if any */
async function openOrRefuse(request: RestoreRequest, building: string): Promise<OpenedBackup> {
  const { file } = request;
  try {
    return await openBackup(request, building);
  } catch (error) {
    const fault = error instanceof PhraseError ? error.fault : undefined;
    throw new Problem(
      "INVALID_REQUEST",
      `The backup ${basename(file)} is not good: ${describeBackupFault(error).replace(/\.$/, "")}. Nothing was done.`,
      fault
        ? { phrase: fault.kind === "MISSING" ? "is required" : "is wrong" }
        : toBackupFault(error),
    );
  }
}

function refuseUnsigned({ file, acceptUnsigned }: RestoreRequest): void {
  if (acceptUnsigned === true) return;
  throw new Problem(
    "INVALID_REQUEST",
    `The backup ${basename(file)} is not signed: Tillgate made it before backups were encrypted, so nobody can tell whether it was changed. Restore it only if it never left your hands, and accept that by name (--unsigned accept). Nothing was done.`,
    { acceptUnsigned: "is required", kind: "UNSIGNED" },
  );
}

/**
 * Writes the keys that a phrase decrypted. Encrypts the keyring key with the key file until the
 * keyring of the new machine can protect it.
 */
async function stageKeys(
  dataDir: string,
  stamp: string,
  { key, keyring }: ShopKeys,
): Promise<void> {
  await writePrivate(readyKeyFile(sealKeyFile(dataDir), stamp), key.bytes);
  if (keyring === undefined) return;
  const sealed = sealWithKey(key, keyring.bytes.toString("base64"));
  await writePrivate(readyKeyFile(keyringKeyFile(dataDir), stamp), sealed);
}

async function writePrivate(file: string, content: string | Buffer): Promise<void> {
  await createPrivateFile(file);
  await writeFile(file, content);
  await flushFile(file);
}

/**
 * Writes the missing key files of a shop after its database was restored by other means, such as
 * `pg_restore`.
 * @returns the path of the key file
 * @throws Problem, PhraseError
 */
export async function restoreKeyFiles(
  { dataDir, database }: { dataDir: string; database?: string | undefined },
  phrase: string,
): Promise<string> {
  makeDataDir(dataDir);
  const target = sealKeyFile(dataDir);
  const db = await openWithoutKeys(dataDir, database);
  let kits: SealedKit[];
  try {
    kits = await listKits(db, undefined);
  } finally {
    await db.destroy();
  }
  if (kits.length === 0) {
    throw new Problem(
      "NOT_FOUND",
      "This shop's database has no recovery kit. Copy the file secrets.key of its data directory. Nothing was changed.",
    );
  }
  const { key, keyring } = await openKits(kits, phrase);
  if (existsSync(target) && findSealKeyId(dataDir) !== key.id) {
    throw new Problem(
      "INVALID_REQUEST",
      `${target} is the key of other secrets. Move it away first. Nothing was changed.`,
    );
  }
  const writes: [string, string | Buffer][] = [[target, key.bytes]];
  if (keyring) {
    writes.unshift([keyringKeyFile(dataDir), sealWithKey(key, keyring.bytes.toString("base64"))]);
  }
  for (const [file, content] of writes) {
    if (existsSync(file)) continue;
    const part = join(dataDir, partName(basename(file)));
    await removePart(part);
    await writePrivate(part, content);
    renameSync(part, file);
    await flushDir(dataDir);
  }
  return target;
}

/** @param database undefined if the database is a file */
async function openWithoutKeys(dataDir: string, database: string | undefined): Promise<Db> {
  if (database !== undefined) {
    const { openPostgresDatabase } = await import("../../../db/postgres/open-database.ts");
    return openPostgresDatabase(database, { presence: "command" });
  }
  if (databaseExists(dataDir)) return openDatabaseFile(databaseFile(dataDir), "read");
  throw new Problem("NOT_FOUND", `There is no shop in ${dataDir}. Nothing was changed.`);
}

async function removeStagedKeys(dataDir: string): Promise<void> {
  for (const file of keyFiles(dataDir)) {
    const prefix = `${basename(file)}.restored-`;
    for (const name of readdirSync(dataDir)) {
      if (!name.startsWith(prefix)) continue;
      if (!existsSync(readyFile(dataDir, name.slice(prefix.length)))) await rm(join(dataDir, name));
    }
  }
}

/**
 * Completes an interrupted restore: moves the old database aside, and the new database to its path.
 * The caller has locked the data directory.
 * @returns the directory of the old database
 */
export async function completeRestore(dataDir: string): Promise<string | undefined> {
  let kept: string | undefined;
  await removeStagedKeys(dataDir);
  for (const name of readdirSync(dataDir).toSorted()) {
    const stamp = READY_DATABASE.exec(name)?.[1];
    if (stamp === undefined) continue;
    const target = databaseFile(dataDir);
    const aside = join(dataDir, `${KEPT}${stamp}`);
    await finishKeys(dataDir, stamp, aside);
    // Moves the database file last, because it must never be opened without its log.
    for (const suffix of ["-wal", "-shm", "-commits", ""]) {
      const moved = join(aside, `${basename(target)}${suffix}`);
      if (!existsSync(target + suffix) || existsSync(moved)) continue;
      mkdirSync(aside, { mode: 0o700, recursive: true });
      renameSync(target + suffix, moved);
      await flushDir(aside);
      await flushDir(dataDir);
    }
    if (existsSync(aside)) kept = aside;
    renameSync(join(dataDir, name), target);
    await flushDir(dataDir);
  }
  return kept;
}

/**
 * Records a restore: marks the outcome of unfinished purchases as unknown, and ends all sessions.
 * @returns the number of these purchases
 */
export async function noteRestored({
  transactor,
  accountId,
  clock,
}: {
  transactor: Transactor;
  accountId: string;
  clock: Clock;
}): Promise<number> {
  return transactor.transact(EVERY_ACCOUNT, async (tx) => {
    const detail = { unfinished: await doubtUnfinished(tx) };
    // Ends all sessions, because their people may no longer be at the till.
    await tx.deleteFrom("staff_sessions").execute();
    await recordAudit(tx, {
      accountId,
      staffId: undefined,
      action: "backup.restore",
      subject: "database",
      detail,
      at: clock.now(),
    });
    return detail.unfinished;
  });
}

/**
 * Moves the new keys to their paths before the database, because only the new database needs them.
 */
async function finishKeys(dataDir: string, stamp: string, aside: string): Promise<void> {
  for (const target of keyFiles(dataDir)) {
    const ready = readyKeyFile(target, stamp);
    if (!existsSync(ready)) continue;
    const moved = join(aside, basename(target));
    if (existsSync(target) && !existsSync(moved)) {
      mkdirSync(aside, { mode: 0o700, recursive: true });
      renameSync(target, moved);
      await flushDir(aside);
    }
    renameSync(ready, target);
    await flushDir(dataDir);
  }
}

/** Returns the stamp of the first second from `now` that no earlier restore used. */
function freeStamp(dataDir: string, now: number): string {
  let at = now;
  while (existsSync(join(dataDir, `${KEPT}${toNameStamp(at)}`))) at += SECOND;
  return toNameStamp(at);
}

async function refuseBroken(copy: string, file: string): Promise<void> {
  const { problems, fault } = await checkDatabaseCopy(copy, "write");
  if (problems.length === 0) return;
  throw new Problem(
    "INVALID_REQUEST",
    `The backup ${basename(file)} is not good: ${problems.join("; ")}. Nothing was done.`,
    fault,
  );
}

async function statOf(file: string) {
  try {
    return await stat(file);
  } catch {
    throw new Problem("NOT_FOUND", `There is no backup ${file}.`);
  }
}

interface Preparation extends RestoreRequest {
  takenAt: number;
  key: SealKey | undefined;
  keyring: SealKey | undefined;
}

async function prepare(
  copy: string,
  preparation: Preparation,
): Promise<Omit<StagedRestore, "takenAt">> {
  const { accountId, dataDir, file, now: at, takenAt, key, keyring, audit } = preparation;
  const db = openDatabaseFile(copy, "write");
  try {
    await migrate(db);
    keepChecksums(db);
    const facts = await readFacts(db, takenAt);
    const current = await readCurrentShop(dataDir);
    const adopted = requireSameShop(facts, current, preparation);
    const unreadable = await findUnreadable(db, { keyId: key?.id, keyringId: keyring?.id });
    return await createTransactor(db).transact(EVERY_ACCOUNT, async (tx) => {
      const unfinished = await doubtUnfinished(tx);
      // Ends all sessions, because their people may no longer be at the till.
      await tx.deleteFrom("staff_sessions").execute();
      const sameKey = findSealKey(dataDir)?.id === key?.id;
      const carried =
        current.state === "SHOP" && adopted === undefined
          ? await tryToCarry(tx, databaseFile(dataDir), { accountId, at, sameKey })
          : undefined;
      const returned = carried?.returned;
      const hasReturned = returned
        ? Object.values(returned).some((ids) => ids.length > 0)
        : await isAccessShared(tx, accountId);
      const needsReview = facts.shopName !== "" && hasReturned;
      if (needsReview) await openReview(tx, { accountId, at, takenAt, returned });
      else await closeReview(tx, accountId);
      const kept = carried?.kept ?? [];
      await recordAudit(tx, {
        accountId,
        staffId: undefined,
        ...(audit ?? { action: "backup.restore", subject: basename(file) }),
        detail: { takenAt, unfinished, carried: kept.length, ...adopted },
        at,
      });
      return {
        shopName: facts.shopName,
        unfinished,
        unreadable,
        carried: kept,
        needsReview,
      };
    });
  } finally {
    await db.destroy();
  }
}

/**
 * Refuses the backup of another shop unless the person has typed its name.
 * @returns the name of the replaced shop; undefined if no shop is replaced
 */
function requireSameShop(
  { shopName, shopBeganAt }: BackupFacts,
  current: CurrentShop,
  { dataDir, file, adopt, key }: Preparation,
): { replaced: string } | undefined {
  if (current.state === "NONE") return undefined;
  if (current.state === "SHOP" && current.beganAt === shopBeganAt) return undefined;
  // The key file identifies the shop of an unreadable database.
  const own = findSealKey(dataDir);
  if (current.state === "UNREADABLE" && (own === undefined || own.id === key?.id)) return undefined;
  const name = current.state === "SHOP" ? current.name : "";
  if (adopt === shopName && shopName !== "") return { replaced: name };
  const here = name === "" ? "the shop here, whose database cannot be read" : `"${name}"`;
  throw new Problem(
    "INVALID_REQUEST",
    `The backup ${basename(file)} is of another shop, "${shopName}". It would take the place of ${here}. Nothing was done. To put "${shopName}" in its place on purpose, give its name (--adopt "${shopName}").`,
    { adopt: "is required", kind: "OTHER_SHOP", shop: shopName },
  );
}

/**
 * Carries over revocations from the replaced database.
 * @returns undefined if the replaced database cannot be read
 */
async function tryToCarry(
  tx: Tx,
  file: string,
  options: Parameters<typeof carryRevocations>[2],
): Promise<Carried | undefined> {
  try {
    return await carryRevocations(tx, file, options);
  } catch {
    return undefined;
  }
}
