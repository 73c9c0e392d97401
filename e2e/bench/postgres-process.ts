/**
 * One of several gateways on a PostgreSQL, in a process of its own. Takes a data directory, which has the
 * key file of all, and the address of the database; sends its own address; then answers each message with
 * the processor time that it has used so far, in milliseconds.
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
