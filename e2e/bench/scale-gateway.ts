/**
 * A gateway over the database of a data directory, in a process of its own: sends its address as soon as
 * it listens, and a key once it has checked the database; then does what each message names and
 * answers how long it took, how late its own thread was meanwhile, and what memory the process has.
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
// Nobody is away while others are asked.
await transactor.transact("default", (tx) =>
  tx.updateTable("accounts").set({ idle_lock_minutes: 0 }).execute(),
);
const scope = { accountId: "default", environment: "test" } as const;
const { key } = await keys.create(scope, "bench");

/** Before the first sale and after the last. */
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

/** What a message names. */
export type Work = keyof typeof WORK;
/** How long it took, how late the gateway's thread was, and the resident memory. */
export interface WorkDone {
  took_ms: number;
  delayP99_ms: number;
  rss_bytes: number;
  /** How much more than before it was at most. */
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
