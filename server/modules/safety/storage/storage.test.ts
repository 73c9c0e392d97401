import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type RawBuilder, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabaseFile } from "../../../db/database.ts";
import { databaseFile } from "../../../db/database-files.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { decryptBackupIn } from "../../../testing/backup-files.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { onlySqlite, SERVER_KEEPS } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";
import { VERSION } from "../../../version.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway({ auditAtStart: true });
});
afterEach(() => till.close());

const OFFER = "TIGO_GT_TOPUP_25";

function buy(transactionId: string, recipientPhoneNumber = "+50251234567") {
  const body = { offerId: OFFER, transactionId, recipientPhoneNumber };
  return till.v1("POST", "/topups/purchases", body);
}

/** Changes the file while the gateway is closed, as a failing disk does. */
async function damage(statement: RawBuilder<unknown>): Promise<void> {
  await till.gateway.close();
  const db = openDatabaseFile(databaseFile(till.dataDir), "write");
  const { numAffectedRows } = await statement.execute(db);
  expect(numAffectedRows).toBe(1n);
  await db.destroy();
  await till.restart();
}

async function moveBalance(by: number): Promise<void> {
  await sql`update ledger_accounts set balance = balance + ${by}
    where name = 'wallet.available' and environment = 'test'`.execute(
    writerOf(till.gateway.context.db),
  );
  await till.restart();
}

async function audit(): Promise<void> {
  await till.advance(20 * SECOND);
  await till.gateway.context.storage.idle();
}

const READY = { status: "ready", version: VERSION, missing: false };

async function ready() {
  return (await till.call("GET", "/readyz")).body;
}

async function signInAgain(session: TestTill): Promise<TestTill> {
  return session.signIn(session.staffId, OWNER_PIN, { shift: false });
}

describe("the audit after a start", () => {
  it("reports the books as not audited until it ends, and as in order after that", async () => {
    expect(await ready()).toEqual({ ...READY, books: "not checked yet" });
    await audit();
    expect(await ready()).toEqual({ ...READY, books: "in order" });
  });

  it("reports violations to monitoring and to the owner until they are fixed", {
    tags: ["thorough"],
  }, async () => {
    const owner = await openTill(till);
    const clerk = (await owner.pos("POST", "/staff", { name: "Ana", role: "clerk", pin: "258025" }))
      .body;
    await buy("sold");
    await till.advance(MINUTE);
    await moveBalance(1);
    await audit();
    expect(await ready()).toMatchObject({ status: "ready", books: "not in order" });
    const olga = await signInAgain(owner);
    expect((await olga.pos("GET", "/storage")).body).toEqual({
      booksBroken: { foundAt: expect.any(String) },
    });
    const ana = await olga.signIn(clerk.staffId, "258025", { shift: false });
    expect((await ana.pos("GET", "/storage")).body).toEqual({});

    await moveBalance(-1);
    // The finding stays open until the next audit.
    expect(await ready()).toMatchObject({ books: "not in order" });
    await audit();
    expect(await ready()).toMatchObject({ books: "in order" });
  });
});

it("an audit that cannot read the database file reports this to monitoring and to the owner", async () => {
  await till.close();
  const error = { message: "the disk image is malformed", code: "SQLITE_CORRUPT", syscall: "" };
  const outcome = Promise.resolve({ error });
  const startErrand = () => ({ outcome, gone: outcome });
  till = await startTestGateway({ auditAtStart: true, startErrand });
  const owner = await openTill(till);
  await audit();
  expect(await ready()).toMatchObject({ books: "not in order" });
  expect((await owner.pos("GET", "/storage")).body).toEqual({
    booksBroken: { foundAt: expect.any(String) },
  });
});

it("a gateway can be stopped during an audit", async () => {
  for (let n = 0; n < 3; n++) {
    till.clock.set(till.clock.now() + 20 * SECOND);
    await till.restart();
  }
  expect((await till.call("GET", "/healthz")).status).toBe(200);
});

