import { setMaxListeners } from "node:events";
import { Worker } from "node:worker_threads";
import type { TaskName, Tasks } from "./tasks.ts";

export interface Errand {
  name: TaskName;
  input: unknown;
  /** True if people wait for the task: it then has the same priority as the gateway's thread. */
  isUrgent: boolean;
  /** Contains 1 when the outcome is no longer wanted. */
  stopped: Int32Array;
}
export type Outcome =
  | { result: unknown }
  | { error: { message: string; code: string | undefined; syscall: string | undefined } };

export interface StartedErrand {
  outcome: Promise<Outcome>;
  /** Resolves when the thread no longer uses any file of the task. */
  gone: Promise<unknown>;
}
export type StartErrand = (errand: Errand) => StartedErrand;

/** The thread's script: next to this file, or next to the bundle that contains this file. */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./background-thread.ts" : "./background-thread.js",
  import.meta.url,
);

/** Small young generation: tasks produce much garbage and retain little. */
const LIMITS = { maxYoungGenerationSizeMb: 4 };

/** Runs long tasks on separate threads, so that the gateway's thread can answer requests. */
export class Background {
  readonly #threads = new Set<Promise<unknown>>();
  readonly #end = new AbortController();
  readonly #startErrand: StartErrand;

  constructor(startErrand: StartErrand = startOnNewThread) {
    this.#startErrand = startErrand;
    // Removes the limit: each running task adds a listener.
    setMaxListeners(0, this.#end.signal);
  }

  /**
   * @param signal requests an early end, which the task may ignore
   * @param isUrgent true if people wait for the task
   * @throws the task's error, with its `code` and `syscall`
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
   * Requests an early end of running tasks, and waits until every thread has ended. Does not
   * terminate threads, because this would crash the whole process while a thread loads SQLite.
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

export function waitForOutcome(thread: Worker): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("the task was stopped")));
  });
}
