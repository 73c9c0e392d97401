import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Context, createContext } from "../../server/gateway/context.ts";
import { testConfig } from "../../server/testing/first-day.ts";

/** Cost of PIN hashes. Low, because end-to-end tests enter many PINs. */
const PIN_COST = 4;

export async function makeFirstDay(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "tillgate-e2e-"));
  await inShop(dataDir, async () => {});
  return dataDir;
}

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
