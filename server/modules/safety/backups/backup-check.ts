import { dirname, join } from "node:path";
import type { BackupFault } from "../../../contract/pos/backups.ts";
import { type Db, openDatabaseFile } from "../../../db/database.ts";
import { copyDatabase, makeDataDir } from "../../../db/database-files.ts";
import { damage } from "../../../db/engine-words.ts";
import { findSchemaVersion } from "../../../db/migrate.ts";
import { EARLIER_REMEDY } from "../../../db/migrations/index.ts";
import { findSchemaDifferences } from "../../../db/sqlite/schema-check.ts";
import { PhraseError } from "../../../lib/recovery-phrase.ts";
import { findSealKey, type SealKey } from "../../../lib/sealer.ts";
import {
  describeFileFault,
  describeStorageFault,
  isDamagedFile,
  isDiskFull,
} from "../../../lib/storage-fault.ts";
import { auditBooks, listProblems } from "../../books/audit/index.ts";
import { restoreChain } from "./backup-chain.ts";
import { readCurrentShop } from "./backup-facts.ts";
import { createPrivateFile, removePart } from "./backup-files.ts";
import {
  BackupError,
  type BackupFacts,
  readFormat,
  readSealedBackup,
  type UnlockedBackup,
  unlockBackup,
} from "./backup-format.ts";
import { openKits } from "./recovery-kit.ts";

export interface BackupCheck {
  problems: string[];
  /** The first problem, for people. Undefined if there is none. */
  fault?: BackupFault | undefined;
  /**
   * Whether an older version made the backup. Such a backup can be audited only after a migration.
   */
  outdated: boolean;
  /** The authenticated header. Undefined if the backup has no header or could not be decrypted. */
  facts?: BackupFacts;
  /**
   * Whether the backup has no signature, as in early versions, so that changes cannot be detected.
   */
  isUnsigned?: boolean;
}

export interface BackupSource {
  readonly file: string;
  /** Directory of the key file. The key decrypts the backup if no phrase is given. */
  readonly dataDir: string;
  readonly phrase?: string | undefined;
}

export interface OpenedBackup {
  /** Undefined if the backup is not signed. */
  facts: BackupFacts | undefined;
  key: SealKey | undefined;
  /** The key of the desktop app, if the recovery phrase decrypted it. */
  keyring: SealKey | undefined;
}

/**
 * Authenticates a backup, and decrypts it into a separate file. Searches for an increment's
 * predecessors in its folder, and among the backups of the data directory.
 * @param scratch path of a file that exists and is empty
 * @throws BackupError, PhraseError
 */
export async function openBackup(source: BackupSource, scratch: string): Promise<OpenedBackup> {
  const unlocked = await unlock(source);
  if (unlocked === undefined) {
    await copyDatabase(source.file, scratch);
    return { facts: undefined, key: undefined, keyring: undefined };
  }
  const { backup, keyring } = unlocked;
  restoreChain(backup, [dirname(source.file), join(source.dataDir, "backups")], scratch);
  return { facts: backup.facts, key: backup.key, keyring };
}

interface Unlocked {
  readonly backup: UnlockedBackup;
  readonly keyring: SealKey | undefined;
}

/**
 * @returns undefined for a backup without a header, made by an early version
 * @throws BackupError, PhraseError
 */
async function unlock(source: BackupSource): Promise<Unlocked | undefined> {
  const { file, dataDir, phrase } = source;
  const format = readFormat(file);
  if (format === "PLAIN") return undefined;
  if (format === "EMPTY") throw new BackupError("it is empty");
  const sealed = readSealedBackup(file);
  const own = findSealKey(dataDir);
  if (own?.id === sealed.keyId) return { backup: unlockBackup(sealed, own), keyring: undefined };
  if (sealed.kits.length === 0) {
    throw new BackupError(
      "it was encrypted with another key file, and was made before its shop had a recovery kit: copy the file secrets.key of that shop's data directory",
      { kind: "OTHER_KEY" },
    );
  }
  if (phrase === undefined) {
    throw new PhraseError(
      "it was encrypted with another key file than this one's: its recovery phrase opens it",
      { kind: "MISSING" },
    );
  }
  const { key, keyring } = await openKits(sealed.kits, phrase);
  return { backup: unlockBackup(sealed, key), keyring };
}

