import type { Job, Lane } from "./job-store.ts";
import type { Lanes } from "./running-jobs.ts";

/**
 * Performs a job's work. The runner deletes the job when the handler returns, unless the handler
 * enqueued it again. A job may run twice after a crash, so the handler checks the present state
 * first.
 */
export type JobHandler = (subject: string, run: JobRun) => Promise<void>;

export interface JobRun {
  /**
   * Returns whether this process still holds the job. Handlers check this before irreversible
   * actions, because a process suspended for longer than its lease may have lost the job.
   */
  isOurs(): Promise<boolean>;
}

export interface LaneOptions {
  /** Maximum number of parallel jobs in each lane. */
  concurrency?: number;
  /**
   * Returns the subject prefix that identifies the job's lane. Without this function, all jobs of a
   * kind share a lane.
   */
  laneOf?(subject: string): string;
}

export const CONCURRENT_JOBS = 8;

export class JobKinds implements Lanes {
  readonly #kinds = new Map<string, { handler: JobHandler; lane: LaneOptions }>();

  add(kind: string, handler: JobHandler, lane: LaneOptions): void {
    this.#kinds.set(kind, { handler, lane });
  }

  get names(): string[] {
    return [...this.#kinds.keys()];
  }

  /** @throws if no handler is registered; the runner then retries the job and stores this error */
  handlerOf(kind: string): JobHandler {
    const known = this.#kinds.get(kind);
    if (!known) throw new Error(`no handler for jobs of kind ${kind}`);
    return known.handler;
  }

  laneOf({ kind, subject }: Job): Lane {
    return { kind, prefix: this.#kinds.get(kind)?.lane.laneOf?.(subject) ?? "" };
  }

  concurrencyOf(kind: string): number {
    return this.#kinds.get(kind)?.lane.concurrency ?? CONCURRENT_JOBS;
  }
}
