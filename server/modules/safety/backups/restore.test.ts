import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Db, openDatabaseFile } from "../../../db/database.ts";
import { copyDatabase, databaseFile } from "../../../db/database-files.ts";
import { createTransactor } from "../../../db/transactor.ts";
import { DEFAULT_ACCOUNT } from "../../../index.ts";
import { HOUR, SECOND } from "../../../lib/clock.ts";
import type { Provider } from "../../../providers/provider.ts";
import { Simulator } from "../../../providers/simulator/simulator.ts";
import { decryptBackupIn } from "../../../testing/backup-files.ts";
import { openEmptyFile } from "../../../testing/empty-database.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { finishRestore } from "./index.ts";
import { restoreBackup } from "./restore.ts";

/** The provider has its own database, which a restore of the shop does not change. */
let providerDir: string;
let providerDb: Db;
let simulator: Simulator;
let till: TestGateway;

beforeEach(async () => {
  await openProvider();
  const provider: Provider = {
    submit: (order, signal) => simulator.submit(order, signal),
    inquire: (order) => simulator.inquire(order),
    refund: (order) => simulator.refund(order),
    readEsim: (esim) => simulator.readEsim(esim),
    findBill: (query) => simulator.findBill(query),
  };
  till = await startTestGateway({ providers: { test: provider } });
  simulator = new Simulator({
    db: providerDb,
    transactor: createTransactor(providerDb),
    clock: till.clock,
  });
});
afterEach(async () => {
  await till.close();
  await providerDb.destroy();
  rmSync(providerDir, { recursive: true });
});

async function openProvider(): Promise<void> {
  providerDir = mkdtempSync(join(tmpdir(), "tillgate-provider-"));
  providerDb = await openEmptyFile(providerDir);
}

async function submissions(): Promise<number> {
  const rows = await providerDb.selectFrom("simulator_orders").select("submissions").execute();
  return rows.reduce((sum, row) => sum + row.submissions, 0);
}

/**
 * Copies the database after every commit.
 * @returns function that lists one copy for each state of the purchase
 */
function backUpEveryCommit(): { files(): Promise<string[]> } {
  const copies: Promise<string>[] = [];
  let on = true;
  till.gateway.context.transactor.onCommit(() => {
    if (!on) return;
    const file = join(providerDir, `moment-${copies.length}.db`);
    copies.push(copyDatabase(databaseFile(till.dataDir), file).then(() => file));
  });
  return {
    async files() {
      on = false;
      const byState = new Map<string, string>();
      for (const file of await Promise.all(copies)) byState.set(await stateIn(file), file);
      byState.delete("");
      return [...byState.values()];
    },
  };
}

/** Returns the purchase's state; empty if the backup does not contain the purchase. */
async function stateIn(file: string): Promise<string> {
  const db = openDatabaseFile(file, "read");
  const row = await db
    .selectFrom("purchases")
    .innerJoin("transactions", "transactions.transaction_id", "purchases.transaction_id")
    .select(["status", "attempt_state", "attempts"])
    .executeTakeFirst();
  await db.destroy();
  return row ? `${row.status} ${row.attempt_state} ${row.attempts}` : "";
}

function restore(file: string) {
  const { dataDir, clock } = till;
  const now = clock.now();
  return restoreBackup({ dataDir, accountId: DEFAULT_ACCOUNT, file, now, acceptUnsigned: true });
}

async function restoreAndStart(file: string) {
  await till.gateway.close();
  const restored = await restore(file);
  await till.restart();
  await till.settle();
  return restored;
}

async function buy(recipientPhoneNumber: string): Promise<void> {
  const body = { offerId: "TIGO_GT_TOPUP_25", transactionId: "sold", recipientPhoneNumber };
  expect((await till.v1("POST", "/topups/purchases", body)).status).toBe(200);
  await till.settle();
}

async function find() {
  const answer = await till.v1("GET", "/topups/purchases/sold");
  return answer.status === 404 ? undefined : answer.body;
}

describe("a restore to any moment before a purchase was delivered", () => {
  it.each([
    ["delivered at once", "+50251234567", 1],
    ["delivered at the third attempt", "+50251239003", 3],
    ["delivered without an answer", "+50251239005", 1],
  ])(
    "delivers and charges the purchase once: %s",
    async (_case, recipient, sent) => {
      const moments = backUpEveryCommit();
      await buy(recipient);
      await till.advance(HOUR);
      expect((await find()).status).toBe("DONE");
      expect(await submissions()).toBe(sent);
      const balance = (await till.v1("GET", "/balance")).body.availableBalance;

      const files = await moments.files();
      expect(files.length).toBeGreaterThanOrEqual(2);
      for (const file of files) {
        await restoreAndStart(file);
        expect((await find()).status).toBe("DONE");
        expect(await submissions()).toBe(sent);
        expect((await till.v1("GET", "/balance")).body.availableBalance).toBe(balance);
        await till.expectCleanBooks();
      }
    },
    60_000,
  );
});

