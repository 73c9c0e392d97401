/**
 * A gateway in a separate process. Takes the gateway's checkout and a data directory. Sends its
 * address and a key, then answers each message with its resource use. With `--anew`, each request
 * rereads the database, as after a commit. With `--no-request-log`, no request is recorded.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [root = "", dataDir = ""] = process.argv.slice(2);
const index = pathToFileURL(join(root, "server/index.ts")).href;
const { createGateway } = (await import(index)) as typeof import("../../server/index.ts");
const SCOPE = { accountId: "default", environment: "test" } as const;

export interface GatewayUse {
  /** Processor time of the whole process, in milliseconds. */
  cpu_ms: number;
  unfinished: number;
  statements: number;
  commits: number;
}

let statements = 0;
let commits = 0;
const isCounting = process.argv.includes("--count");
const gateway = await createGateway(
  {
    dataDir,
    backupDir: join(dataDir, "backups"),
    host: "127.0.0.1",
    port: 0,
    rendererDir: join(dataDir, "no-pages"),
    resourcesDir: join(root, "resources"),
    logFile: undefined,
    logLevel: "silent",
    allowedHosts: [],
  },
  {
    automaticBackups: false,
    auditAtStart: false,
    recordsRequests: !process.argv.includes("--no-request-log"),
    rateLimit: { burst: 1e9, perSecond: 1e9 },
    ...(isCounting && {
      onStatement(sql: string) {
        statements += 1;
        if (/^commit/i.test(sql)) commits += 1;
      },
    }),
  },
);
if (process.argv.includes("--anew")) {
  let asked = 0;
  gateway.context.watch.commits = () => ++asked;
}
const { url } = await gateway.listen();
const { transactor, recharges, keys, db } = gateway.context;
await transactor.transact("default", (tx) => recharges.rechargeSandbox(tx, SCOPE, 1e12));
const { key } = await keys.create(SCOPE, "bench");

async function readUse(): Promise<GatewayUse> {
  const { user, system } = process.cpuUsage();
  const before = { statements, commits };
  const { unfinished } = await db
    .selectFrom("transactions")
    .select((eb) => eb.fn.countAll<number>().as("unfinished"))
    .where("status", "not in", ["DONE", "FAILED"])
    .executeTakeFirstOrThrow();
  return { cpu_ms: (user + system) / 1e3, unfinished, ...before };
}

process.on("message", () => {
  void readUse().then((use) => process.send?.(use));
});
process.on("disconnect", () => {
  void gateway.close().then(() => process.exit());
});
process.send?.({ url, key });
