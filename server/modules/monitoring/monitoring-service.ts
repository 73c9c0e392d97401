import type { Environment } from "../../contract/common.ts";
import { Problem } from "../../contract/problem.ts";
import { findClockFault } from "../../db/business-time.ts";
import { type Db, readSnapshot } from "../../db/database.ts";
import type { FileCheck } from "../../db/file-check.ts";
import type { JobRunner } from "../../jobs/job-runner.ts";
import { type Clock, DAY, SECOND } from "../../lib/clock.ts";
import type { BackupService } from "../backups/index.ts";
import type { StorageService, StorageState } from "../storage/index.ts";
import type { UpdateService } from "../updates/index.ts";
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

interface Deps {
  db: Db;
  check: FileCheck;
  clock: Clock;
  accountId: string;
  jobs: JobRunner;
  backups: BackupService;
  storage: StorageService;
  updates: UpdateService;
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
  readonly #deps: Deps;

  constructor(deps: Deps) {
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
    if (!jobs.isRunning) throw new Problem("SYSTEM_UNAVAILABLE", "Tillgate is starting.");
    const state = await storage.getState();
    const wrong = await findClockFault(db, accountId, clock.now());
    if (wrong) throw new Problem("SYSTEM_UNAVAILABLE", `Tillgate cannot sell: ${wrong.message}`);
    if (state.fault === undefined) return state;
    throw new Problem("SYSTEM_UNAVAILABLE", `Tillgate cannot sell: ${state.fault}.`);
  }
}

/** Never below zero, also after the clock was moved back. */
function ageOf(instant: number, now: number): number {
  return Math.max(0, Math.floor((now - instant) / SECOND));
}
