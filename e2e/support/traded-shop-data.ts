/**
 * Makes the data of a shop that traded every day until yesterday, with every family, tender and
 * outcome:
 *
 *     node e2e/support/traded-shop-data.ts DIR
 *
 * A separate program, because it needs the gateway of the tests. The owner is Olga.
 */
import { cpSync } from "node:fs";
import { DAY, HOUR } from "../../server/lib/clock.ts";
import { randomIds } from "../../server/lib/ids.ts";
import { startGatewayAfter } from "../../server/testing/test-gateway.ts";
import { makeYear } from "../../server/testing/year-of-trade.ts";

const DAYS = 40;
const SALES = 1_600;
const [, , keep] = process.argv;
if (keep === undefined) throw new Error("Usage: node e2e/support/traded-shop-data.ts DIR");

const gateway = await startGatewayAfter(undefined, { ids: randomIds });
try {
  const today = Math.floor(Date.now() / DAY) * DAY;
  gateway.clock.set(today - (DAYS + 1) * DAY - HOUR);
  await makeYear(gateway, { count: SALES, days: DAYS });
  await gateway.gateway.close();
  cpSync(gateway.dataDir, keep, { recursive: true });
} finally {
  await gateway.close();
}
