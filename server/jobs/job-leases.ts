import { createHash, randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { hostname } from "node:os";
import type { RawBuilder } from "kysely";
import { CLAIMS } from "../db/account-lock.ts";
import type { Db } from "../db/database.ts";
import {
  extendLeases,
  findLeaseWait,
  hasLease,
  isTakeable,
  releaseLeases,
  takeLeases,
} from "../db/postgres/job-leases.ts";
import type { Transactor } from "../db/transactor.ts";
import { type Clock, SECOND } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Job } from "./job-store.ts";

/** Duration of a lease: maximum delay until another process takes the jobs of a dead process. */
const LEASE_MS = 30 * SECOND;
/** Interval at which leases are extended. A lease survives two late extensions. */
const EXTEND_MS = LEASE_MS / 3;

interface JobLeasesDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  /** A name that no two running processes share (see `placeOf`). */
  place: string;
}

/**
 * Decides which process runs a job when several processes share a database. A process holds a lease
 * on the job's row while the job runs. After the lease expires, another process takes the job, and
 * later writes of the first process are rejected.
 */
export class JobLeases {
  readonly owner: string;
  readonly #deps: JobLeasesDeps;
  #cancelTimer: (() => void) | undefined;

  constructor(deps: JobLeasesDeps) {
    this.#deps = deps;
    this.owner = `${deps.place} ${randomUUID()}`;
  }

  /**
   * Matches jobs of these kinds that no other process holds. A job that this process holds but does
   * not run also matches: the response to the commit of its lease was lost.
   */
  takeable(kinds: readonly string[]): RawBuilder<boolean> {
    return isTakeable(this.owner, kinds);
  }

  async take(jobs: readonly Job[]): Promise<Job[]> {
    if (jobs.length === 0) return [];
    const taken = await this.#deps.transactor.transact(CLAIMS, (tx) =>
      takeLeases(tx, this.owner, { jobs, lease_ms: LEASE_MS }),
    );
    return jobs.filter(({ revision }) => taken.has(revision));
  }

  has(job: Job): Promise<boolean> {
    return hasLease(this.#deps.db, this.owner, job);
  }

  /**
   * Returns the milliseconds until the first lease of another process on a due job of these kinds
   * expires; Infinity if there is no such lease.
   */
  async findWait(kinds: readonly string[], now: number): Promise<number> {
    const wait = await findLeaseWait(this.#deps.db, { owner: this.owner, kinds }, now);
    return Math.max(wait ?? Infinity, 0);
  }

  keep(listRunning: () => ReadonlySet<number>): void {
    if (this.#cancelTimer) return;
    const { clock, log, transactor } = this.#deps;
    this.#cancelTimer = clock.wakeAt(clock.now() + EXTEND_MS, () => {
      this.#cancelTimer = undefined;
      const revisions = listRunning();
      if (revisions.size === 0) return;
      const leases = { revisions, lease_ms: LEASE_MS };
      void transactor
        .transact(CLAIMS, (tx) => extendLeases(tx, this.owner, leases))
        .catch((error: unknown) => log.error({ err: error }, "could not extend the leases of jobs"))
        .finally(() => listRunning().size > 0 && this.keep(listRunning));
    });
  }

  /** Releases the leases of the previous process of this data directory. That process has ended. */
  releaseEarlier(): Promise<void> {
    return this.#release(`${this.#deps.place} `);
  }

  close(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    return this.#release(this.owner);
  }

  async #release(owners: string): Promise<void> {
    await this.#deps.transactor.transact(CLAIMS, (tx) => releaseLeases(tx, owners));
  }
}

/**
 * Returns a name for a data directory of this machine. A copied machine with the same host name
 * gets the same result.
 */
export function placeOf(dataDir: string): string {
  const text = `${hostname()} ${realpathSync(dataDir)}`;
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