describe("a restore to a moment before the provider received a purchase", () => {
  it("submits the purchase exactly once", {
    tags: ["thorough"],
    timeout: 60_000,
  }, async () => {
    const moments = backUpEveryCommit();
    await buy("+50251234567");
    const files = await moments.files();
    for (const file of files) {
      await providerDb.deleteFrom("simulator_orders").execute();
      await restoreAndStart(file);
      await till.advance(SECOND);
      expect((await find()).status).toBe("DONE");
      expect(await submissions()).toBe(1);
      await till.expectCleanBooks();
    }
  });
});

describe("the restore of a backup", () => {
  async function backUp(): Promise<string> {
    return (await till.gateway.context.backups.make()).file;
  }

  it("fails while a gateway runs", async () => {
    const file = await backUp();
    await expect(restore(file)).rejects.toThrow(/Tillgate is running on .*: stop it/);
    expect(readdirSync(till.dataDir).some((name) => name.startsWith("before-restore"))).toBe(false);
  });

  it("fails for an unusable backup, and changes nothing", async () => {
    const file = await backUp();
    await till.gateway.close();
    const before = readFileSync(databaseFile(till.dataDir));
    const cut = join(providerDir, "cut.db");
    copyFileSync(file, cut);
    truncateSync(cut, 40_960);
    const words = join(providerDir, "words.db");
    writeFileSync(words, "This is no database. ".repeat(500));
    const empty = join(providerDir, "empty.db");
    writeFileSync(empty, "");
    for (const bad of [cut, words, empty]) {
      await expect(restore(bad)).rejects.toThrow(/is not good: .*Nothing was done/);
    }
    await expect(restore(join(providerDir, "absent.db"))).rejects.toThrow(/There is no backup/);
    expect(readFileSync(databaseFile(till.dataDir)).equals(before)).toBe(true);
    expect(readdirSync(till.dataDir).toSorted()).toEqual([
      "backup.pages",
      "backups",
      "gateway.lock",
      "secrets.key",
      "tillgate.db",
      "tillgate.db-clean",
      "tillgate.db-commits",
    ]);
    await till.restart();
    await till.expectCleanBooks();
  });

  it("keeps each replaced database under a new name, and ends every session", {
    tags: ["thorough"],
  }, async () => {
    const file = await backUp();
    await buy("+50251234567");
    const first = await restoreAndStart(file);
    expect(await find()).toBeUndefined();
    const second = await restoreAndStart(file);
    expect(first.kept).not.toBe(second.kept);
    // The replaced database is usable and contains the sale.
    await till.gateway.close();
    const kept = await restore(join(first.kept ?? "", "tillgate.db"));
    expect(kept.unfinished).toBe(1);
    await till.restart();
    await till.advance(SECOND);
    expect((await find()).status).toBe("DONE");
    await till.expectCleanBooks();
  });

  it.each(["nothing", "-wal", "-shm", "-commits", "", "all"])(
    "completes at the next start after a power failure that followed the move of %j",
    async (last) => {
      const file = await backUp();
      await buy("+50251234567");
      await till.advance(SECOND);
      await till.gateway.close();
      const target = databaseFile(till.dataDir);
      // Simulates the log files that a crash leaves beside the database.
      writeFileSync(`${target}-wal`, "");
      writeFileSync(`${target}-shm`, "");
      const ready = join(till.dataDir, "tillgate.db.restored-20260115T100000Z");
      const aside = join(till.dataDir, "before-restore-20260115T100000Z");
      await decryptBackupIn(till.dataDir, file, ready);
      const steps = ["-wal", "-shm", "-commits", ""];
      const done = last === "all" ? steps : steps.slice(0, steps.indexOf(last) + 1);
      if (last === "") expect(done).toEqual(steps);
      mkdirSync(aside);
      for (const suffix of done) {
        renameSync(target + suffix, join(aside, `tillgate.db${suffix}`));
      }
      if (last === "all") renameSync(ready, target);

      await till.restart();
      expect(await find()).toBeUndefined();
      await till.expectCleanBooks();
      expect(existsSync(join(aside, "tillgate.db"))).toBe(true);
      expect(existsSync(ready)).toBe(false);
      expect(await finishRestore(till.dataDir)).toBeUndefined();
    },
  );
});
