import { invalidField, Problem } from "../../../contract/problem.ts";
import type { AdvanceInput, Speed } from "../../../contract/v1/sandbox.ts";
import { acceptClock, findClockFault, readClock } from "../../../db/business-time.ts";
import { findNextJob, hasJobsDue } from "../../../jobs/job-store.ts";
import { DAY, HOUR, MINUTE, onNextTurn, SECOND, toTimestamp } from "../../../lib/clock.ts";
import { REPORT_JOB } from "../../books/reports/index.ts";
import { DELIVER_JOB } from "../../messages/webhooks/index.ts";
import type { Base } from "../../module.ts";
import { ADVANCE_JOB, PROBE_JOB } from "../../purchases/purchases/index.ts";
import { REFUND_JOB } from "../../purchases/refunds/index.ts";
import type { SandboxClock } from "./sandbox-clock.ts";

/** Kinds of jobs that an integrator waits for. All other kinds are internal maintenance. */
const WORK_KINDS = [ADVANCE_JOB, REFUND_JOB, DELIVER_JOB, REPORT_JOB, PROBE_JOB];

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
const DURATION = /^(\d{1,9})([smhd])$/;
const MAX_ADVANCE_MS = 366 * DAY;
/**
 * Number of idle turns of the event loop after which the sandbox counts as settled. A pending
 * commit waits for several turns before it starts.
 */
const QUIET_TURNS = 16;
/** Number of jobs whose deadlines within a second are joined to one step of an advance. */
const CROWD = 16;

const BY_RULE = "must be a whole number of s, m, h or d, such as 15m or 24h";
const TO_RULE = "must be next-deadline, or a time such as 2027-01-31T09:30:00Z";
const YEAR_RULE = "must be within a year";

export interface ClockState {
  now: string;
  speed: Speed;
}

interface ClockServiceDeps extends Pick<Base, "accountId" | "db" | "transactor" | "jobs"> {
  clock: SandboxClock;
  /** Resolves when the clock's time and speed are stored. */
  save(): Promise<void>;
  /** `underWay` counts webhook requests in progress. */
  sender: { readonly underWay: number };
  /** `heldBack` counts messages that wait for a later message. `flush` sends these messages. */
  faults: { readonly heldBack: number; flush(): void };
  /** `waiting` counts submissions without a response yet. */
  engine: { readonly waiting: number };
  /** `held` counts submissions that the simulator leaves without a response. */
  simulator: { readonly held: number };
}

/** Runs changes of the sandbox clock one after the other. */
export class ClockService {
  readonly #deps: ClockServiceDeps;
  #last: Promise<unknown> = Promise.resolve();
  /** Number of changes that have not ended. */
  #changes = 0;
  #isAdvancing = false;
  #isClosed = false;

  constructor(deps: ClockServiceDeps) {
    this.#deps = deps;
  }

  read(): ClockState {
    const { clock } = this.#deps;
    return { now: toTimestamp(clock.now()), speed: clock.speed };
  }

