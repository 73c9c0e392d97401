import type { Db, Transactor } from "../db/database.ts";
import { type Clock, MINUTE, SECOND } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import {
  failJob,
  findNextRunAt,
  finishJob,
  type LeasedJob,
  leaseDueJobs,
  releaseLeases,
} from "./job-store.ts";

/**
 * Does a job's work. It may enqueue the same job again for its next deadline; otherwise the job is
 * removed when it returns. It may run twice after a crash, so it first looks at what is so.
 */
export type JobHandler = (subject: string) => Promise<void>;

const CONCURRENT_JOBS = 8;
/** A sleeping runner looks again at least this often: the machine's clock may have been moved. */
const LONGEST_SLEEP_MS = 30 * SECOND;
const LONGEST_RETRY_MS = 5 * MINUTE;

interface Parts {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** Runs due jobs. Deadlines live in the table; the timer only wakes the runner. */
export class JobRunner {
  readonly #parts: Parts;
  readonly #handlers = new Map<string, JobHandler>();
  readonly #running = new Set<Promise<void>>();
  #state: "created" | "running" | "stopped" = "created";
  #pump: Promise<void> | undefined;
  #again = false;
  #cancelTimer: () => void = () => {};

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.transactor.onCommit(() => this.wake());
  }

  /** Names the handler of a kind of job; once, before `start`. */
  register(kind: string, handler: JobHandler): void {
    this.#handlers.set(kind, handler);
  }

  async start(): Promise<void> {
    await this.#parts.transactor.transact(releaseLeases);
    this.#state = "running";
    this.wake();
  }

  /** Takes no new job and waits for those that run. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    this.#cancelTimer();
    await this.#pump;
    await Promise.all(this.#running);
  }

  /** Looks for due jobs soon; cheap, and safe to call at any time. */
  wake(): void {
    if (this.#state !== "running") return;
    this.#again = true;
    this.#pump ??= this.#runDueJobs().finally(() => {
      this.#pump = undefined;
      if (this.#again) this.wake();
    });
  }

  /** Resolves when nothing is due and nothing runs. */
  async idle(): Promise<void> {
    while (this.#pump || this.#running.size > 0) {
      await this.#pump;
      if (this.#running.size > 0) await Promise.race(this.#running);
    }
  }

  async #runDueJobs(): Promise<void> {
    const { db, clock, ids, log, transactor } = this.#parts;
    this.#cancelTimer();
    while (this.#again && this.#state === "running") {
      this.#again = false;
      const limit = CONCURRENT_JOBS - this.#running.size;
      if (limit === 0) return;
      try {
        const nextRunAt = await findNextRunAt(db);
        if (nextRunAt === undefined || nextRunAt > clock.now()) {
          this.#sleepUntil(Math.min(nextRunAt ?? Infinity, clock.now() + LONGEST_SLEEP_MS));
          continue;
        }
        const run = { now: clock.now(), lease: ids.uuid(), limit };
        for (const job of await transactor.transact((tx) => leaseDueJobs(tx, run))) {
          this.#track(this.#run(job));
        }
      } catch (error) {
        log.error({ err: error }, "could not look for due jobs");
        this.#sleepUntil(clock.now() + SECOND);
      }
    }
  }

  #sleepUntil(instant: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#parts.clock.wakeAt(instant, () => this.wake());
  }

  #track(run: Promise<void>): void {
    const tracked = run.finally(() => {
      this.#running.delete(tracked);
      this.wake();
    });
    this.#running.add(tracked);
  }

  async #run(job: LeasedJob): Promise<void> {
    const { clock, log, transactor } = this.#parts;
    try {
      const handler = this.#handlers.get(job.kind);
      if (!handler) throw new Error(`no handler for jobs of kind ${job.kind}`);
      await handler(job.subject);
      await transactor.transact((tx) => finishJob(tx, job));
    } catch (error) {
      log.error({ err: error, job: job.kind, subject: job.subject }, "a job failed");
      const retryAt = clock.now() + Math.min(SECOND * 2 ** job.attempts, LONGEST_RETRY_MS);
      const failure = { error: error instanceof Error ? error.message : String(error), retryAt };
      await transactor
        .transact((tx) => failJob(tx, job, failure))
        .catch((cause) => log.error({ err: cause }, "could not put a failed job back"));
    }
  }
}
