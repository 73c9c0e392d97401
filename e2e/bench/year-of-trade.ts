/**
 * `npm run bench:year`: makes a shop with a year of trade, requests every page of figures, and
 * sells 50 times a second with and without an owner who reads them.
 *
 * Makes 120,000 sales over 365 days (`-- --sales 10000 --days 31` sets other numbers). `--keep DIR`
 * stores the data directory; a gateway over it needs a clock in that year.
 */
import { cpSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { randomIds } from "../../server/lib/ids.ts";
import { startGatewayAfter } from "../../server/testing/test-gateway.ts";
import { figurePages, makeYear } from "../../server/testing/year-of-trade.ts";
import { median } from "./quantile.ts";
import { measureSalesBesideFigures } from "./sales-beside-figures.ts";

const ROUNDS = 15;
const { values } = parseArgs({
  options: {
    sales: { type: "string", default: "120000" },
    days: { type: "string", default: "365" },
    keep: { type: "string" },
  },
});

const gateway = await startGatewayAfter(undefined, { ids: randomIds });
try {
  const began = performance.now();
  const plan = { count: Number(values.sales), days: Number(values.days) };
  const { owner, firstDay, lastDay } = await makeYear(gateway, plan);
  const took_s = (performance.now() - began) / 1e3;
  console.log(`${plan.count} sales from ${firstDay} to ${lastDay}: made in ${took_s.toFixed(0)} s`);
  for (const [name, path] of Object.entries(figurePages(firstDay, lastDay))) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const asked = performance.now();
      const { status } = await owner.pos("GET", path);
      if (status !== 200) throw new Error(`${path}: ${status}`);
      times.push(performance.now() - asked);
    }
    console.log(`${name.padEnd(24)}${median(times).toFixed(1).padStart(10)} ms`);
  }
  await gateway.gateway.close();
  if (values.keep !== undefined) cpSync(gateway.dataDir, resolve(values.keep), { recursive: true });
  const pages = Object.values(figurePages(firstDay, lastDay));
  await measureSalesBesideFigures(gateway.dataDir, gateway.clock.now(), pages);
} finally {
  await gateway.close();
}
