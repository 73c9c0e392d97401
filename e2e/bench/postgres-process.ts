/**
 * A gateway on a shared PostgreSQL, in a separate process. Takes a data directory with the shared
 * key file, and the database's address. Sends its own address, then answers each message with its
 * processor time in milliseconds.
 */
import { createGateway } from "../../server/index.ts";
import { TEST_OVERRIDES, testConfig } from "../../server/testing/first-day.ts";

const [dataDir = "", database = ""] = process.argv.slice(2);
const gateway = await createGateway(testConfig(dataDir, database), {
  ...TEST_OVERRIDES,
  rateLimit: { burst: 1e9, perSecond: 1e9 },
});
const { url } = await gateway.listen();

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1e3);
});
process.on("disconnect", () => {
  void gateway.close().then(() => process.exit());
});
process.send?.(url);
