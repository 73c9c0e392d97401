import { EVERY_ACCOUNT } from "../db/account-lock.ts";
import type { Db } from "../db/database.ts";
import type { Transactor } from "../db/transactor.ts";
import { type Clock, MINUTE, SECOND } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { describeStorageFault } from "../lib/storage-fault.ts";
import { CONCURRENT_JOBS, type JobHandler, JobKinds, type LaneOptions } from "./job-kinds.ts";
import type { JobLeases } from "./job-leases.ts";
import {
  failJob,
  finishJob,
  type Job,
  type JobFailure,
  JobNote,
  listNextJobs,
  pullJobs,
  rewriteJob,
} from "./job-store.ts";
import { accountOfSubject } from "./job-subject.ts";
import { type Run, RunningJobs } from "./running-jobs.ts";

const JOBS_PER_LOOK = 64;
/** Default maximum sleep. A longer sleep could miss a change of the machine's clock. */
const LONGEST_SLEEP_MS = 30 * SECOND;
const GLANCE_MS = SECOND;
/** Maximum number of consecutive reads without a pause while other processes take the jobs. */
const LOOKS_IN_A_ROW = 8;
/** Maximum delay between attempts while the database cannot be written. */
const LONGEST_PAUSE_MS = 30 * SECOND;
const LONGEST_RETRY_MS = 5 * MINUTE;
/** PostgreSQL's error code for a unique violation. */
const DUPLICATE_ROW = "23505";
/**
 * Backward changes of the clock up to this limit are ignored: clock synchronization makes them
 * often.
 */
const CLOCK_SLACK_MS = MINUTE;

interface JobRunnerDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  /**
   * Returns a number that changes with each commit of another process, for example of the command
   * line.
   */
  stamp?: (() => number) | undefined;
  /** Decides which process runs a job; undefined if only one process uses the database. */
  leases?: Pick<JobLeases, keyof JobLeases> | undefined;
  /**
   * Returns whether the last write succeeded. After a failed write, the runner tests a write before
   * it starts a job, because the job's result must be stored.
   */
  isWritable?: (() => boolean) | undefined;
  /** Overrides the default maximum sleep, for a clock that only this process changes. */
  maxSleep_ms?: number | undefined;
}

/** Runs due jobs. The deadlines are in the table `jobs`; the timer only wakes the runner. */
export class JobRunner {
  readonly #deps: JobRunnerDeps;
  readonly #kinds = new JobKinds();
  readonly #jobs = new RunningJobs(this.#kinds);
  readonly #running = new Set<Promise<void>>();
  #state: "created" | "running" | "stopped" = "created";
  #pump: Promise<void> | undefined;
  #again = false;
  #isCrowded = false;
  #seen = -Infinity;
  #sleepsUntil = -Infinity;
  #leasesReadAt = -Infinity;
  /** Failed runs whose failure could not be stored. Their jobs count as running. */
  readonly #unwritten = new Map<Run, JobFailure>();
  /** Number of consecutive reads whose jobs other processes had taken first. */
  #misses = 0;
  #failures = 0;
  readonly #ended = new Map<string, number>();
  #cancelTimer: () => void = () => {};
  #cancelGlance: () => void = () => {};

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
    deps.transactor.onCommit((_written, notes) => this.#notice(notes));
  }

  /**
   * Registers a handler. Must be called before `start`. Kinds do not wait for each other: a slow
   * handler blocks only its own lane.
   */
  register(kind: string, handler: JobHandler, lane: LaneOptions = {}): void {
    this.#kinds.add(kind, handler, lane);
  }

  get kinds(): string[] {
    return this.#kinds.names;
  }

  get isRunning(): boolean {
    return this.#state === "running";
  }

  async start(): Promise<void> {
    const { leases } = this.#deps;
    if (leases) await leases.releaseEarlier();
    this.#state = "running";
    this.wake();
    this.#glance(undefined);
  }

