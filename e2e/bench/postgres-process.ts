/**
 * A gateway on a shared PostgreSQL, in a separate process. Takes a data directory with the shared
 * key file, and the database's address. Sends its own address, then answers each message with its
 * resource use.
 */
import { createGateway } from "../../server/index.ts";
import { TEST_OVERRIDES, testConfig } from "../../server/testing/first-day.ts";

export interface ProcessUse {
  readonly cpu_ms: number;
  readonly statements: number;
  readonly roundTrips: number;
}

const [dataDir = "", database = ""] = process.argv.slice(2);
let statements = 0;
let roundTrips = 0;
const gateway = await createGateway(testConfig(dataDir, database), {
  ...TEST_OVERRIDES,
  rateLimit: { burst: 1e9, perSecond: 1e9 },
  onStatement(_text, isFirst = true) {
    statements += 1;
    if (isFirst) roundTrips += 1;
  },
});
const { url } = await gateway.listen();

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu_ms: (user + system) / 1e3, statements, roundTrips } satisfies ProcessUse);
});
process.on("disconnect", () => {
  void gateway.close().then(() => process.exit());
});
process.send?.(url);
