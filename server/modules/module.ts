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

/** The parts that exist before any module and that every module may use. */
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

/** A kind of job, and its handler. */
export interface JobKind extends LaneOptions {
  readonly kind: string;
  readonly run: JobHandler;
}

/**
 * The services, jobs and routes of a module. The composition root passes the services to the modules after it. It
 * calls each function once: `root` to `hooks` when it creates the application, `recover` and `start` when the gateway
 * starts, `stop` and `release` when it ends, the last module first. `pages` and `pos` may be called later, at the
 * till's first request. `everywhere` is called for both applications.
 */
export interface Module<Services extends object = object> {
  /** Keys are the names by which other modules take the services; they are unique among all modules. */
  readonly services: Services;
  readonly jobs?: readonly JobKind[];
  /** Adds hooks that run on every request of both applications. */
  everywhere?(app: App): void;
  /** Its operations besides `/v1` for programs, open to all callers. */
  root?(app: App): void | Promise<void>;
  /** Its pages besides the till's, for people who have the link. */
  pages?(app: App): void | Promise<void>;
  /** Its operations of `/v1` that need no API key. */
  v1Public?(app: App): void;
  /** Its operations of `/v1`, behind an API key. */
  v1?(app: App): void;
  /** Its operations of `/pos`. */
  pos?(app: App): void | Promise<void>;
  /** Its operations for signed messages that other systems send, such as a provider's webhooks. */
  hooks?(app: App): void;
  /** Resumes work that an earlier run left unfinished, before any job runs. */
  recover?(): Promise<void>;
  /** Starts its timers and listeners, after the jobs have started. */
  start?(): void | Promise<void>;
  /**
   * Starts nothing new, and abandons work that a later start resumes. Jobs run until every module
   * has stopped, and may still use its services.
   */
  stop?(): void | Promise<void>;
  /** Releases resources that jobs used, after the last job ended. */
  release?(): void | Promise<void>;
}
