import { createHash, timingSafeEqual } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Environment, TransactionStatus } from "../../../contract/common.ts";
import { Problem } from "../../../contract/problem.ts";
import { findClockFault } from "../../../db/business-time.ts";
import { type Db, readSnapshot } from "../../../db/database.ts";
import { indexedBy } from "../../../db/engine-words.ts";
import type { FileCheck } from "../../../db/file-check.ts";
import { DAY, SECOND, systemClock } from "../../../lib/clock.ts";
import type { Ids } from "../../../lib/ids.ts";
import type { Base } from "../../module.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { StorageService, StorageState } from "../../safety/storage/index.ts";
import type { UpdateService } from "../../safety/updates/index.ts";

interface MonitoringServiceDeps extends Pick<Base, "db" | "clock" | "accountId" | "jobs"> {
  check: FileCheck;
  backups: BackupService;
  storage: StorageService;
  updates: UpdateService;
  config: { dataDir: string };
  readFreeBytes(): Promise<number | undefined>;
}

/** Ages are in whole seconds. */
export interface Figures {
  unfinished: (Omit<UnfinishedCount, "oldestAt"> & { oldestAge_s: number })[];
  /** Transactions finished within the last 24 hours. */
  finished: FinishedCount[];
  /** Number of cases for the owner; environments without cases are omitted. */
  toReconcile: { environment: Environment; count: number }[];
  /** Kinds without jobs are omitted; `kinds` lists all kinds. */
  jobs: (Omit<JobCount, "oldestDueAt"> & { oldestAge_s: number })[];
  kinds: string[];
  wallets: WalletFigure[];
  backups: { count: number; newestAge_s: number | undefined; failure: string | undefined };
  storage: StorageState;
  /**
   * This program's version, and the version that last started on the database. They differ while an
   * update replaces several processes.
   */
  version: string;
  lastStarted: string | undefined;
  /** The newest version of the update feed, if it is newer than this version. */
  newerVersion: string | undefined;
  newerCommand: string | undefined;
}

/** Reports the gateway's state. Writes nothing except a probe. */
export class MonitoringService {
  readonly #deps: MonitoringServiceDeps;

  constructor(deps: MonitoringServiceDeps) {
    this.#deps = deps;
  }

  async getFigures(): Promise<Figures> {
    const { db, clock, accountId, backups, storage, updates } = this.#deps;
    const now = clock.now();
    const state = await backups.getState();
    const newest = state.backups[0];
    const storageState = await storage.getState();
    const newer = await updates.findNewer();
    const lastStarted = await updates.findLastStarted();
    return readSnapshot(db, async (snapshot) => {
      const period = { after: now - DAY, until: now };
      const unfinished = await countUnfinished(snapshot, accountId);
      const jobs = await countJobs(snapshot, now);
      return {
        unfinished: unfinished.map(({ oldestAt, ...count }) => ({
          ...count,
          oldestAge_s: toAge_s(oldestAt, now),
        })),
        finished: await countFinished(snapshot, accountId, period),
        toReconcile: await countUnreconciled(snapshot, accountId),
        jobs: jobs.map(({ oldestDueAt, ...count }) => ({
          ...count,
          oldestAge_s: oldestDueAt === null ? 0 : toAge_s(oldestDueAt, now),
        })),
        kinds: this.#deps.jobs.kinds,
        wallets: await readWallets(snapshot, accountId),
        backups: {
          count: state.backups.length,
          newestAge_s: newest && toAge_s(newest.takenAt, now),
          failure: state.failure,
        },
        storage: storageState,
        version: updates.version,
        lastStarted,
        newerVersion: newer?.version,
        newerCommand: newer?.command,
      };
    });
  }

