/**
 * Background threads that all gateways of a test process reuse, because a new thread needs up to a
 * second of processor time to load the program.
 */
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import {
  type Errand,
  type Outcome,
  type StartedErrand,
  waitForOutcome,
} from "../background/background.ts";

const idle: Worker[] = [];

export function startOnKeptThread(errand: Errand): StartedErrand {
  const outcome = performOn(idle.pop() ?? new Worker(new URL(import.meta.url)), errand);
  return { outcome, gone: outcome.catch(() => undefined) };
}

async function performOn(thread: Worker, errand: Errand): Promise<Outcome> {
  thread.ref();
  const answer = waitForOutcome(thread);
  thread.postMessage(errand);
  const outcome = await answer;
  // Removes the gateway's listeners. A worker's other listeners are Node's own.
  for (const event of ["message", "error", "exit"]) thread.removeAllListeners(event);
  thread.unref();
  idle.push(thread);
  return outcome;
}

if (!isMainThread) {
  const { performErrand } = await import("../background/background-thread.ts");
  parentPort?.on("message", (errand: Errand) => {
    void performErrand(errand).then((outcome) => parentPort?.postMessage(outcome));
  });
}
