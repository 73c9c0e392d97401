import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PROGRAM_DIR } from "../program.ts";
import { expectAllThere } from "../testing/expect-all-there.ts";
import { type Load, sellBy } from "../testing/load-of-clients.ts";
import { ManyProcesses } from "../testing/many-processes.ts";
import { makeNextVersion, NEXT_MIGRATION, NEXT_VERSION } from "../testing/next-version.ts";
import { createTestDatabase, dropTestDatabase } from "../testing/postgres-database.ts";
import { SOLD } from "../testing/shop-of-processes.ts";
import { VERSION } from "../version.ts";

/**
 * Three processes are replaced with the next version. Its migration changes tables to which sales
 * write.
 */
const CLIENTS = 8;
const ANSWERS = 12;
/** Time limit for seven starts, possibly on a busy machine. */
const WITHIN_MS = 10 * 60_000;

let database: string;
let nextDir: string;
let shop: ManyProcesses;
beforeEach(async () => {
  nextDir = mkdtempSync(join(tmpdir(), "tillgate-next-"));
  makeNextVersion(nextDir);
  database = await createTestDatabase();
  shop = await ManyProcesses.open(database);
});
afterEach(async () => {
  await shop.close();
  await dropTestDatabase(database);
  rmSync(nextDir, { recursive: true, force: true });
});

async function listVersions(): Promise<string[]> {
  return (await shop.askEach("GET", "/readyz")).map(({ body }) => body.version);
}

async function sellAtEach(load: Load): Promise<void> {
  for (const n of shop.processes.keys()) {
    const transactionId = crypto.randomUUID();
    const body = { ...SOLD, transactionId };
    const sold = await shop.askOne(n, "POST", "/v1/topups/purchases", { body });
    expect(sold.status, JSON.stringify(sold.body)).toBe(200);
    load.purchases.add(transactionId);
    const path = `/v1/topups/purchases/${transactionId}`;
    expect((await shop.askOne(n + 1, "GET", path)).body).toMatchObject({ transactionId });
  }
}

async function replace(n: number, load: Load): Promise<void> {
  expect(await shop.end(n, "SIGTERM")).toBe(0);
  await load.more(1);
  await shop.start(n);
  await load.more(ANSWERS);
}

it(
  "the next version, which changes the tables, replaces the processes one by one while all sell",
  async () => {
    shop.follow();
    const load = sellBy(shop, CLIENTS);
    await load.more(ANSWERS);
    expect(await listVersions()).toEqual([VERSION, VERSION, VERSION]);

    shop.programDir = nextDir;
    await replace(0, load);
    expect(await listVersions()).toEqual([NEXT_VERSION, VERSION, VERSION]);
    await sellAtEach(load);
    await replace(1, load);
    await sellAtEach(load);
    await replace(2, load);
    expect(await listVersions()).toEqual([NEXT_VERSION, NEXT_VERSION, NEXT_VERSION]);
    await sellAtEach(load);
    await expectAllThere(shop, load);

    // The previous version still sells, but cannot start again.
    shop.programDir = PROGRAM_DIR;
    const newer = `was made by a newer Tillgate (${NEXT_MIGRATION}). Nothing was changed. Start that version or a later one.`;
    await shop.end(0, "SIGTERM");
    await expect(shop.start(0)).rejects.toThrow(newer);
    expect((await shop.command("status")).stderr).toContain(newer);
  },
  WITHIN_MS,
);