describe("a value changed by a disk error", onlySqlite(SERVER_KEEPS), () => {
  it("prevents the sale of an offer until the catalog is written again", async () => {
    await damage(sql`update offers set offer_json = replace(offer_json, '"25 ', '"52 ')
      where environment = 'test' and offer_id = ${OFFER}`);
    const refused = await buy("wrong");
    expect(refused.body.errorCode).toBe("OFFER_NOT_FOUND");
    const other = { offerId: "CLARO_GT_TOPUP_50", transactionId: "right" };
    const sale = { ...other, recipientPhoneNumber: "+50231234567" };
    expect((await till.v1("POST", "/topups/purchases", sale)).status).toBe(200);
  });

  it("stops an open purchase with a changed phone number", async () => {
    await buy("waits", "+50251239004");
    await till.advance(MINUTE);
    const orders = () =>
      sql<{ submissions: number }>`select submissions from simulator_orders`.execute(
        till.gateway.context.db,
      );
    const { rows: before } = await orders();
    await damage(sql`update purchases set recipient = '+50251239005'
      where transaction_id = 'waits'`);
    await till.advance(HOUR);
    expect((await orders()).rows).toEqual(before);
    const answer = await till.v1("GET", "/topups/purchases/waits");
    expect(answer.status).toBe(503);
    expect(answer.body.message).toMatch(/a fault of the disk changed what was stored of it/);
  });

  it("can be detected even if another column of the row was written later", async () => {
    await buy("sold");
    await till.advance(MINUTE);
    await damage(sql`update purchases set price_base = price_base + 1
      where transaction_id = 'sold'`);
    const { db } = till.gateway.context;
    await writerOf(db)
      .updateTable("purchases")
      .set({ fulfilment_json: null })
      .where("transaction_id", "=", "sold")
      .execute();
    expect((await till.v1("GET", "/topups/purchases/sold")).status).toBe(503);
  });
});

describe("a database older than the last commit", onlySqlite(SERVER_KEEPS), () => {
  async function keepDatabase(): Promise<string> {
    const { file } = await till.gateway.context.backups.make();
    const older = `${file}.plain`;
    await decryptBackupIn(till.dataDir, file, older);
    return older;
  }

  /** Restores the database from before the last sales, as if the write-ahead log were lost. */
  async function loseSales(): Promise<TestTill> {
    const owner = await openTill(till);
    const older = await keepDatabase();
    await till.advance(HOUR);
    for (const id of ["lost-1", "lost-2", "lost-3"]) expect((await buy(id)).status).toBe(200);
    await till.advance(MINUTE);
    await till.gateway.close();
    for (const suffix of ["-wal", "-shm"]) {
      rmSync(databaseFile(till.dataDir) + suffix, { force: true });
    }
    copyFileSync(older, databaseFile(till.dataDir));
    await till.restart();
    return owner;
  }

  it("reports the number and the period of missing sales to the owner", {
    tags: ["thorough"],
  }, async () => {
    const owner = await loseSales();
    expect((await buy("lost-1")).status).toBe(200);
    expect(await ready()).toMatchObject({ missing: true });
    const olga = await signInAgain(owner);
    const { missing } = (await olga.pos("GET", "/storage")).body;
    expect(missing).toMatchObject({
      transactions: 3,
      since: "2026-01-15T09:30:00.000Z",
      until: "2026-01-15T10:30:01.000Z",
    });
    expect(missing.changes).toBeGreaterThan(3);

    // A restart does not count the finding's sales again.
    await till.restart();
    expect(await ready()).toMatchObject({ missing: true });
    expect((await olga.pos("POST", "/storage/missing/seen")).body).toEqual({});
    expect((await olga.pos("POST", "/storage/missing/seen")).status).toBe(404);
    await till.restart();
    expect(await ready()).toMatchObject({ missing: false });
    const { list } = (await olga.pos("GET", "/audit-trail?limit=50")).body;
    expect(list.map(({ action }: { action: string }) => action)).toContain("storage.missing-seen");
  });

  it("adds newly missing sales to earlier ones that the owner has not confirmed", {
    tags: ["thorough"],
  }, async () => {
    await loseSales();
    const older = await keepDatabase();
    await buy("lost-4");
    await till.gateway.close();
    copyFileSync(older, databaseFile(till.dataDir));
    for (const suffix of ["-wal", "-shm"]) {
      rmSync(databaseFile(till.dataDir) + suffix, { force: true });
    }
    await till.restart();
    const [finding] = (await till.gateway.context.storage.getState()).findings;
    expect(finding).toMatchObject({ kind: "MISSING", detail: { transactions: 4 } });
  });

  it("reports nothing if the witness file is lost, older or damaged", async () => {
    await buy("sold");
    await till.gateway.close();
    rmSync(join(till.dataDir, "tillgate.db-commits"));
    await till.restart();
    expect(await ready()).toMatchObject({ missing: false });
  });
});
