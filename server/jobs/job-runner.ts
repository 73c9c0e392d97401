import type { Db } from "../db/database.ts";
import type { Transactor } from "../db/transactor.ts";
import { type Clock, MINUTE, SECOND } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { describeStorageFault } from "../lib/storage-fault.ts";
import {
  failJob,
  findNextRunAt,
  finishJob,
  isLeased,
  type Job,
  type JobFailure,
  type Lane,
  type LeasedJob,
  leaseJobs,
  listDueJobs,
  pullJobs,
  releaseLeases,
} from "./job-store.ts";

/**
 * Does a job's work. It may enqueue the same job again for its next deadline; otherwise the job is
 * removed when it returns. It may run twice after a crash, so it first looks at what is so.
 */
export type JobHandler = (subject: string) => Promise<void>;

/** How a kind of job shares the runner with others. */
export interface LaneOptions {
  /** How many run side by side in a lane; those of other lanes are counted by themselves. */
  concurrency?: number;
  /** The beginning of the subject that jobs of one lane share; without it a kind is one lane. */
  laneOf?(subject: string): string;
}

const CONCURRENT_JOBS = 8;
/** Looked at together; more are looked at when these have begun. */
const JOBS_PER_LOOK = 64;
/** A sleeping runner looks again at least this often: the machine's clock may have been moved. */
const LONGEST_SLEEP_MS = 30 * SECOND;
/** How often a sleeping runner glances at whether another process has written. */
const GLANCE_MS = SECOND;
/** While the database cannot be written, looking again is pointless for longer and longer. */
const LONGEST_PAUSE_MS = 30 * SECOND;
const LONGEST_RETRY_MS = 5 * MINUTE;
/** A clock is set back by less than this all the time, to follow others. */
const CLOCK_SLACK_MS = MINUTE;

interface Deps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** Changes with every commit of another process: the command line's jobs begin soon by it. */
  stamp?: (() => number) | undefined;
}