  setSpeed(speed: Speed): Promise<ClockState> {
    return this.#inTurn(async () => {
      this.#deps.clock.setSpeed(speed);
      await this.#deps.save();
      return this.read();
    });
  }

  /**
   * Advances the clock from deadline to deadline, and waits at each until the due work has
   * finished.
   * @returns the time, and the number of finished runs of purchases, retries, refunds, webhooks and
   * reports
   * @param signal ends the advance at its next step
   * @throws Problem INVALID_REQUEST naming the field, or RATE_LIMITED during another advance; the
   * clock is unchanged
   */
  async advance(
    input: AdvanceInput,
    signal?: AbortSignal,
  ): Promise<{ now: string; finished: number }> {
    const findTarget = readTarget(input);
    if (this.#isAdvancing) {
      const message = "The sandbox's clock is already advancing. Wait until that advance ends.";
      throw new Problem("RATE_LIMITED", message);
    }
    this.#isAdvancing = true;
    try {
      return await this.#inTurn(() => this.#advance(findTarget, signal));
    } finally {
      this.#isAdvancing = false;
    }
  }

  /** Returns whether a purchase, refund, webhook, report or change of the clock has not ended. */
  async hasWork(): Promise<boolean> {
    const { db, sender, engine } = this.#deps;
    if (this.#changes > 0 || sender.underWay > 0 || engine.waiting > 0) return true;
    return (await findNextJob(db, WORK_KINDS)) !== undefined;
  }

  /**
   * Advances a stored clock to the newest record, which an interrupted advance may have written, and
   * accepts its time. Must be called before any job runs.
   */
  async recover(): Promise<void> {
    const { accountId, db, clock } = this.#deps;
    const { newest = 0 } = await readClock(db, accountId, clock.now());
    if (newest > clock.now()) clock.moveTo(newest);
    await this.acceptTime();
  }

  /** Cancels a running advance at the deadline that it has reached. */
  close(): void {
    this.#isClosed = true;
  }

  async #advance(
    findTarget: FindTarget,
    signal: AbortSignal | undefined,
  ): Promise<{ now: string; finished: number }> {
    const { db, clock, jobs } = this.#deps;
    const before = jobs.countEnded(WORK_KINDS);
    clock.hold();
    try {
      await this.#settle();
      const now = clock.now();
      const next = async () => Math.max((await findNextJob(db, WORK_KINDS)) ?? now, now);
      await this.#moveTo(await findTarget(now, next), signal);
      return {
        now: toTimestamp(clock.now()),
        finished: jobs.countEnded(WORK_KINDS) - before,
      };
    } finally {
      clock.release();
      await this.#deps.save();
    }
  }

  async #moveTo(target: number, signal: AbortSignal | undefined): Promise<void> {
    const { clock } = this.#deps;
    for (let at = clock.nextTimer(); at <= target; at = clock.nextTimer()) {
      if (this.#isClosed) throw new Problem("SYSTEM_UNAVAILABLE", "Tillgate is stopping.");
      if (signal?.aborted) throw new Problem("SYSTEM_UNAVAILABLE", "The connection was closed.");
      clock.moveTo(await this.#joinDeadlines(at, target));
      await this.#settle();
    }
    clock.moveTo(target);
    await this.acceptTime();
    do {
      this.#deps.faults.flush();
      await this.#settle();
    } while (this.#deps.faults.heldBack > 0);
  }

  /**
   * Returns the end of a step that starts at a deadline: the deadline, or up to a second later if
   * many jobs are due by then. They then commit together. Each retry keeps its purchase's schedule.
   */
  async #joinDeadlines(at: number, target: number): Promise<number> {
    const joined = Math.min(at + SECOND, target);
    return (await hasJobsDue(this.#deps.db, joined, CROWD)) ? joined : at;
  }

  /**
   * Accepts the new time. Otherwise, a time years after the newest record is reported as a wrong
   * clock.
   */
  async acceptTime(): Promise<void> {
    const { accountId, db, transactor, clock } = this.#deps;
    const now = clock.now();
    if (!(await findClockFault(db, accountId, now))) return;
    await transactor.transact(accountId, (tx) => acceptClock(tx, accountId, now));
  }

  /**
   * Resolves when no job is due and no response is outstanding, except responses that are never
   * sent.
   */
  async #settle(): Promise<void> {
    const { clock, jobs, sender, faults, engine, simulator } = this.#deps;
    for (let turn = 0; turn < QUIET_TURNS && !this.#isClosed; turn++) {
      await jobs.idle();
      await new Promise<void>((resolve) => {
        onNextTurn(resolve);
      });
      const isAnswered = sender.underWay === faults.heldBack;
      if (isAnswered && engine.waiting === simulator.held) continue;
      turn = 0;
      if (!isAnswered) await clock.waitOutside();
    }
  }

  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    this.#changes += 1;
    const done = this.#last.then(change).finally(() => {
      this.#changes -= 1;
    });
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** `next` returns the time of the next deadline. */
type FindTarget = (now: number, next: () => Promise<number>) => Promise<number>;

/**
 * @throws Problem INVALID_REQUEST naming the field; the returned function also throws it for a past
 * time
 */
function readTarget({ by, to }: AdvanceInput): FindTarget {
  if (by !== undefined && to !== undefined) throw invalidField("to", "cannot be sent with by");
  if (by !== undefined) return readDuration(by);
  if (to === undefined) throw invalidField("by", "is required, unless to is sent");
  if (to === "next-deadline") return (_now, next) => next();
  const at = readTime(to);
  return async (now) => {
    if (at < now) throw invalidField("to", "must not be in the past of the sandbox's clock");
    if (at > now + MAX_ADVANCE_MS) throw invalidField("to", YEAR_RULE);
    return at;
  };
}

function readDuration(text: string): FindTarget {
  const [, count = "", unit = ""] = DURATION.exec(text) ?? [];
  const by_ms = Number(count) * (UNITS[unit] ?? 0);
  if (by_ms === 0) throw invalidField("by", BY_RULE);
  if (by_ms > MAX_ADVANCE_MS) throw invalidField("by", YEAR_RULE);
  return async (now) => now + by_ms;
}

function readTime(text: string): number {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(text);
  const at = isTime ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw invalidField("to", TO_RULE);
  return at;
}
