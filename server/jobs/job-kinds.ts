import type { Job, Lane } from "./job-store.ts";
import type { Lanes } from "./running-jobs.ts";

/**
 * Does a job's work. It may enqueue the same job again for its next deadline; otherwise the job is
 * removed when it returns. It may run twice after a crash, so it first looks at what is so.
 */
export type JobHandler = (subject: string, run: JobRun) => Promise<void>;

export interface JobRun {
  /**
   * Whether the job is this process's still, for what cannot be undone: one that stood still for longer than its
   * lease may have lost it to another.
   */
  isOurs(): Promise<boolean>;
}

/** How a kind of job shares the runner with others. */
export interface LaneOptions {
  /** How many run side by side in a lane; those of other lanes are counted by themselves. */
  concurrency?: number;
  /** The beginning of the subject that jobs of one lane share; without it a kind is one lane. */
  laneOf?(subject: string): string;
}

/** How many of a kind run side by side where it says nothing. */
export const CONCURRENT_JOBS = 8;

/** The kinds of jobs that there are handlers for, and how each shares the runner with others. */
export class JobKinds implements Lanes {
  readonly #kinds = new Map<string, { handler: JobHandler; lane: LaneOptions }>();

  add(kind: string, handler: JobHandler, lane: LaneOptions): void {
    this.#kinds.set(kind, { handler, lane });
  }

  get names(): string[] {
    return [...this.#kinds.keys()];
  }

  /** @throws where there is none, so that the job is put back with the reason */
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
