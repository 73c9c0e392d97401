import { readFile } from "node:fs/promises";
import { arch } from "node:os";
import { basename, join } from "node:path";
import { type Kysely, sql } from "kysely";
import { Value } from "typebox/value";
import { readWitness } from "../../../db/commit-witness.ts";
import { type Db, openDatabaseFile, type Tx } from "../../../db/database.ts";
import { databaseExists, databaseFile } from "../../../db/database-files.ts";
import { findSchemaVersion } from "../../../db/migrate.ts";
import type { Tables } from "../../../db/tables.ts";
import { type Clock, HOUR, MINUTE } from "../../../lib/clock.ts";
import { sendGuarded } from "../../../lib/guarded-request.ts";
import { findNewest, recordAudit } from "../../books/audit-trail/index.ts";
import type { Base, Module } from "../../module.ts";
import {
  isRestoreUnfinished,
  listBackupFiles,
  loadRestore,
  readOwnFacts,
} from "../backups/index.ts";
import {
  commandFor,
  forgetNewer,
  type Installation,
  isNewer,
  NewerVersion,
  readFeedKey,
  readNewer,
  requireFresh,
  requireSigned,
  SIGNATURE_SUFFIX,
  writeNewer,
} from "./newer-version.ts";

export {
  FEED_KEY_FILE,
  type Installation,
  type NewerVersion,
  readFeedKey,
  requireFresh,
  requireSigned,
  SIGNATURE_SUFFIX,
  signFeed,
} from "./newer-version.ts";

interface Places {
  dataDir: string;
  backupDir: string;
}

/** An undone update: the backup from before the update has replaced the database. */
export interface GoneBack {
  version: string;
  backup: string;
}

/** An update that changed the tables, and after which nothing was written. */
interface Untouched extends GoneBack {
  before: string | undefined;
}

/**
 * Undoes the update to a newer version, if it changed the tables and the shop wrote nothing after
 * the change (rules#backup-go-back). The backup from before the change then contains all data. The
 * caller has locked the data directory.
 * @returns undefined if there is nothing to undo, or something was written after the change
 */
export async function goBackIfUntouched(
  places: Places,
  { accountId, clock }: { accountId: string; clock: Clock },
): Promise<GoneBack | undefined> {
  const { dataDir } = places;
  if (!databaseExists(dataDir) || isRestoreUnfinished(dataDir)) return undefined;
  const found = await findUntouched(places, "made by a newer version");
  if (!found) return undefined;
  const { version, backup } = found;
  try {
    const { restoreBackup } = await loadRestore();
    await restoreBackup({
      dataDir,
      accountId,
      file: backup,
      now: clock.now(),
      audit: { action: "program.go-back", subject: version },
    });
    return { version, backup };
  } catch {
    // The start opens the unchanged database next, and reports the error.
    return undefined;
  }
}

/**
 * State of the database after a version that failed to start.
 * - SAME: that version did not change the tables.
 * - BACKUP: it changed them, and nothing was written after the change.
 * - NO_BACKUP: like BACKUP, but the backup from before the change is missing.
 * - WRITTEN: the shop wrote after the change, but sold and recharged nothing.
 * - SOLD: the shop sold or recharged after the change, or this cannot be determined.
 */
type Way = "SAME" | "BACKUP" | "NO_BACKUP" | "WRITTEN" | "SOLD";

/**
 * Returns the state of the database after a version that failed to start. For SAME and BACKUP, the
 * previous version can be installed again.
 */
export async function findWayBack(
  places: Places,
  version: string,
): Promise<{ way: Way; before: string | undefined }> {
  if (!databaseExists(places.dataDir)) return { way: "SAME", before: undefined };
  try {
    const { migratedBy, before } = await readVersions(places.dataDir);
    if (migratedBy !== version) return { way: "SAME", before };
    const untouched = await findUntouched(places, "in any case");
    return { way: untouched ? "BACKUP" : await findWhy(places), before };
  } catch {
    return { way: "SOLD", before: undefined };
  }
}

