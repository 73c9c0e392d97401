/** Script of a background thread: performs one task, returns the outcome and ends. */
import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { Errand, Outcome } from "./background.ts";

/** Lowers this thread's priority below the gateway's. Works only on Linux. */
function lowerPriority(): void {
  try {
    const [thread] = readlinkSync("/proc/thread-self").split("/").slice(-1);
    // Not the lowest priority: on a busy machine the thread would never run, and
    // people wait for reports.
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // On other systems, both threads have the same priority.
  }
}

/** Loads and performs the task. An error of the task becomes an outcome; nothing is thrown. */
export async function performErrand({ name, input, stopped }: Errand): Promise<Outcome> {
  try {
    const isOver = () => Atomics.load(stopped, 0) === 1;
    const { TASKS } = await import("./tasks.ts");
    return { result: await TASKS[name](input as never, isOver) };
  } catch (error) {
    const { code, syscall } = readErrorFacts(error);
    const message = error instanceof Error ? error.message : String(error);
    return { error: { message, code, syscall } };
  }
}

function readErrorFacts(error: unknown): { code: string | undefined; syscall: string | undefined } {
  if (!(error instanceof Error)) return { code: undefined, syscall: undefined };
  const code = "code" in error ? String(error.code) : undefined;
  const syscall = "syscall" in error ? String(error.syscall) : undefined;
  return { code, syscall };
}

// A reused thread has no `workerData`: it gets its tasks by message
// (server/testing/kept-threads.ts).
if (workerData) {
  // Lower the priority before anything is loaded: parsing the program takes
  // 0.5 s of processor time.
  const errand = workerData as Errand;
  if (!errand.isUrgent) lowerPriority();
  void performErrand(errand).then((outcome) => parentPort?.postMessage(outcome));
}
