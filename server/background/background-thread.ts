/** The script of a background thread: does one task, answers and ends. */
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
    setPriority(Number(thread), constants.priority.PRIORITY_LOW);
  } catch {
    // Elsewhere the two share the processor as equals.
  }
}

async function outcomeOf({ name, input, stopped }: Errand): Promise<Outcome> {
  try {
    const isOver = () => Atomics.load(stopped, 0) === 1;
    const { TASKS } = await import("./tasks.ts");
    return { result: await TASKS[name](input as never, isOver) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    return { error: { message: error instanceof Error ? error.message : String(error), code } };
  }
}

// Set before anything is loaded: reading the program again takes half a second of processor time.
giveWay();
parentPort?.postMessage(await outcomeOf(workerData as Errand));