async function findWhy(places: Places): Promise<Way> {
  return reading(databaseFile(places.dataDir), async (db) => {
    const migration = await findLastMigration(db);
    const now = await readCount(db);
    const known = readWitness(places.dataDir);
    if (!migration) return "SOLD";
    if (Math.max(now.commits, known?.commits ?? 0) === migration.commits) return "NO_BACKUP";
    const backup = await findBackup(places, migration);
    if (backup === undefined) return "SOLD";
    const { transactions } = await readCountOfBackup(backup, places.dataDir);
    const isSame = Math.max(now.transactions, known?.transactions ?? 0) === transactions;
    return isSame ? "WRITTEN" : "SOLD";
  });
}

async function readVersions(dataDir: string) {
  return reading(databaseFile(dataDir), async (db) => ({
    migratedBy: (await findLastMigration(db))?.version,
    before: await findLastStarted(db),
  }));
}

/** @returns undefined if it is uncertain whether the shop wrote anything after the change */
async function findUntouched(
  places: Places,
  which: "made by a newer version" | "in any case",
): Promise<Untouched | undefined> {
  try {
    return await reading(databaseFile(places.dataDir), async (db) => {
      const unknown = (await findSchemaVersion(db))?.unknown ?? [];
      if (which === "made by a newer version" && unknown.length === 0) return undefined;
      const migration = await findLastMigration(db);
      if (!migration || (await readCount(db)).commits !== migration.commits) return undefined;
      // If the write-ahead log was lost, the database only seems to be unchanged.
      const witness = readWitness(places.dataDir);
      if (witness && witness.commits > migration.commits) return undefined;
      const backup = await findBackup(places, migration);
      const before = await findLastStarted(db);
      return backup === undefined ? undefined : { version: migration.version, backup, before };
    });
  } catch {
    return undefined;
  }
}

/** Finds the backup from before the change, even if the folder of the backups has changed. */
async function findBackup(
  { dataDir, backupDir }: Places,
  { backup, commits }: { backup: string; commits: number },
): Promise<string | undefined> {
  for (const dir of new Set([backupDir, join(dataDir, "backups")])) {
    const found = (await listBackupFiles(dir)).find(({ name }) => name === basename(backup));
    if (!found) continue;
    const count = await readCountOfBackup(found.file, dataDir);
    if (count.commits === commits - 1) return found.file;
  }
  return undefined;
}

/** Reads the counts from the header, or from the database of a backup without a header. */
async function readCountOfBackup(file: string, dataDir: string) {
  return readOwnFacts(file, dataDir) ?? (await reading(file, readCount));
}

async function reading<T>(file: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabaseFile(file, "read");
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/**
 * Returns advice about a version that does not start: whether the previous version can be installed
 * again, and how that affects the data.
 * @returns undefined if this version has worked before, or if no version has worked
 */
export async function adviceAfterFailure(
  places: Places,
  version: string,
): Promise<string | undefined> {
  const { way, before } = await findWayBack(places, version);
  if (before === undefined || before === version) return undefined;
  const install = `Install Tillgate ${before} again (Debian: sudo apt install --allow-downgrades ./tillgate_${before}_amd64.deb)`;
  switch (way) {
    case "SAME":
      return `Tillgate ${version} did not start, and changed nothing. ${install}: it goes on with everything there is.`;
    case "BACKUP":
      return `Tillgate ${version} did not start, and nothing was sold since it was installed. ${install}: it puts the backup from before the update back by itself, and nothing is lost.`;
    case "NO_BACKUP":
      return `Tillgate ${version} did not start, and nothing was sold since it was installed; but the backup from before the update is not where it was made. ${install} once the backup is there again, or else a later version; the data is kept as it is.`;
    case "WRITTEN":
      return `Tillgate ${version} does not start any more. Nothing was sold or recharged since it was installed, but something else was entered, which a backup would lack. Install a later version; the data is kept as it is.`;
    case "SOLD":
      return `Tillgate ${version} does not start any more, and has written since it was installed. Restore no backup: what was sold or recharged since would be missing. Install a later version; the data is kept as it is.`;
  }
}

const FILE = "latest-server.json";
const TIMEOUT_MS = 10_000;
const LARGEST_BYTES = 64 * 1024;

/**
 * Reads the newest version from the feed. If the program has the feed's key, the feed's list must
 * be signed and unexpired (rules#update-feed).
 */
export class FeedReader {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** @throws Error if the feed does not respond, is not signed, has expired or is malformed */
  async read(clock: Clock, signal: AbortSignal): Promise<NewerVersion> {
    const { resourcesDir } = this.#options;
    const bytes = await this.#readFile(FILE, clock, signal);
    const key = await readFeedKey(resourcesDir);
    if (key) {
      const signature = await this.#readFile(`${FILE}${SIGNATURE_SUFFIX}`, clock, signal);
      requireSigned(bytes, signature.toString("utf8"), key);
    }
    const found: unknown = JSON.parse(bytes.toString("utf8"));
    if (!Value.Check(NewerVersion, found)) throw new Error(`${FILE} is not as a release writes it`);
    requireFresh(found.expires, { now: clock.now(), isSigned: key !== undefined });
    return found;
  }

  async #readFile(name: string, clock: Clock, signal: AbortSignal): Promise<Buffer> {
    const { feed } = this.#options;
    if (!/^https?:/i.test(feed)) return readFile(join(feed, name));
    const url = new URL(name, feed.endsWith("/") ? feed : `${feed}/`).href;
    const { status, body, complete } = await sendGuarded(
      {
        method: "GET",
        url,
        timeout_ms: TIMEOUT_MS,
        keep_bytes: LARGEST_BYTES,
        read_bytes: LARGEST_BYTES,
        allowPrivate: true,
        signal,
      },
      clock,
    );
    if (status !== 200 || !complete) throw new Error(`${url} answered ${status}`);
    return body;
  }
}

