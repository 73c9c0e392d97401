import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ShopProcess, startShop } from "./shop-process.ts";

const PROGRAM = "e2e/support/traded-shop-data.ts";

export async function inTradedShop(work: (shop: ShopProcess) => Promise<void>): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "tillgate-traded-"));
  await promisify(execFile)(process.execPath, [PROGRAM, data]);
  const shop = await startShop(data);
  try {
    await work(shop);
  } finally {
    await shop.stop();
    await rm(shop.dataDir, { recursive: true, force: true });
    await rm(data, { recursive: true, force: true });
  }
}
