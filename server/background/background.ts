import { Worker } from "node:worker_threads";
import type { TaskName, Tasks } from "./tasks.ts";

/** What a thread is given to do, and what it answers. */
export interface Errand {
  name: TaskName;
  input: unknown;
}
export type Outcome =
  | { result: unknown }
  | { error: { message: string; code: string | undefined } };

/**
 * The thread's script: beside this file in the sources, and beside the bundle that this file is a
 * part of where there is one.
 */
const SCRIPT = new URL(
  import.meta.url.endsWith(".ts") ? "./background-thread.ts" : "./background-thread.js",
  import.meta.url,
);

/** Runs what grows with the data on threads of its own, so that the gateway's stays free to answer. */
export class Background {
  readonly #threads = new Set<Worker>();

  /** @throws what the task throws, with its `code`. */
  async run<Name extends TaskName>(
    name: Name,
    input: Parameters<Tasks[Name]>[0],
  ): Promise<Awaited<ReturnType<Tasks[Name]>>> {
    const errand: Errand = { name, input };
    const thread = new Worker(SCRIPT, { workerData: errand });
    this.#threads.add(thread);
    try {
      const outcome = await outcomeOf(thread);
      if ("error" in outcome) throw Object.assign(new Error(outcome.error.message), outcome.error);
      return outcome.result as Awaited<ReturnType<Tasks[Name]>>;
    } finally {
      this.#threads.delete(thread);
    }
  }

  /** Ends what still runs: whoever waits for it gets an error. */
  async stop(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }
}

function outcomeOf(thread: Worker): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("the work was stopped")));
  });
}
