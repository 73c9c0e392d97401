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

/** Duration of a lease: the jobs of a process that is gone are free after it. */
const LEASE_MS = 30 * SECOND;
/** Interval of extensions by a live process: two extensions may be late. */
const EXTEND_MS = LEASE_MS / 3;

interface JobLeasesDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  /** A name that no two running processes have (`placeOf`). */
  place: string;
}

/**
 * Decides which process runs a job, where several share a database: a process takes a lease on the job's row
 * and extends it while the job runs. Another process that finds the lease expired takes the job; writes of the
 * first one are refused from then on.
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
   * Matches jobs of these kinds that no other process has. Jobs of other kinds belong to a later version, whose
   * processes run them. A job that this process has and does not run was assigned to it in a transaction whose
   * response was lost.
   */
  takeable(kinds: readonly string[]): RawBuilder<boolean> {
    return isTakeable(this.owner, kinds);
  }

  /** Takes the jobs that no other process has. @returns the jobs taken */
  async take(jobs: readonly Job[]): Promise<Job[]> {
    if (jobs.length === 0) return [];
    const taken = await this.#deps.transactor.transact(CLAIMS, (tx) =>
      takeLeases(tx, this.owner, { jobs, lease_ms: LEASE_MS }),
    );
    return jobs.filter(({ revision }) => taken.has(revision));
  }

  /** Returns whether no other process may take a job that this one took. */
  has(job: Job): Promise<boolean> {
    return hasLease(this.#deps.db, this.owner, job);
  }

  /** Returns the milliseconds until the first lease of another process on a due job of these kinds ends. */
  async findWait(kinds: readonly string[], now: number): Promise<number> {
    const wait = await findLeaseWait(this.#deps.db, { owner: this.owner, kinds }, now);
    return Math.max(wait ?? Infinity, 0);
  }

  /** Extends the leases of the running jobs periodically, while there is one. */
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

  /**
   * Releases the leases of an earlier process of this place: it has ended, since this one has its
   * place.
   */
  releaseEarlier(): Promise<void> {
    return this.#release(`${this.#deps.place} `);
  }

  /** Releases all leases at the end. */
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
 * Returns a name of a data directory on this machine, in which one gateway runs at a time. A copy of the
 * machine with the same host name has the same.
 */
export function placeOf(dataDir: string): string {
  const text = `${hostname()} ${realpathSync(dataDir)}`;
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
