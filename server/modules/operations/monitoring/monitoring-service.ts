import type { Environment } from "../../../contract/common.ts";
import { Problem } from "../../../contract/problem.ts";
import { findClockFault } from "../../../db/business-time.ts";
import { type Db, readSnapshot } from "../../../db/database.ts";
import type { FileCheck } from "../../../db/file-check.ts";
import type { JobRunner } from "../../../jobs/job-runner.ts";
import { type Clock, DAY, SECOND, systemClock } from "../../../lib/clock.ts";
import type { BackupService } from "../../safety/backups/index.ts";
import type { StorageService, StorageState } from "../../safety/storage/index.ts";
import type { UpdateService } from "../../safety/updates/index.ts";
import {
  countFinished,
  countJobs,
  countUnfinished,
  countUnreconciled,
  type FinishedCount,
  type JobCount,
  readWallets,
  type UnfinishedCount,
  type WalletFigure,
} from "./monitoring-store.ts";

interface MonitoringServiceDeps {
  db: Db;
  check: FileCheck;
  clock: Clock;
  accountId: string;
  jobs: JobRunner;
  backups: BackupService;
  storage: StorageService;
  updates: UpdateService;
  config: { dataDir: string };
  /** Of the data directory's disk. */
  readFreeBytes(): Promise<number | undefined>;
}

/** How the gateway does; ages in whole seconds. */
export interface Figures {
  unfinished: (Omit<UnfinishedCount, "oldestAt"> & { oldestAge_s: number })[];
  /** Within the last 24 hours. */
  finished: FinishedCount[];
  /** Cases for the owner to settle; an environment without one is left out. */
  toReconcile: { environment: Environment; count: number }[];
  /** A kind of which there is none is left out; `kinds` are all there can be. */
  jobs: (Omit<JobCount, "oldestDueAt"> & { oldestAge_s: number })[];
  kinds: string[];
  wallets: WalletFigure[];
  backups: { count: number; newestAge_s: number | undefined; failure: string | undefined };
  storage: StorageState;
  /** This program's, and the one that started last on the database: several may have it while they are replaced. */
  version: string;
  lastStarted: string | undefined;
  /** The newest version that the feed names, where it is newer than this. */
  newerVersion: string | undefined;
  /** What a person types to have it. */
  newerCommand: string | undefined;
}

/** Reports to monitors how the gateway does. Writes nothing but a probe. */
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
          oldestAge_s: ageOf(oldestAt, now),
        })),
        finished: await countFinished(snapshot, accountId, period),
        toReconcile: await countUnreconciled(snapshot, accountId),
        jobs: jobs.map(({ oldestDueAt, ...count }) => ({
          ...count,
          oldestAge_s: oldestDueAt === null ? 0 : ageOf(oldestDueAt, now),
        })),
        kinds: this.#deps.jobs.kinds,
        wallets: await readWallets(snapshot, accountId),
        backups: {
          count: state.backups.length,
          newestAge_s: newest && ageOf(newest.takenAt, now),
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
    if (free === undefined || free >= LEAST_FREE_BYTES) return;
    throw new Problem(
      "SYSTEM_UNAVAILABLE",
      `Tillgate cannot sell for long: ${Math.floor(free / MEGABYTE)} MB are free on the disk of ${config.dataDir}. Make room on it.`,
    );
  }

  /** @throws Problem where the database says nothing, as of a server that hangs */
  async #inTime<T>(state: Promise<T>): Promise<T> {
    const silence = Promise.withResolvers<never>();
    const cancel = systemClock.wakeAt(systemClock.now() + ANSWER_TIMEOUT_MS, () => {
      silence.reject(
        new Problem("SYSTEM_UNAVAILABLE", "Tillgate cannot sell: the database does not answer."),
      );
    });
    state.catch(() => {});
    return Promise.race([state, silence.promise]).finally(cancel);
  }

  /** This program's. */
  get version(): string {
    return this.#deps.updates.version;
  }

  /**
   * How far stored data can be relied on, while purchases can be accepted.
   * @throws Problem SYSTEM_UNAVAILABLE with the reason, while they cannot.
   */
  async requireReady(): Promise<StorageState> {
    const { db, jobs, storage, check, clock, accountId } = this.#deps;
    check.requireUsable();
    const state = await this.#inTime(storage.getState());
    if (state.fault !== undefined) {
      throw new Problem("SYSTEM_UNAVAILABLE", `Tillgate cannot sell: ${state.fault}.`);
    }
    if (!jobs.isRunning) throw new Problem("SYSTEM_UNAVAILABLE", "Tillgate is starting.");
    await this.#requireSpace();
    const wrong = await this.#inTime(findClockFault(db, accountId, clock.now()));
    if (wrong) throw new Problem("SYSTEM_UNAVAILABLE", `Tillgate cannot sell: ${wrong.message}`);
    return state;
  }
}

const MEGABYTE = 1_000_000;
/** With less, the log of writes may not find room for the next sale. */
const LEAST_FREE_BYTES = 16 * MEGABYTE;

/** A monitor waits for an answer no longer than this. */
const ANSWER_TIMEOUT_MS = 5 * SECOND;

/** Never below zero, also after the clock was moved back. */
function ageOf(instant: number, now: number): number {
  return Math.max(0, Math.floor((now - instant) / SECOND));
}