/** Delay of the first query after the start, when the gateway is busy. */
const FIRST_MS = MINUTE;
const EVERY_MS = 6 * HOUR;

interface UpdateDeps extends Pick<Base, "accountId" | "db" | "transactor" | "clock" | "log"> {
  version: string;
  config: { dataDir: string; resourcesDir: string; updates?: string | undefined };
  installation: Installation;
  /** Version that failed to start, and whose update this version has undone. */
  undoneVersion?: string;
}

/**
 * Records the versions that ran this shop, and queries the feed for a newer version. Installs
 * nothing (rules#alert-update).
 */
export class UpdateService {
  readonly #deps: UpdateDeps;
  #undone: string | undefined;
  #cancel: () => void = () => {};
  #asking: Promise<void> = Promise.resolve();
  readonly #stop = new AbortController();

  constructor(deps: UpdateDeps) {
    this.#deps = deps;
  }

  /** Version whose update was undone; undefined after a later version has worked. */
  get undone(): string | undefined {
    return this.#undone;
  }

  /**
   * Returns the feed's version with its install command.
   * @returns undefined if the feed's version is not newer
   */
  async findNewer(): Promise<{ version: string; command: string } | undefined> {
    const { config, version, installation } = this.#deps;
    const { dataDir, updates: feed } = config;
    if (feed === undefined) return undefined;
    const found = await readNewer(dataDir);
    if (!found || !isNewer(found.version, version)) return undefined;
    const here = { installation, arch: arch(), feed };
    return { version: found.version, command: commandFor(found, here) };
  }

  get version(): string {
    return this.#deps.version;
  }