  async #requireSpace(): Promise<void> {
    const { config, readFreeBytes } = this.#deps;
    const free = await readFreeBytes();
    if (free === undefined || free >= MIN_FREE_BYTES) return;
    throw new Problem(
      "SYSTEM_UNAVAILABLE",
      `Tillgate cannot sell for long: ${Math.floor(free / MEGABYTE)} MB are free on the disk of ${config.dataDir}. Make room on it.`,
    );
  }

  /** @throws Problem if the database or the disk does not respond in time */
  async #withTimeout<T>(state: Promise<T>): Promise<T> {
    const silence = Promise.withResolvers<never>();
    const cancel = systemClock.wakeAt(systemClock.now() + ANSWER_TIMEOUT_MS, () => {
      silence.reject(
        new Problem("SYSTEM_UNAVAILABLE", "Tillgate cannot sell: the database does not answer."),
      );
    });
    state.catch(() => {});
    return Promise.race([state, silence.promise]).finally(cancel);
  }

  get version(): string {
    return this.#deps.updates.version;
  }

  /** @throws Problem SYSTEM_UNAVAILABLE with the reason why purchases cannot be accepted */
  async requireReady(): Promise<StorageState> {
    this.#deps.check.requireUsable();
    return this.#withTimeout(this.#findReady());
  }

  async #findReady(): Promise<StorageState> {
    const { db, jobs, storage, clock, accountId } = this.#deps;
    const state = await storage.getState();
    if (state.fault !== undefined) {
      throw new Problem("SYSTEM_UNAVAILABLE", `Tillgate cannot sell: ${state.fault}.`);
    }
    if (!jobs.isRunning) throw new Problem("SYSTEM_UNAVAILABLE", "Tillgate is starting.");
    await this.#requireSpace();
    const wrong = await findClockFault(db, accountId, clock.now());
    if (wrong) throw new Problem("SYSTEM_UNAVAILABLE", `Tillgate cannot sell: ${wrong.message}`);
    return state;
  }
}

const MEGABYTE = 1_000_000;
/** Minimum free space, so that the write-ahead log can grow for the next sale. */
const MIN_FREE_BYTES = 16 * MEGABYTE;

/** Timeout of the database; monitoring systems wait five seconds. */
const ANSWER_TIMEOUT_MS = 4 * SECOND;

/** Returns the age; 0 if the clock was set back past the instant. */
function toAge_s(instant: number, now: number): number {
  return Math.max(0, Math.floor((now - instant) / SECOND));
}

/** A count by status; `oldestAt` is the acceptance time of the oldest transaction. */
interface UnfinishedCount {
  environment: Environment;
  status: TransactionStatus;
  count: number;
  oldestAt: number;
}

interface FinishedCount {
  environment: Environment;
  status: TransactionStatus;
  count: number;
}

interface JobCount {
  kind: string;
  count: number;
  due: number;
  oldestDueAt: number | null;
}

/** Balances in minor units of the currency. */
interface WalletFigure {
  environment: Environment;
  currency: string;
  currencyDivisor: number;
  available: number;
  held: number;
}

// The queries below use partial indexes, so that their cost does not grow over the years.

export async function countUnfinished(db: Db, accountId: string): Promise<UnfinishedCount[]> {
  const { rows } = await sql<UnfinishedCount>`
    select environment, status, count(*) as count, min(created_at) as "oldestAt"
    from transactions ${indexedBy("transactions_unfinished")}
    where finished_at is null and account_id = ${accountId} and training = 0
    group by environment, status order by environment desc, status`.execute(db);
  return rows;
}

async function countFinished(
  db: Db,
  accountId: string,
  period: { after: number; until: number },
): Promise<FinishedCount[]> {
  const { rows } = await sql<FinishedCount>`
    select environment, status, count(*) as count from transactions
    where account_id = ${accountId} and environment in ('test', 'live')
      and training = 0 and finished_at > ${period.after} and finished_at <= ${period.until}
    group by environment, status order by environment desc, status`.execute(db);
  return rows;
}

export async function countUnreconciled(
  db: Db,
  accountId: string,
): Promise<{ environment: Environment; count: number }[]> {
  const { rows } = await sql<{ environment: Environment; count: number }>`
    select environment, count(*) as count
    from transactions ${indexedBy("transactions_to_reconcile")}
    where needs_reconciliation = 1 and account_id = ${accountId}
    group by environment order by environment desc`.execute(db);
  return rows;
}

export async function countJobs(db: Db, now: number): Promise<JobCount[]> {
  const { rows } = await sql<JobCount>`
    select kind, count(*) as count, count(*) filter (where run_at <= ${now}) as due,
      min(run_at) filter (where run_at <= ${now}) as "oldestDueAt"
    from jobs group by kind order by kind`.execute(db);
  return rows;
}

export async function readWallets(db: Db, accountId: string): Promise<WalletFigure[]> {
  const { rows } = await sql<WalletFigure>`
    select environment, currency, wallet_currency_divisor as "currencyDivisor",
      coalesce(sum(balance) filter (where name = 'wallet.available'), 0) as available,
      coalesce(sum(balance) filter (where name = 'wallet.held'), 0) as held
    from ledger_accounts join accounts using (account_id)
    where account_id = ${accountId}
    group by environment, currency, wallet_currency_divisor order by environment desc`.execute(db);
  return rows;
}

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
