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

export interface Base {
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
  /** Differs from `clock` only in a sandbox. */
  readonly machineClock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly jobs: JobRunner;
  readonly sealer: Sealer;
  /**
   * Identifies this process among those that share a database server; undefined for a database
   * file.
   */
  readonly claimant: Claimant | undefined;
}

export interface JobKind extends LaneOptions {
  readonly kind: string;
  readonly run: JobHandler;
}

/**
 * The services, jobs and routes of a module. The composition root passes the services to later
 * modules, and calls each function once: `root` to `hooks` when it creates the application,
 * `recover` and `start` at the gateway's start, and `stop` and `release` at its stop, in reverse
 * order of modules. `pages` and `pos` may be called later; `everywhere` is called for both
 * applications.
 */
export interface Module<Services extends object = object> {
  /** Services by name. Names are unique among all modules. */
  readonly services: Services;
  readonly jobs?: readonly JobKind[];
  /** Adds hooks that run on every request of both applications. */
  everywhere?(app: App): void;
  /** Adds public routes outside `/v1` that programs call. */
  root?(app: App): void | Promise<void>;
  /** Adds public pages for people who have the link. */
  pages?(app: App): void | Promise<void>;
  /** Adds operations of `/v1` that need no API key. */
  v1Public?(app: App): void;
  /** Adds operations of `/v1` that need an API key. */
  v1?(app: App): void;
  pos?(app: App): void | Promise<void>;
  /** Adds routes for signed messages from other systems, such as a provider's webhooks. */
  hooks?(app: App): void;
  /** Resumes work that an earlier process left unfinished. Runs before any job. */
  recover?(): Promise<void>;
  /** Starts timers and listeners, after the job runner has started. */
  start?(): void | Promise<void>;
  /**
   * Starts no more work, and abandons work that the next start resumes. Jobs still run, and may use
   * the services.
   */
  stop?(): void | Promise<void>;
  /** Runs after the last job has ended. */
  release?(): void | Promise<void>;
}