  findLastStarted(): Promise<string | undefined> {
    return findLastStarted(this.#deps.db);
  }

  async noteWorks(): Promise<void> {
    await this.#note();
    this.#undone = await this.#findUndone();
  }

  async start(): Promise<void> {
    this.#undone = await this.#findUndone();
    if (this.#deps.config.updates !== undefined) this.#askAfter(FIRST_MS);
  }

  stop(): void {
    this.#stop.abort();
    this.#cancel();
  }

  idle(): Promise<void> {
    return this.#asking;
  }

  async #note(): Promise<void> {
    const { accountId, transactor, clock, version, undoneVersion } = this.#deps;
    await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      const noted = await noteStart(tx, { version, at });
      if (noted?.before !== undefined) {
        await recordAudit(tx, {
          accountId,
          staffId: undefined,
          action: "program.update",
          subject: version,
          detail: { before: noted.before },
          at,
        });
      }
      if (undoneVersion === undefined) return;
      const last = await findNewest(tx, accountId, "program.go-back");
      if (last?.subject === undoneVersion) return;
      await recordAudit(tx, {
        accountId,
        staffId: undefined,
        action: "program.go-back",
        subject: undoneVersion,
        at,
      });
    });
  }

  async #findUndone(): Promise<string | undefined> {
    const { db, accountId } = this.#deps;
    const back = await findNewest(db, accountId, "program.go-back");
    const update = await findNewest(db, accountId, "program.update");
    if (!back || (update && update.entryId > back.entryId)) return undefined;
    return back.subject;
  }

  #askAfter(delay_ms: number): void {
    const { clock } = this.#deps;
    this.#cancel = clock.wakeAt(clock.now() + delay_ms, () => {
      this.#asking = this.#ask().finally(() => {
        if (!this.#stop.signal.aborted) this.#askAfter(EVERY_MS);
      });
    });
  }

  async #ask(): Promise<void> {
    const { config, clock, log, version } = this.#deps;
    if (config.updates === undefined) return;
    try {
      const reader = new FeedReader({ feed: config.updates, resourcesDir: config.resourcesDir });
      const newest = await reader.read(clock, this.#stop.signal);
      if (isNewer(newest.version, version)) await writeNewer(config.dataDir, newest);
      else await forgetNewer(config.dataDir);
    } catch (error) {
      // Keeps the newer version that was found earlier.
      if (!this.#stop.signal.aborted) log.warn({ err: error }, "the feed of updates was not read");
    }
  }
}

interface Options {
  /** Address of the feed: a folder on a web server, a disk or the network. */
  feed: string;
  resourcesDir: string;
}

type UpdatesModuleDeps = Base &
  Pick<UpdateDeps, "version" | "config" | "installation" | "undoneVersion">;

export function createUpdatesModule(deps: UpdatesModuleDeps) {
  const updates = new UpdateService(deps);
  return {
    services: { updates },
    start: () => updates.start(),
    stop: () => updates.stop(),
    release: () => updates.idle(),
  } satisfies Module;
}

interface LastMigration {
  version: string;
  backup: string;
  commits: number;
}

/**
 * Records a migration. Runs in the transaction that changes the tables, so that either both are
 * stored or neither.
 */
export async function noteMigration(
  tx: Kysely<unknown>,
  { version, backup, at }: { version: string; backup: string | undefined; at: number },
): Promise<void> {
  const tables = tx as Kysely<Tables>;
  // Adds one for the commit of this transaction.
  const commits = backup === undefined ? null : (await readCount(tables)).commits + 1;
  await tables
    .insertInto("program_versions")
    .values({ kind: "MIGRATED", version, recorded_at: at, backup: backup ?? null, commits })
    .execute();
}

/**
 * Records that a version works.
 * @returns undefined if the same version worked last; otherwise the version that worked before, if
 * known
 */
async function noteStart(
  tx: Tx,
  { version, at }: { version: string; at: number },
): Promise<{ before: string | undefined } | undefined> {
  const before = await findLastStarted(tx);
  if (before === version) return undefined;
  await tx
    .insertInto("program_versions")
    .values({ kind: "STARTED", version, recorded_at: at, backup: null, commits: null })
    .execute();
  return { before };
}

export async function findLastStarted(db: Db | Tx): Promise<string | undefined> {
  const row = await db
    .selectFrom("program_versions")
    .select("version")
    .where("kind", "=", "STARTED")
    .orderBy("entry_id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.version;
}

/** @returns undefined if no version has changed the tables of an existing shop */
async function findLastMigration(db: Db): Promise<LastMigration | undefined> {
  const row = await db
    .selectFrom("program_versions")
    .select(["version", "backup", "commits"])
    .where("kind", "=", "MIGRATED")
    .orderBy("entry_id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row || row.backup === null || row.commits === null) return undefined;
  return { version: row.version, backup: row.backup, commits: row.commits };
}

async function readCount(
  db: Db | Kysely<Tables>,
): Promise<{ commits: number; transactions: number }> {
  const { rows } = await sql<{ commits: number; transactions: number }>`
    select commits, transactions from commit_count`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the commits were not counted");
  return row;
}
