/** A shop's data directory before an end-to-end test, written without starting a gateway. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Context, createContext } from "../../server/gateway/context.ts";
import { testConfig } from "../../server/testing/first-day.ts";

/** A cheap hash, because every test types PINs; the real one has its own tests. */
const PIN_COST = 4;

/** Makes a directory in which a gateway was started once. */
export async function makeFirstDay(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "tillgate-e2e-"));
  await inShop(dataDir, async () => {});
  return dataDir;
}

/** Changes the books of a shop, whether its gateway runs or not. */
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
