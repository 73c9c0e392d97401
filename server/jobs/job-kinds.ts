import type { Job, Lane } from "./job-store.ts";
import type { Lanes } from "./running-jobs.ts";

/**
 * Does a job's work. It may enqueue the same job again for its next deadline; otherwise the job is
 * removed when it returns. It may run twice after a crash, so it first checks the present state.
 */
export type JobHandler = (subject: string, run: JobRun) => Promise<void>;

export interface JobRun {
  /**
   * Returns whether this process still has the job. To be checked before actions that cannot be undone: a
   * process that was suspended for longer than its lease may have lost the job.
   */
  isOurs(): Promise<boolean>;
}

/** How a kind of job shares the runner with others. */
export interface LaneOptions {
  /** Maximum number of parallel jobs in a lane; other lanes are counted separately. */
  concurrency?: number;
  /** Returns the prefix of the subjects that share a lane; without it a kind is one lane. */
  laneOf?(subject: string): string;
}

/** Default maximum number of parallel jobs of a kind. */
export const CONCURRENT_JOBS = 8;

/** The kinds of jobs with a handler, and their lanes. */
export class JobKinds implements Lanes {
  readonly #kinds = new Map<string, { handler: JobHandler; lane: LaneOptions }>();

  add(kind: string, handler: JobHandler, lane: LaneOptions): void {
    this.#kinds.set(kind, { handler, lane });
  }

  get names(): string[] {
    return [...this.#kinds.keys()];
  }

  /** @throws if there is none, so that the job is retried with the reason */
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
