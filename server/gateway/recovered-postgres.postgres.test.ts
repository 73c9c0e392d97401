import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runCommandLine } from "../admin/command-line.ts";
import { createGateway, type Gateway } from "../index.ts";
import { sealKeyFile } from "../lib/sealer.ts";
import { auditBooks } from "../modules/books/audit/index.ts";
import { TEST_OVERRIDES, testConfig } from "../testing/first-day.ts";
import { createTestDatabase } from "../testing/postgres-database.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../testing/test-till.ts";

/**
 * A shop on PostgreSQL whose computer is lost. A copy of its database and the printed recovery
 * sheet remain.
 */
let shop: TestGateway;
let owner: TestTill;
let machine: Gateway | undefined;
let lostKey: Buffer;

beforeEach(async () => {
  shop = await startTestGateway();
  owner = await openTill(shop, { shopName: "Tienda Sol" });
});
afterEach(async () => {
  await machine?.close();
  machine = undefined;
  await shop.close();
  vi.unstubAllEnvs();
});

async function makeDraft(): Promise<{ kitId: string; phrase: string }> {
  const made = await owner.pos("POST", "/backups/kit", { pin: OWNER_PIN });
  expect(made.status).toBe(200);
  return made.body;
}

async function loseComputer(): Promise<string> {
  const name = new URL(shop.database ?? "").pathname.slice(1);
  lostKey = readFileSync(sealKeyFile(shop.dataDir));
  await shop.gateway.close();
  const copy = await createTestDatabase(name);
  rmSync(sealKeyFile(shop.dataDir));
  return copy;
}

async function writeKey(database: string, phrase: string) {
  const words = join(shop.dataDir, "words.txt");
  writeFileSync(words, phrase);
  vi.stubEnv("TILLGATE_DATABASE", database);
  const said = await runCommandLine(["recovery", "key", "--phrase", words], shop.dataDir);
  vi.unstubAllEnvs();
  return said;
}

it("a PostgreSQL shop can be restored on a clean machine from a dump and the recovery sheet alone", async () => {
  const { kitId, phrase } = await makeDraft();
  expect((await owner.pos("POST", "/backups/kit/confirm", { kitId })).status).toBe(200);
  const sold = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
  expect((await owner.sell([sold])).status).toBe(200);
  const copy = await loseComputer();
  const wrong = await writeKey(copy, phrase.replace(/^\w+/, "notaword"));
  expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining("Word 1")]);
  expect((await writeKey(copy, phrase)).exitCode).toBe(0);
  expect(readFileSync(sealKeyFile(shop.dataDir))).toEqual(lostKey);

  const config = testConfig(shop.dataDir, copy);
  machine = await createGateway(config, { ...TEST_OVERRIDES, clock: shop.clock });
  const { url } = await machine.listen();
  const session = await fetch(`${url}/pos/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ staffId: owner.staffId, pin: OWNER_PIN }),
  });
  expect(session.status).toBe(200);
  const { checks } = await auditBooks(machine.context.db);
  expect(checks.filter(({ violations }) => violations.length > 0)).toEqual([]);
});

it("a PostgreSQL shop's database opens with the earlier recovery sheet until the new sheet is confirmed", async () => {
  const first = await makeDraft();
  await owner.pos("POST", "/backups/kit/confirm", { kitId: first.kitId });
  const second = await makeDraft();
  const copy = await loseComputer();
  for (const { phrase } of [first, second]) {
    rmSync(sealKeyFile(shop.dataDir), { force: true });
    expect((await writeKey(copy, phrase)).exitCode).toBe(0);
    expect(readFileSync(sealKeyFile(shop.dataDir))).toEqual(lostKey);
  }
});
