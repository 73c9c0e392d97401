import type { Job, Lane } from "./job-store.ts";

export interface Run {
  readonly job: Job;
  /** Whether the job was enqueued again or cancelled during the run. */
  isReplaced: boolean;
}

export interface Lanes {
  laneOf(job: Job): Lane;
  concurrencyOf(kind: string): number;
}

/**
 * The jobs that this process runs, and the free capacity of the lanes. This state is not stored: an
 * unfinished job is due again at the next start.
 */
export class RunningJobs {
  readonly #lanes: Lanes;
  /** Runs by kind and subject. A job enqueued again may start while its earlier run continues. */
  readonly #runs = new Map<string, Run[]>();
  readonly #crowds = new Map<string, Lane & { running: number }>();

  constructor(lanes: Lanes) {
    this.#lanes = lanes;
  }

  get revisions(): ReadonlySet<number> {
    return new Set([...this.#runs.values()].flat().map(({ job }) => job.revision));
  }

  get fullLanes(): Lane[] {
    return [...this.#crowds.values()].filter((lane) => this.#roomIn(lane) === 0);
  }

  has(job: Job): boolean {
    const runs = this.#runs.get(keyOf(job)) ?? [];
    return runs.some((run) => run.job.revision === job.revision);
  }

  /** Returns the due jobs whose lanes have capacity, in order. */
  choose(due: readonly Job[]): Job[] {
    const taken = new Map<string, number>();
    return due.filter((job) => {
      const lane = this.#lanes.laneOf(job);
      const name = nameOf(lane);
      const count = taken.get(name) ?? 0;
      if (count >= this.#roomIn(lane)) return false;
      taken.set(name, count + 1);
      return true;
    });
  }

  begin(job: Job): Run {
    this.#count(job, 1);
    const run: Run = { job, isReplaced: false };
    const key = keyOf(job);
    this.#runs.set(key, [...(this.#runs.get(key) ?? []), run]);
    return run;
  }

  /** Frees the lane's capacity. The job counts as running until `forget`. */
  leave({ job }: Run): void {
    this.#count(job, -1);
  }

  forget(run: Run): void {
    const key = keyOf(run.job);
    const others = (this.#runs.get(key) ?? []).filter((other) => other !== run);
    if (others.length > 0) this.#runs.set(key, others);
    else this.#runs.delete(key);
  }

  replace(job: { kind: string; subject: string }): void {
    for (const run of this.#runs.get(keyOf(job)) ?? []) run.isReplaced = true;
  }

  #count(job: Job, change: 1 | -1): void {
    const lane = this.#lanes.laneOf(job);
    const name = nameOf(lane);
    const running = (this.#crowds.get(name)?.running ?? 0) + change;
    if (running === 0) this.#crowds.delete(name);
    else this.#crowds.set(name, { ...lane, running });
  }

  #roomIn(lane: Lane): number {
    const running = this.#crowds.get(nameOf(lane))?.running ?? 0;
    return this.#lanes.concurrencyOf(lane.kind) - running;
  }
}

function keyOf({ kind, subject }: { kind: string; subject: string }): string {
  return `${kind} ${subject}`;
}

function nameOf({ kind, prefix }: Lane): string {
  return `${kind} ${prefix}`;
}
