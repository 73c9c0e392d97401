/**
 * A gateway over the database of a data directory, in a process of its own: sends its address and a
 * key, then does what each message names and answers how long it took, and what memory the process
 * has.
 */
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
const { keys, background, backups, transactor } = gateway.context;
// Nobody is away while others are asked.
await transactor.transact((tx) =>
  tx.updateTable("accounts").set({ idle_lock_minutes: 0 }).execute(),
);
const scope = { accountId: "default", environment: "test" } as const;
const { key } = await keys.create(scope, "bench");

const WORK = {
  memory: async () => {},
  backup: () => backups.make(),
  audit: async () => {
    const { clean } = await background.run("audit", { file: databaseFile(dataDir) });
    if (!clean) throw new Error("the books are not in order");
  },
};

/** What a message names. */
export type Work = keyof typeof WORK;
/** How long it took, and the resident memory afterwards. */
export interface WorkDone {
  took_ms: number;
  rss_bytes: number;
}

process.on("message", (work: Work) => {
  const began = performance.now();
  void WORK[work]().then(() => {
    const took_ms = performance.now() - began;
    process.send?.({ took_ms, rss_bytes: process.memoryUsage.rss() } satisfies WorkDone);
  });
});
process.on("disconnect", () => {
  void gateway.close().then(() => process.exit());
});
process.send?.({ url, key });
