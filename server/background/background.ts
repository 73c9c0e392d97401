import { setMaxListeners } from "node:events";
import { Worker } from "node:worker_threads";
import type { TaskName, Tasks } from "./tasks.ts";

/** A thread's task, and its answer. */
export interface Errand {
  name: TaskName;
  input: unknown;
  /** People wait for it: it shares the processor with the gateway's thread as an equal. */
  isUrgent: boolean;
  /** Holds 1 once the outcome is no longer wanted. */
  stopped: Int32Array;
}
export type Outcome =
  | { result: unknown }
  | { error: { message: string; code: string | undefined; syscall: string | undefined } };

/** A task that a thread performs. */
export interface StartedErrand {
  outcome: Promise<Outcome>;
  /** Resolves when the thread does not use any file of the task any more. */
  gone: Promise<unknown>;
}
export type StartErrand = (errand: Errand) => StartedErrand;

/**
 * The thread's script: beside this file in the sources, and beside the bundle that this file is a
 * part of where there is one.
 */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./background-thread.ts" : "./background-thread.js",
  import.meta.url,
);

/** What a thread throws away is cleared away soon: it works through much of the same, and keeps little. */
const LIMITS = { maxYoungGenerationSizeMb: 4 };

/**
 * Runs work that grows with the data on separate threads, so that the gateway's thread stays free to answer.
 */
export class Background {
  readonly #threads = new Set<Promise<unknown>>();
  readonly #end = new AbortController();
  readonly #startErrand: StartErrand;

  constructor(startErrand: StartErrand = startOnNewThread) {
    this.#startErrand = startErrand;
    // One listener for each task that runs.
    setMaxListeners(0, this.#end.signal);
  }

  /**
   * @param signal asks the task to end before it is done, where it can
   * @param isUrgent whether people wait for it
   * @throws what the task throws, with its `code` and `syscall`
   */
  async run<Name extends TaskName>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
    { signal, isUrgent = false }: { signal?: AbortSignal; isUrgent?: boolean } = {},
  ): Promise<Awaited<ReturnType<Tasks[Name]>>> {
    const stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const ends = [this.#end.signal, ...(signal ? [signal] : [])];
    const stop = () => Atomics.store(stopped, 0, 1);
    for (const end of ends) {
      if (end.aborted) stop();
      end.addEventListener("abort", stop);
    }
    const errand: Errand = { name, input, isUrgent, stopped };
    const thread = this.#startErrand(errand);
    this.#threads.add(thread.gone);
    void thread.gone.then(() => {
      this.#threads.delete(thread.gone);
      for (const end of ends) end.removeEventListener("abort", stop);
    });
    const outcome = await thread.outcome;
    if ("error" in outcome) throw Object.assign(new Error(outcome.error.message), outcome.error);
    return outcome.result as Awaited<ReturnType<Tasks[Name]>>;
  }

  /**
   * Asks running tasks to end where they can, and waits until every thread is gone. None is ended by
   * force: one that loads SQLite just then would take the whole process with it.
   */
  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#threads);
  }
}

function startOnNewThread(errand: Errand): StartedErrand {
  const thread = new Worker(SCRIPT, { workerData: errand, resourceLimits: LIMITS });
  return {
    outcome: waitForOutcome(thread),
    gone: new Promise((resolve) => thread.once("exit", resolve)),
  };
}

/** Resolves with the answer of the thread's current task. */
export function waitForOutcome(thread: Worker): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("the work was stopped")));
  });
}
