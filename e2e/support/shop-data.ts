/** What is in a shop's data directory before a journey begins, written without starting a gateway. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Context, createContext } from "../../server/gateway/context.ts";
import { testConfig } from "../../server/testing/first-day.ts";

/** A cheap hash, since every journey types PINs; the real one has tests of its own. */
const PIN_COST = 4;

/** A directory in which a gateway was started once. */
export async function makeFirstDay(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "tillgate-e2e-"));
  await inShop(dataDir, async () => {});
  return dataDir;
}

/** Does something in the books of a shop, whether or not its gateway runs. */
export async function inShop<Result>(
  dataDir: string,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const context = await createContext(testConfig(dataDir), { pinCost: PIN_COST });
  try {
    return await work(context);
  } finally {
    await context.dispose();
  }
}
