import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CHECKED } from "../db/checksums.ts";
import { openDatabaseFile } from "../db/database.ts";
import { databaseFile } from "../db/database-files.ts";
import { createGateway, type Gateway } from "../index.ts";
import { SECOND } from "../lib/clock.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "../testing/first-day.ts";
import { Random } from "../testing/simulation/random.ts";
import { startTestGateway } from "../testing/test-gateway.ts";
import { openTill } from "../testing/test-till.ts";

/**
 * Damages a database as a failing disk does. Each time, either the start is refused, the error is
 * reported, or money and fulfilment are unaffected. Changed offers are not sold.
 */
const DAMAGES = Number(process.env.DAMAGES ?? 12);
const OFFER = "TIGO_GT_TOPUP_25";

let root: string;
let sound: Buffer;
let key: string;
let truth: Dump;
/** Offsets of sales and offers in the database file. */
let places: number[];

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "tillgate-damaged-"));
  const till = await startTestGateway();
  key = till.key("test");
  const session = await openTill(till);
  for (let n = 0; n < 12; n++) {
    await session.sell([{ offerId: OFFER, recipientPhoneNumber: `+502512345${10 + n}` }]);
  }
  await session.sell([{ offerId: OFFER, recipientPhoneNumber: "+50251239001" }]);
  await till.v1("POST", "/esim/purchases", { offerId: "AIRALO_ES_1GB_7D", transactionId: "esim" });
  await till.advance(20 * SECOND);
  await till.gateway.close();
  sound = readFileSync(databaseFile(till.dataDir));
  await till.close();
  truth = await dump(Buffer.from(sound));
  places = [`"${OFFER}"`, "+502512345", '"offerId":"', '"price":{'].flatMap((text) => find(text));
  expect(places.length).toBeGreaterThan(1_000);
}, 300_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

function find(text: string): number[] {
  const found: number[] = [];
  for (let at = sound.indexOf(text); at >= 0; at = sound.indexOf(text, at + 1)) found.push(at);
  return found;
}

const PAGE_BYTES = 4_096;

/** Replaces a page or part of a page with noise, flips a bit, or changes a digit inside a value. */
function damage(seed: number): Buffer {
  const random = new Random(seed);
  const file = Buffer.from(sound);
  const page = random.integer(1, file.length / PAGE_BYTES - 1) * PAGE_BYTES;
  const noise = (length: number) =>
    Buffer.from(Array.from({ length }, () => random.integer(0, 255)));
  switch (seed % 4) {
    case 0:
      noise(PAGE_BYTES).copy(file, page);
      return file;
    case 1:
      noise(64).copy(file, page + random.integer(64, PAGE_BYTES - 64));
      return file;
    case 2: {
      const at = random.integer(PAGE_BYTES, file.length - 1);
      file[at] = file[at]! ^ (1 << random.integer(0, 7));
      return file;
    }
    default:
      return changeDigit(file, random);
  }
}

function changeDigit(file: Buffer, random: Random): Buffer {
  for (;;) {
    const from = random.pick(places);
    for (let at = from + random.integer(0, 400); at < from + 800; at++) {
      const digit = file[at]! - 0x30;
      if (digit < 0 || digit > 9) continue;
      file[at] = 0x30 + ((digit + random.integer(1, 9)) % 10);
      return file;
    }
  }
}

type Dump = Record<string, string[]>;

/**
 * Columns in which every change must be detected: columns with checksums, and the ledger's columns.
 */
const COLUMNS: Record<string, string[]> = {
  ...CHECKED,
  ledger_accounts: ["environment", "name", "balance"],
  ledger_postings: ["posting_id", "transaction_id", "kind"],
  ledger_entries: ["posting_id", "name", "amount", "balance_after"],
  sale_tenders: ["sale_id", "position", "amount"],
};

async function dump(file: Buffer): Promise<Dump> {
  const copy = join(root, "copy.db");
  writeFileSync(copy, file);
  const db = openDatabaseFile(copy, "read");
  try {
    const content: Dump = {};
    for (const [table, columns] of Object.entries(COLUMNS)) {
      const { rows } = await sql<object>`
        select ${sql.raw(columns.join(", "))} from ${sql.table(table)} not indexed`.execute(db);
      content[table] = rows.map((row) => JSON.stringify(row)).toSorted();
    }
    return content;
  } finally {
    await db.destroy();
  }
}

async function changedOffers(content: Dump): Promise<string[]> {
  const known = new Set(truth.offers);
  return (content.offers ?? [])
    .filter((row) => !known.has(row))
    .map((row) => String((JSON.parse(row) as { offer_id: unknown }).offer_id));
}

async function buy(url: string, offerId: string): Promise<number> {
  const response = await fetch(`${url}/v1/topups/purchases`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      offerId,
      transactionId: "after-damage",
      recipientPhoneNumber: "+50251234567",
    }),
  });
  return response.status;
}

const verdicts: Record<string, number> = { refused: 0, told: 0, unchanged: 0 };

it.each(Array.from({ length: DAMAGES }, (_, seed) => seed))(
  "damage %i is refused, reported or harmless",
  async (seed) => {
    const file = damage(seed);
    const content = await dump(file).catch(() => undefined);
    const isChanged = JSON.stringify(content) !== JSON.stringify(truth);
    const dataDir = mkdtempSync(join(root, "data-"));
    writeFileSync(databaseFile(dataDir), file);
    const clock = new FakeClock();
    let gateway: Gateway | undefined;
    try {
      gateway = await createGateway(testConfig(dataDir), {
        clock,
        ...TEST_OVERRIDES,
        auditAtStart: true,
      });
      const { url } = await gateway.listen();
      for (const offerId of (content && (await changedOffers(content))) ?? []) {
        expect(await buy(url, offerId)).not.toBe(200);
      }
      clock.set(clock.now() + 20 * SECOND);
      await gateway.context.storage.idle();
      const { books } = await gateway.context.storage.getState();
      if (isChanged) expect(books).toBe("not in order");
      verdicts[isChanged ? "told" : "unchanged"]! += 1;
    } catch (error) {
      expect(String(error)).toMatch(/cannot be used|cannot start/);
      verdicts.refused! += 1;
    } finally {
      await gateway?.close().catch(() => undefined);
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);

it("each of the three outcomes of damage occurred", () => {
  expect(verdicts.refused).toBeGreaterThan(0);
  expect(verdicts.told).toBeGreaterThan(0);
});
