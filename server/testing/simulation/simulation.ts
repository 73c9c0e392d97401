import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeClock } from "../fake-clock.ts";
import { checkCounter } from "./counter-checks.ts";
import { checkEnd } from "./end-checks.ts";
import { Random } from "./random.ts";
import { SimulatedDay } from "./simulated-day.ts";
import { SimulatedProvider } from "./simulated-provider.ts";
import { SimulatedReceiver } from "./simulated-receiver.ts";
import { SimulatedShop } from "./simulated-shop.ts";
import type { TemplateShop } from "./template-shop.ts";

export interface Run {
  seed: number;
  trace: string[];
  /** Errors: empty after a correct run. */
  faults: string[];
}

const ACTIONS = 29;

/**
 * Runs a shop through some simulated days of random purchases, provider errors, crashes, clock
 * jumps, recharges and refunds, and checks the result. The seed determines the whole run.
 * @param visit receives the data directory of the closed shop
 */
export async function simulate(
  seed: number,
  template: TemplateShop,
  visit?: (dataDir: string) => Promise<void>,
): Promise<Run> {
  const random = new Random(seed);
  const clock = new FakeClock();
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-simulation-"));
  const database = await template.copyTo(dataDir);
  const provider = new SimulatedProvider(new Random(seed ^ 0x5eed), clock);
  const receiver = new SimulatedReceiver(new Random(seed ^ 0xca11));
  const world = { dataDir, database, clock, random, provider, receiver };
  const shop = new SimulatedShop({ ...world, keys: template.keys, server: template.server });
  const day = new SimulatedDay({ ...world, shop, template });
  try {
    await shop.start();
    await day.begin();
    for (let action = 0; action < ACTIONS; action++) await day.act();
    await day.end();
    const faults = [
      ...provider.violations,
      ...(await checkEnd({ shop, provider, receiver }, day.sent)),
      ...(await checkCounter(shop, day.counter)),
    ];
    await shop.stop();
    await visit?.(dataDir);
    return { seed, trace: day.trace, faults };
  } finally {
    if (shop.isRunning) await shop.stop();
    if (database !== undefined) await template.server?.drop(database);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