export async function verifyBackup(source: BackupSource, scratch: string): Promise<BackupCheck> {
  try {
    makeDataDir(source.dataDir);
    await createPrivateFile(scratch);
    const { facts } = await openBackup(source, scratch);
    const check = await checkDatabaseCopy(scratch, "write");
    const foreign = facts && (await findForeign(facts, source.dataDir));
    return {
      ...check,
      problems: [...(foreign?.problems ?? []), ...check.problems],
      fault: foreign?.fault ?? check.fault,
      ...(facts ? { facts } : { isUnsigned: true }),
    };
  } catch (error) {
    return { ...toFinding(error), outdated: false };
  } finally {
    await removePart(scratch);
  }
}

/**
 * @returns the reason why a backup does not belong to the shop in the data directory; undefined if
 * it does
 */
export async function findForeign(
  { shopName, shopBeganAt }: Pick<BackupFacts, "shopName" | "shopBeganAt">,
  dataDir: string,
): Promise<Finding | undefined> {
  const shop = await readCurrentShop(dataDir);
  if (shop.state !== "SHOP" || shop.beganAt === shopBeganAt) return undefined;
  return {
    problems: [`it is of another shop, "${shopName}"; the shop here is "${shop.name}"`],
    fault: { kind: "OTHER_SHOP", shop: shopName },
  };
}

export type Finding = Required<Pick<BackupCheck, "problems" | "fault">>;

export function toFinding(error: unknown): Finding {
  return { problems: [describeBackupFault(error)], fault: toBackupFault(error) };
}

export function toBackupFault(error: unknown): BackupFault {
  if (error instanceof BackupError) return error.fault;
  if (error instanceof PhraseError) return { kind: "OTHER_KEY" };
  if (isDiskFull(error)) return { kind: "DISK_FULL" };
  if (isDamagedFile(error)) return { kind: "DAMAGED" };
  const isRead = error instanceof Error && "syscall" in error && READS.test(`${error.syscall}`);
  return { kind: isRead ? "UNREADABLE" : "FAILED" };
}

/** System calls that read the backup. Its copy on this computer is only written. */
const READS = /^(open|read|stat)/;

export function describeBackupFault(error: unknown): string {
  if (error instanceof BackupError || error instanceof PhraseError) return error.message;
  const storage = describeStorageFault(error);
  if (storage !== undefined) return storage;
  if (error instanceof Error && "code" in error) return describeFileFault(error);
  return error instanceof Error ? error.message : String(error);
}

/**
 * Checks that a copy is intact, has exactly Tillgate's tables and triggers, and that its books
 * violate no invariant.
 * @param mode "write" for a copy that this program made, which becomes a single file
 * @param depth SCHEMA checks only tables and triggers; BOOKS checks everything else
 */
export async function checkDatabaseCopy(
  file: string,
  mode: "read" | "write",
  depth: Depth = "ALL",
): Promise<BackupCheck> {
  let db: Db | undefined;
  try {
    db = openDatabaseFile(file, mode);
    return await check(db, depth);
  } catch (error) {
    return { ...toFinding(error), outdated: false };
  } finally {
    await db?.destroy();
  }
}

type Depth = "ALL" | "SCHEMA" | "BOOKS";

async function check(db: Db, depth: Depth): Promise<BackupCheck> {
  const version = await findSchemaVersion(db);
  const outdated = (version?.pending.length ?? 0) > 0;
  const found = (kind: BackupFault["kind"], problems: string[]): BackupCheck =>
    problems.length > 0 ? { problems, fault: { kind }, outdated } : { problems, outdated };
  if (!version) return found("NOT_A_BACKUP", ["it is not a database of Tillgate"]);
  if (version.isEarlier) {
    const problem = `it was made by an older Tillgate, whose tables this version cannot change. ${EARLIER_REMEDY}`;
    return found("OLDER", [problem]);
  }
  if (version.unknown.length > 0) {
    const problem = `it was made by a newer Tillgate (${version.unknown.join(", ")})`;
    return found("NEWER", [problem]);
  }
  const differences = depth === "BOOKS" ? [] : await findSchemaDifferences(db);
  if (differences.length > 0 || depth === "SCHEMA") return found("DAMAGED", differences);
  if (outdated) {
    const { rows } = await damage.execute(db);
    return found(
      "DAMAGED",
      rows.map(({ violation }) => violation),
    );
  }
  return found("BOOKS", listProblems(await auditBooks(db)));
}
