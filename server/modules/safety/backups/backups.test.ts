import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "../../../lib/clock.ts";
import { verifyBackupIn } from "../../../testing/backup-files.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { repeatPurchase } from "../../../testing/many-sales.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { listBackupFiles, readBackupState } from "./index.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway({ automaticBackups: true });
});
afterEach(() => till.close());

function backupDir(): string {
  return join(till.dataDir, "backups");
}

async function names(): Promise<string[]> {
  return (await listBackupFiles(backupDir())).map(({ name }) => name);
}

function state() {
  return readBackupState({ dataDir: till.dataDir, backupDir: backupDir() });
}

async function buy(transactionId: string): Promise<void> {
  const body = {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId,
    recipientPhoneNumber: "+50251234567",
  };
  expect((await till.v1("POST", "/topups/purchases", body)).status).toBe(200);
  await till.settle();
}

describe("hourly backups", () => {
  it("start an hour after the first start, repeat hourly, and are verified and readable only by their owner", {
    tags: ["thorough"],
  }, async () => {
    await buy("sold");
    await till.advance(HOUR - 1);
    expect(await names()).toEqual([]);
    await till.advance(1);
    expect(await names()).toEqual(["tillgate-20260115T103000Z.backup"]);
    await till.advance(2 * HOUR);
    expect(await names()).toHaveLength(3);
    expect(readdirSync(backupDir())).toHaveLength(3);
    for (const { file } of await listBackupFiles(backupDir())) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(await verifyBackupIn(till.dataDir, file)).toMatchObject({
        problems: [],
        outdated: false,
      });
    }
    expect(readdirSync(backupDir())).toHaveLength(3);
  });

  it("follow an hour of running time after the previous backup, even across restarts", async () => {
    await till.advance(40 * MINUTE);
    await till.restart();
    await till.advance(20 * MINUTE);
    expect(await names()).toEqual(["tillgate-20260115T103000Z.backup"]);
  });

  it("stay at one per hour after clock jumps", {
    tags: ["thorough"],
  }, async () => {
    await till.advance(HOUR);
    till.clock.set(till.clock.now() + 365 * DAY);
    await till.settle();
    expect(await names()).toHaveLength(2);
    await till.advance(2 * HOUR);
    expect(await names()).toHaveLength(4);

    till.clock.set(till.clock.now() - 366 * DAY);
    till.gateway.context.jobs.wake();
    await till.settle();
    expect(await names()).toHaveLength(4);
    await till.advance(HOUR + MINUTE);
    expect((await names()).toSorted()).toEqual([
      "tillgate-20260114T133000Z.backup",
      "tillgate-20260115T103000Z.backup",
      "tillgate-20270115T103000Z.backup",
      "tillgate-20270115T113000Z.increment",
      "tillgate-20270115T123000Z.increment",
    ]);
  });

  it("continue if the clock was set back before a start", async () => {
    await till.advance(HOUR);
    till.clock.set(till.clock.now() - 30 * DAY);
    await till.restart();
    await till.advance(HOUR);
    expect((await names()).at(-1)).toBe("tillgate-20251216T113000Z.backup");
  });

  it("can be requested, and start after the commit of the request", async () => {
    const { backups, transactor } = till.gateway.context;
    await transactor.transact("default", (tx) => backups.request(tx, "shift"));
    await till.settle();
    expect(await names()).toEqual(["tillgate-20260115T093000Z.backup"]);
    await transactor.transact("default", (tx) => backups.request(tx, "shift"));
    await till.settle();
    expect(await names()).toHaveLength(2);
  });
});

describe("a backup made while the till sells", () => {
  it("contains each purchase completely or not at all, and does not block the till", async () => {
    const made = till.gateway.context.backups.make();
    const sold = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        till.v1("POST", "/topups/purchases", {
          offerId: "TIGO_GT_TOPUP_25",
          transactionId: `during-${n}`,
          recipientPhoneNumber: "+50251234567",
        }),
      ),
    );
    expect(sold.every(({ status }) => status === 200)).toBe(true);
    const { file } = await made;
    expect((await verifyBackupIn(till.dataDir, file)).problems).toEqual([]);
    await till.expectCleanBooks();
  });
});

it("a backup of many sales uses almost no CPU time of the gateway's main thread", async () => {
  const { transactor, recharges, backups } = till.gateway.context;
  const test = { accountId: "default", environment: "test" } as const;
  await transactor.transact("default", (tx) => recharges.rechargeSandbox(tx, test, 1_000_000_000));
  await buy("sold");
  await till.advance(MINUTE);
  await transactor.transact("default", (tx) => repeatPurchase(tx, "sold", 2_000));
  const all = process.cpuUsage();
  const own = process.threadCpuUsage();
  await backups.make();
  const { user, system } = process.threadCpuUsage(own);
  const total = process.cpuUsage(all);
  // CPU time, unlike elapsed time, is the same on a busy machine.
  expect(user + system).toBeLessThan((total.user + total.system) / 4);
});

describe("a failed backup", () => {
  it("leaves no file if the books violate an invariant, and is reported and repeated", async () => {
    const { db } = till.gateway.context;
    await sql`update ledger_accounts set balance = balance + 1
      where environment = 'test' and name = 'wallet.available'`.execute(writerOf(db));
    await till.advance(HOUR);
    expect(readdirSync(backupDir())).toEqual([]);
    expect((await state()).failure).toMatch(/the copy is not good: every balance is the sum/);
    expect((await till.gateway.context.backups.getState()).failure).toBeDefined();

    await sql`update ledger_accounts set balance = balance - 1
      where environment = 'test' and name = 'wallet.available'`.execute(writerOf(db));
    await till.advance(5 * MINUTE);
    expect(await names()).toHaveLength(1);
    expect((await state()).failure).toBeUndefined();
  });

  it("reports a missing disk, writes nothing elsewhere, and is repeated when the disk returns", async () => {
    mkdirSync(join(till.dataDir, "elsewhere"));
    const { context } = till.gateway;
    context.config.backupDir = join(till.dataDir, "elsewhere", "disk");
    await till.advance(HOUR);
    expect((await context.backups.getState()).failure).toMatch(/No backup could be made in .*disk/);
    expect(existsSync(context.config.backupDir)).toBe(false);

    mkdirSync(context.config.backupDir);
    await till.advance(5 * MINUTE);
    expect((await context.backups.getState()).failure).toBeUndefined();
    expect(await listBackupFiles(context.config.backupDir)).toHaveLength(1);
  });
});
