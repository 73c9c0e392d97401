import type { Claimant } from "../db/claimant.ts";
import type { Db } from "../db/database.ts";
import type { CommitWatch } from "../db/reference-watch.ts";
import type { SharedMemory } from "../db/shared-memory.ts";
import type { Transactor } from "../db/transactor.ts";
import type { App } from "../http/app-types.ts";
import type { JobHandler, LaneOptions } from "../jobs/job-kinds.ts";
import type { JobRunner } from "../jobs/job-runner.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Sealer } from "../lib/sealer.ts";

/** What is there before any module, and what every module may use. */
export interface Base {
  /** The one account of a shop's own gateway. */
  readonly accountId: string;
  readonly config: {
    readonly dataDir: string;
    readonly backupDir: string;
    readonly resourcesDir: string;
  };
  readonly db: Db;
  readonly transactor: Transactor;
  readonly watch: CommitWatch;
  readonly memory: SharedMemory;
  readonly clock: Clock;
  /** The machine's time. It differs from `clock` in a sandbox only. */
  readonly machineClock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly jobs: JobRunner;
  readonly sealer: Sealer;
  /** This process among those that share the database; undefined where it is a file. */
  readonly claimant: Claimant | undefined;
}

/** A kind of job, and what does its work. */
export interface JobKind extends LaneOptions {
  readonly kind: string;
  readonly run: JobHandler;
}

/**
 * What a module brings. The composition root hands the services to the modules after it, and calls
 * each function once: `root` to `hooks` when the application is made, `recover` and `start` when the
 * gateway begins to work, `stop` and `release` when it ends, the last module first. `pages` and `pos` may
 * be called after that, when the till is first asked for, and `everywhere` is called for both applications.
 */
export interface Module<Services extends object = object> {
  /** By the names that other modules take them by; no two modules have one name. */
  readonly services: Services;
  readonly jobs?: readonly JobKind[];
  /** What it does with every request, of whichever application. */
  everywhere?(app: App): void;
  /** Its operations for programs beside `/v1`, open to all callers. */
  root?(app: App): void | Promise<void>;
  /** Its pages beside the till's, for people who have the link. */
  pages?(app: App): void | Promise<void>;
  /** Its operations of `/v1` that need no API key. */
  v1Public?(app: App): void;
  /** Its operations of `/v1`, behind an API key. */
  v1?(app: App): void;
  /** Its operations of `/pos`. */
  pos?(app: App): void | Promise<void>;
  /** What others send to the gateway by themselves, behind a signature. */
  hooks?(app: App): void;
  /** Takes up what an earlier run left unfinished, before any job runs. */
  recover?(): Promise<void>;
  /** Begins what it does by itself, once jobs run. */
  start?(): void | Promise<void>;
  /**
   * Begins nothing new, and gives up what a later start takes up again. Jobs run until every module
   * has done so, and may still ask its services.
   */
  stop?(): void | Promise<void>;
  /** Ends what jobs have used, when none runs any more. */
  release?(): void | Promise<void>;
}