/** Runs due jobs. Deadlines live in the table; the timer only wakes the runner. */
export class JobRunner {
  readonly #deps: Deps;
  readonly #handlers = new Map<string, { handler: JobHandler; lane: LaneOptions }>();
  readonly #running = new Set<Promise<void>>();
  /** How many run in each lane, by the lane's name. */
  readonly #lanes = new Map<string, Lane & { running: number }>();
  #state: "created" | "running" | "stopped" = "created";
  #pump: Promise<void> | undefined;
  #again = false;
  /** The latest time this runner has seen. */
  #seen = -Infinity;
  /** Jobs whose end could not be written; the table has them as running still. */
  readonly #unwritten = new Map<LeasedJob, JobFailure>();
  /** Looks in a row that failed. */
  #failures = 0;
  #cancelTimer: () => void = () => {};
  #cancelGlance: () => void = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.transactor.onCommit((written) => {
      if (written.has("jobs")) this.wake();
    });
  }

  /**
   * Names the handler of a kind of job; once, before `start`. Kinds do not wait for each other: a
   * handler that waits for another system holds up only its own lane.
   */
  register(kind: string, handler: JobHandler, lane: LaneOptions = {}): void {
    this.#handlers.set(kind, { handler, lane });
  }

  /** What there are handlers for. */
  get kinds(): string[] {
    return [...this.#handlers.keys()];
  }

  get isRunning(): boolean {
    return this.#state === "running";
  }

  async start(): Promise<void> {
    await this.#deps.transactor.transact(releaseLeases);
    this.#state = "running";
    this.wake();
    this.#glance(undefined);
  }

  /** Takes no new job and waits for those that run. */
  async stop(): Promise<void> {
    this.#state = "stopped";
    this.#cancelTimer();
    this.#cancelGlance();
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
    const { db, clock, ids, log, transactor } = this.#deps;
    this.#cancelTimer();
    while (this.#again && this.#state === "running") {
      this.#again = false;
      try {
        await this.#noticeClock();
        await this.#writeEnds();
        const full = [...this.#lanes.values()].filter((lane) => this.#roomIn(lane) === 0);
        const nextRunAt = await findNextRunAt(db, full);
        if (nextRunAt === undefined || nextRunAt > clock.now()) {
          this.#failures = 0;
          this.#sleepUntil(Math.min(nextRunAt ?? Infinity, clock.now() + LONGEST_SLEEP_MS));
          continue;
        }
        const run = { now: clock.now(), lease: ids.uuid(), limit: JOBS_PER_LOOK };
        const leased = await transactor.transact(async (tx) =>
          leaseJobs(tx, run.lease, this.#choose(await listDueJobs(tx, run, full))),
        );
        this.#failures = 0;
        // What did not fit is looked at again without the lanes that are full now.
        this.#again = true;
        for (const job of leased) this.#track(job);
      } catch (error) {
        log.error({ err: error }, "could not look for due jobs");
        const pause_ms = Math.min(SECOND * 2 ** this.#failures, LONGEST_PAUSE_MS);
        this.#failures += 1;
        this.#sleepUntil(clock.now() + pause_ms);
      }
    }
  }

  /** A clock that was moved back leaves every job as far away as it was. */
  async #noticeClock(): Promise<void> {
    const { clock, log, transactor } = this.#deps;
    const now = clock.now();
    const seen = this.#seen;
    if (now < seen - CLOCK_SLACK_MS) {
      await transactor.transact((tx) => pullJobs(tx, { after: seen, by: seen - now }));
      log.warn({ seconds: Math.round((seen - now) / SECOND) }, "the clock was moved back");
    }
    this.#seen = now;
  }

  #sleepUntil(instant: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#deps.clock.wakeAt(instant, () => this.wake());
  }

  /** Looks for due jobs when there were commits since `before`. */
  #glance(before: number | undefined): void {
    const { clock, stamp } = this.#deps;
    if (!stamp || this.#state !== "running") return;
    let now = before;
    try {
      now = stamp();
    } catch {
      // Where the database cannot be read, the search for due jobs reports it.
    }
    if (now !== before) this.wake();
    this.#cancelGlance = clock.wakeAt(clock.now() + GLANCE_MS, () => this.#glance(now));
  }

  /** As many of the due jobs as their lanes have room for, oldest first. */
  #choose(due: Job[]): Job[] {
    const taken = new Map<string, number>();
    return due.filter((job) => {
      const lane = this.#laneOf(job);
      const name = nameOf(lane);
      const count = taken.get(name) ?? 0;
      if (count >= this.#roomIn(lane)) return false;
      taken.set(name, count + 1);
      return true;
    });
  }

  #laneOf({ kind, subject }: Job): Lane {
    return { kind, prefix: this.#handlers.get(kind)?.lane.laneOf?.(subject) ?? "" };
  }

  #roomIn(lane: Lane): number {
    const { concurrency = CONCURRENT_JOBS } = this.#handlers.get(lane.kind)?.lane ?? {};
    return concurrency - (this.#lanes.get(nameOf(lane))?.running ?? 0);
  }

  #track(job: LeasedJob): void {
    const lane = this.#laneOf(job);
    const name = nameOf(lane);
    const count = (change: number) => {
      const running = (this.#lanes.get(name)?.running ?? 0) + change;
      if (running === 0) this.#lanes.delete(name);
      else this.#lanes.set(name, { ...lane, running });
    };
    count(1);
    const tracked = this.#run(job).finally(() => {
      count(-1);
      this.#running.delete(tracked);
      this.wake();
    });
    this.#running.add(tracked);
  }

  async #run(job: LeasedJob): Promise<void> {
    const { db, clock, log, transactor } = this.#deps;
    try {
      const known = this.#handlers.get(job.kind);
      if (!known) throw new Error(`no handler for jobs of kind ${job.kind}`);
      await known.handler(job.subject);
      // Most give themselves a new deadline, or end their job with the work.
      if (await isLeased(db, job)) await transactor.transact((tx) => finishJob(tx, job));
    } catch (error) {
      log.error({ err: error, job: job.kind, subject: job.subject }, "a job failed");
      // A disk that is well again is not to be waited for.
      const isFault = describeStorageFault(error) !== undefined;
      const longest_ms = isFault ? LONGEST_PAUSE_MS : LONGEST_RETRY_MS;
      const retryAt = clock.now() + Math.min(SECOND * 2 ** job.attempts, longest_ms);
      const failure = { error: error instanceof Error ? error.message : String(error), retryAt };
      await transactor
        .transact((tx) => failJob(tx, job, failure))
        .catch((cause) => {
          log.error({ err: cause }, "could not put a failed job back");
          this.#unwritten.set(job, failure);
        });
    }
  }

  /** Puts back what failed while the database could not be written: a full disk ends some day. */
  async #writeEnds(): Promise<void> {
    for (const [job, failure] of this.#unwritten) {
      await this.#deps.transactor.transact((tx) => failJob(tx, job, failure));
      this.#unwritten.delete(job);
    }
  }
}

function nameOf({ kind, prefix }: Lane): string {
  return `${kind} ${prefix}`;
}
