/** The script of a background thread: performs one task, answers and ends. */
import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { Errand, Outcome } from "./background.ts";

/**
 * Where the system knows threads by a number of their own, this one gets a lower priority than the
 * gateway's.
 */
function giveWay(): void {
  try {
    const [thread] = readlinkSync("/proc/thread-self").split("/").slice(-1);
    // Not the lowest: on a busy machine that would never get its turn, and people wait for reports.
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Elsewhere the two share the processor as equals.
  }
}

/** Loads the task and performs it. An error is an outcome. */
export async function performErrand({ name, input, stopped }: Errand): Promise<Outcome> {
  try {
    const isOver = () => Atomics.load(stopped, 0) === 1;
    const { TASKS } = await import("./tasks.ts");
    return { result: await TASKS[name](input as never, isOver) };
  } catch (error) {
    const { code, syscall } = factsOf(error);
    const message = error instanceof Error ? error.message : String(error);
    return { error: { message, code, syscall } };
  }
}

/** What an error of the system says beside its words. */
function factsOf(error: unknown): { code: string | undefined; syscall: string | undefined } {
  if (!(error instanceof Error)) return { code: undefined, syscall: undefined };
  const code = "code" in error ? String(error.code) : undefined;
  const syscall = "syscall" in error ? String(error.syscall) : undefined;
  return { code, syscall };
}

// A thread that is kept for several tasks gets them by message (server/testing/kept-threads.ts).
if (workerData) {
  // Set before anything is loaded: reading the program again takes half a second of processor time.
  const errand = workerData as Errand;
  if (!errand.isUrgent) giveWay();
  void performErrand(errand).then((outcome) => parentPort?.postMessage(outcome));
}
