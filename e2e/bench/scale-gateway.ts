/**
 * A gateway over a data directory, in a separate process. Sends its address when it listens, and a
 * key after the database check. Then performs the work named in each message, and answers with the
 * duration, the delay of the gateway's thread, and the memory.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { databaseFile } from "../../server/db/database-files.ts";
import { createGateway } from "../../server/index.ts";
import { configOf } from "./first-sales.ts";

const [dataDir = ""] = process.argv.slice(2);
const gateway = await createGateway(configOf(dataDir), {
  automaticBackups: false,
  auditAtStart: false,
  rateLimit: { burst: 1e9, perSecond: 1e9 },
});
const { url } = await gateway.listen();
process.send?.({ url });
await gateway.whenChecked();
const { keys, background, backups, transactor } = gateway.context;
// The idle lock must not end sessions during long measurements.
await transactor.transact("default", (tx) =>
  tx.updateTable("accounts").set({ idle_lock_minutes: 0 }).execute(),
);
const scope = { accountId: "default", environment: "test" } as const;
const { key } = await keys.create(scope, "bench");

const ALL_TIME = { startGte: 0, endLt: 4e12 };

const WORK = {
  memory: async () => {},
  report: () =>
    background.run("writeReport", {
      database: databaseFile(dataDir),
      dataDir,
      fileName: "bench.csv",
      scope,
      period: ALL_TIME,
    }),
  backup: () => backups.make(),
  audit: async () => {
    const { clean } = await background.run("audit", { database: databaseFile(dataDir) });
    if (!clean) throw new Error("the books are not in order");
  },
};

export type Work = keyof typeof WORK;
export interface WorkDone {
  took_ms: number;
  delayP99_ms: number;
  rss_bytes: number;
  grown_bytes: number;
}

const LOOK_MS = 20;

async function measure(work: Work): Promise<void> {
  const before = process.memoryUsage.rss();
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, LOOK_MS);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const began = performance.now();
  await WORK[work]();
  const took_ms = performance.now() - began;
  delays.disable();
  clearInterval(look);
  const delayP99_ms = delays.percentile(99) / 1e6;
  const rss_bytes = process.memoryUsage.rss();
  const done: WorkDone = { took_ms, delayP99_ms, rss_bytes, grown_bytes: most - before };
  process.send?.(done);
}

process.on("message", (work: Work) => {
  void measure(work);
});
process.on("disconnect", () => {
  void gateway.close().then(() => process.exit());
});
process.send?.({ key });
