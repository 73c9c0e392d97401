import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { databaseFile } from "../../server/db/database-files.ts";
import type { Work, WorkDone } from "./scale-gateway.ts";

export const BESIDE = ["report", "backup", "audit"] as const;
const IDLE_MS = 10_000;

interface Gateway {
  url: string;
  ask(work: Work): Promise<WorkDone>;
}

type Print = (name: string, values: readonly number[], unit: (value: number) => string) => void;

const seconds = (value: number) => `${(value / 1e3).toFixed(1)} s`;
const ms = (value: number) => `${value.toFixed(1)} ms`;
const mb = (value: number) => `${(value / 1e6).toFixed(0)} MB`;
const times = (value: number) => value.toFixed(1);

function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

async function healthDuring<T>(url: string, work: () => Promise<T>): Promise<[T, number]> {
  const probe = fork(join(import.meta.dirname, "probe.ts"), [`${url}/healthz`]);
  // Discards the first responses, which include connection set-up.
  await wait(1_000);
  probe.send("");
  await once(probe, "message");
  const done = await work();
  probe.send("");
  const [answers] = (await once(probe, "message")) as [number[]];
  probe.disconnect();
  return [done, p99(answers)];
}

export async function measureBeside(
  work: (typeof BESIDE)[number],
  gateways: readonly Gateway[],
  print: Print,
): Promise<void> {
  const done: (WorkDone & { idle_ms: number; busy_ms: number })[] = [];
  for (const gateway of gateways) {
    const [, idle_ms] = await healthDuring(gateway.url, () => wait(IDLE_MS));
    const [result, busy_ms] = await healthDuring(gateway.url, () => gateway.ask(work));
    done.push({ ...result, idle_ms, busy_ms });
  }
  const name = work === "report" ? "report of all time" : work;
  const of = (value: (one: (typeof done)[number]) => number) => done.map(value);
  print(
    name,
    of(({ took_ms }) => took_ms),
    seconds,
  );
  print(
    `${name}: /healthz p99`,
    of(({ busy_ms }) => busy_ms),
    ms,
  );
  print(
    `${name}: … idle`,
    of(({ idle_ms }) => idle_ms),
    ms,
  );
  print(
    `${name}: … times idle`,
    of((one) => one.busy_ms / one.idle_ms),
    times,
  );
  print(
    `${name}: the gateway's thread late, p99`,
    of(({ delayP99_ms }) => delayP99_ms),
    ms,
  );
  print(
    `${name}: memory more`,
    of(({ grown_bytes }) => grown_bytes),
    mb,
  );
}

/** Returns the duration of bare-report.ts, the lower bound of the same report. */
export async function writeBareReport(dataDir: string): Promise<number> {
  const target = join(dataDir, "bare-report.csv");
  const child = fork(join(import.meta.dirname, "bare-report.ts"), [databaseFile(dataDir), target]);
  const [took_ms] = (await once(child, "message")) as [number];
  return took_ms;
}