  async stop(): Promise<void> {
    this.#state = "stopped";
    this.#cancelTimer();
    this.#cancelGlance();
    await this.#pump;
    await Promise.all(this.#running);
    const { leases, log } = this.#deps;
    await leases?.close().catch((error: unknown) => {
      log.error({ err: error }, "others wait for the leases of jobs to end");
    });
  }

  countEnded(kinds: readonly string[]): number {
    return kinds.reduce((sum, kind) => sum + (this.#ended.get(kind) ?? 0), 0);
  }

  /** Triggers a search for due jobs. Cheap, and safe to call at any time. */
  wake(): void {
    if (this.#state !== "running") return;
    this.#again = true;
    this.#pump ??= this.#runDueJobs().finally(() => {
      this.#pump = undefined;
      if (this.#again) this.wake();
    });
  }

  async idle(): Promise<void> {
    while (this.#pump || this.#running.size > 0) {
      await this.#pump;
      if (this.#running.size > 0) await Promise.race(this.#running);
    }
  }

  #notice(notes: readonly object[]): void {
    let next = Infinity;
    for (const note of notes) {
      if (!(note instanceof JobNote)) continue;
      next = Math.min(next, note.runAt ?? Infinity);
      this.#jobs.replace(note);
    }
    if (this.#state !== "running") return;
    if (next <= this.#deps.clock.now()) this.wake();
    else if (next < this.#sleepsUntil) this.#sleepUntil(next);
  }

  async #runDueJobs(): Promise<void> {
    const { clock, log, maxSleep_ms = LONGEST_SLEEP_MS } = this.#deps;
    while (this.#again && this.#state === "running") {
      this.#again = false;
      this.#cancelTimer();
      this.#sleepsUntil = Infinity;
      try {
        await this.#noticeClock();
        await this.#writeEnds();
        const next = Math.min(await this.#beginDue(), await this.#findLeaseEnd());
        this.#failures = 0;
        // A commit during the read may have set an earlier wake-up time.
        const nextKnown = Math.min(next, this.#sleepsUntil);
        if (!this.#again) this.#sleepUntil(Math.min(nextKnown, clock.now() + maxSleep_ms));
      } catch (error) {
        log.error({ err: error }, "could not look for due jobs");
        const pause_ms = Math.min(SECOND * 2 ** this.#failures, LONGEST_PAUSE_MS);
        this.#failures += 1;
        this.#sleepUntil(clock.now() + pause_ms);
      }
    }
  }

  /**
   * Starts the due jobs for which the lanes have capacity.
   * @throws the database error if the last write failed and a test write fails too
   * @returns the due time of the next job that is not due yet; Infinity if there is no such job
   */
  async #beginDue(): Promise<number> {
    const { db, clock, transactor, leases, isWritable = () => true } = this.#deps;
    const full = this.#jobs.fullLanes;
    // If a lane becomes free during a read that excludes this lane, the runner reads again.
    this.#isCrowded = full.length > 0;
    // Remembers the running jobs, because the read may still return a job that ends during the
    // read.
    const before = this.#jobs.revisions;
    const limit = JOBS_PER_LOOK + before.size;
    const jobs = await listNextJobs(db, limit, {
      without: full,
      free: leases?.takeable(this.kinds),
    });
    const now = clock.now();
    const isDue = ({ runAt }: Job) => runAt <= now;
    const isFree = (job: Job) => !before.has(job.revision) && !this.#jobs.has(job);
    const due = jobs.filter((job) => isDue(job) && isFree(job));
    const wanted = this.#jobs.choose(passOver(due, this.#misses * CONCURRENT_JOBS));
    const [first] = wanted;
    if (first && !isWritable()) {
      await transactor.transact(accountOfSubject(first.subject), (tx) => rewriteJob(tx, first));
    }
    const chosen = leases ? await leases.take(wanted) : wanted;
    if (this.#state === "running") for (const job of chosen) this.#track(job);
    const next = jobs.find((job) => !isDue(job));
    // The next read finds the remaining due jobs, because it excludes the full lanes.
    const isMore = wanted.length < due.length || (jobs.length === limit && !next);
    if (isMore && chosen.length > 0) this.#again = true;
    this.#isCrowded = isMore || full.length > 0;
    return Math.min(next?.runAt ?? Infinity, this.#lookAgainAfter(wanted, chosen, now));
  }

  /**
   * Schedules the next read after another process took a job first or locked its row.
   * @returns the time of the read; Infinity if no read is needed
   */
  #lookAgainAfter(wanted: readonly Job[], taken: readonly Job[], now: number): number {
    if (taken.length === wanted.length) {
      this.#misses = 0;
      return Infinity;
    }
    this.#misses += 1;
    if (this.#misses % LOOKS_IN_A_ROW > 0) this.#again = true;
    return now + GLANCE_MS;
  }

  /** Asks at most once in `GLANCE_MS`, because a busy runner searches for jobs more often. */
  async #findLeaseEnd(): Promise<number> {
    const { clock, leases } = this.#deps;
    if (!leases) return Infinity;
    const now = clock.now();
    const next = this.#leasesReadAt + GLANCE_MS;
    if (now >= this.#leasesReadAt && now < next) return next;
    this.#leasesReadAt = now;
    return now + (await leases.findWait(this.kinds, now));
  }

  /**
   * If the clock was set back, moves all deadlines back by the same amount, so that the remaining
   * times stay the same.
   */
  async #noticeClock(): Promise<void> {
    const { clock, log, transactor } = this.#deps;
    const now = clock.now();
    const seen = this.#seen;
    if (now < seen - CLOCK_SLACK_MS) {
      await transactor.transact(EVERY_ACCOUNT, (tx) =>
        pullJobs(tx, { after: seen, by: seen - now }),
      );
      log.warn({ seconds: Math.round((seen - now) / SECOND) }, "the clock was moved back");
    }
    this.#seen = now;
  }

  #sleepUntil(instant: number): void {
    this.#cancelTimer();
    // A timer of a stopped runner would keep its database in memory.
    if (this.#state !== "running") return;
    this.#sleepsUntil = instant;
    this.#cancelTimer = this.#deps.clock.wakeAt(instant, () => this.wake());
  }

  #glance(before: number | undefined): void {
    const { clock, stamp } = this.#deps;
    if (!stamp || this.#state !== "running") return;
    let now = before;
    try {
      now = stamp();
    } catch {
      // An unreadable database is reported by the search for due jobs.
    }
    if (now !== before) this.wake();
    this.#cancelGlance = clock.wakeAt(clock.now() + GLANCE_MS, () => this.#glance(now));
  }

  #track(job: Job): void {
    const run = this.#jobs.begin(job);
    this.#deps.leases?.keep(() => this.#jobs.revisions);
    const tracked = this.#run(run).finally(() => {
      this.#jobs.leave(run);
      this.#running.delete(tracked);
      this.#ended.set(job.kind, this.countEnded([job.kind]) + 1);
      if (!this.#unwritten.has(run)) this.#jobs.forget(run);
      if (this.#isCrowded) this.wake();
    });
    this.#running.add(tracked);
  }

  async #run(run: Run): Promise<void> {
    const { clock, log, transactor, leases } = this.#deps;
    const { job } = run;
    try {
      const handle = this.#kinds.handlerOf(job.kind);
      await handle(job.subject, { isOurs: async () => (await leases?.has(job)) ?? true });
      // If the handler enqueued its job again, the row is the new job and stays.
      if (!run.isReplaced) {
        await transactor.transact(accountOfSubject(job.subject), (tx) =>
          finishJob(tx, job, leases?.owner),
        );
      }
    } catch (error) {
      if (await this.#wasDoneElsewhere(job, error)) {
        log.info({ job: job.kind, subject: job.subject }, "another process has done a job");
        return;
      }
      log.error({ err: error, job: job.kind, subject: job.subject }, "a job failed");
      // Storage errors may end at any time, so their retries have a shorter maximum delay.
      const isFault = describeStorageFault(error) !== undefined;
      const longest_ms = isFault ? LONGEST_PAUSE_MS : LONGEST_RETRY_MS;
      const retryAt = clock.now() + Math.min(SECOND * 2 ** job.attempts, longest_ms);
      const failure = { error: error instanceof Error ? error.message : String(error), retryAt };
      await transactor
        .transact(accountOfSubject(job.subject), (tx) =>
          failJob(tx, job, { ...failure, owner: leases?.owner }),
        )
        .catch((cause) => {
          log.error({ err: cause }, "could not put a failed job back");
          this.#unwritten.set(run, failure);
        });
    }
  }

  /**
   * Returns whether another process took over the job and stored its result, while this process was
   * suspended for longer than its lease.
   */
  async #wasDoneElsewhere(job: Job, error: unknown): Promise<boolean> {
    const { leases } = this.#deps;
    if (!leases || !isDuplicateRow(error)) return false;
    return !(await leases.has(job).catch(() => true));
  }

  /** Stores failures that could not be written earlier, for example because the disk was full. */
  async #writeEnds(): Promise<void> {
    const { leases } = this.#deps;
    for (const [run, failure] of this.#unwritten) {
      await this.#deps.transactor.transact(accountOfSubject(run.job.subject), (tx) =>
        failJob(tx, run.job, { ...failure, owner: leases?.owner }),
      );
      this.#unwritten.delete(run);
      this.#jobs.forget(run);
    }
  }
}

function isDuplicateRow(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === DUPLICATE_ROW;
}

/** Rotates the list to start after the first `count` jobs, which other processes had taken. */
function passOver(jobs: readonly Job[], count: number): readonly Job[] {
  const first = jobs.length === 0 ? 0 : count % jobs.length;
  return first === 0 ? jobs : [...jobs.slice(first), ...jobs.slice(0, first)];
}
