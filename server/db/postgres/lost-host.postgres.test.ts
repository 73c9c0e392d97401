import { sql } from "kysely";
import { describe, expect, it, type TestContext } from "vitest";
import { createTestDatabase, dropTestDatabase } from "../../testing/postgres-database.ts";
import { startPostgresProxy } from "../../testing/postgres-proxy.ts";
import type { Db, Tx } from "../database.ts";
import { migrations } from "../migrations/index.ts";
import { createTransactor, type Transactor } from "../transactor.ts";
import { prepareSchema } from "./create-schema.ts";
import { openPostgresDatabase } from "./open-database.ts";

const LOOK_INTERVAL_MS = 50;
/** Takes longer than the checks after which a silent connection is closed. */
const LONG_STATEMENT = sql<{ done: string }>`select 'yes' as done from pg_sleep(1.6)`;
const LOST = expect.objectContaining({ code: "08006" });

/** Opens a gateway's database behind a proxy that can drop all packets. */
async function start({ onTestFinished }: TestContext) {
  const address = await createTestDatabase();
  const direct = await openPostgresDatabase(address);
  await prepareSchema(direct, migrations, { at: 0 });
  for (const account of ["one", "two"]) {
    await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
      values (${account}, 'USD', 100, 0)`.execute(direct);
  }
  await direct.destroy();
  const proxy = await startPostgresProxy(address);
  const db = await openPostgresDatabase(proxy.address, {
    presence: "gateway",
    lookInterval_ms: LOOK_INTERVAL_MS,
  });
  onTestFinished(async () => {
    await db.destroy();
    await proxy.close();
    await dropTestDatabase(address);
  });
  return { db, proxy, transactor: createTransactor(db) };
}

function note(tx: Tx, account: string, subject: string) {
  return tx
    .insertInto("changes")
    .values({ account_id: account, environment: "test", topic: "shop", subject, changed_at: 0 })
    .execute();
}

/** Writes two rows in one transaction; the test causes an event between the writes. */
function writeAround(transactor: Transactor, account: string) {
  const isBegun = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const isDone = transactor.transact(account, async (tx) => {
    await note(tx, account, "before");
    isBegun.resolve();
    await mayGoOn.promise;
    await note(tx, account, "after");
  });
  return {
    begun: isBegun.promise,
    goOn() {
      mayGoOn.resolve();
      return isDone;
    },
  };
}

async function listNotes(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("changes").select("subject").orderBy("subject").execute();
  return rows.map(({ subject }) => subject);
}

describe.concurrent("database whose server disappears without closing connections", () => {
  it("fails work that waits for the server, and accepts work after the server returns", async (test) => {
    const { db, proxy, transactor } = await start(test);
    const lost = writeAround(transactor, "one");
    await lost.begun;
    proxy.losePower({ isBack: true });
    const behind = transactor.transact("one", (tx) => note(tx, "one", "behind"));
    await expect(lost.goOn()).rejects.toEqual(LOST);
    await behind;
    // Old connections are not used any more, although none has reported an error.
    await transactor.transact("two", (tx) => note(tx, "two", "another"));
    expect(await listNotes(db)).toEqual(["another", "behind"]);
  });

  it("fails waiting work even while the server remains unreachable", async (test) => {
    const { proxy, transactor } = await start(test);
    const lost = writeAround(transactor, "one");
    await lost.begun;
    proxy.losePower({ isBack: false });
    await expect(lost.goOn()).rejects.toEqual(LOST);
    proxy.letThrough();
    await test.expect
      .poll(() => transactor.transact("one", async () => "written").catch(String))
      .toBe("written");
  });
});

describe.concurrent("database behind a network that drops connections", () => {
  it("reports a lost commit as failed, and accepts further writes to the account", async (test) => {
    const { db, proxy, transactor } = await start(test);
    const lost = transactor.transact("one", async (tx) => {
      await note(tx, "one", "before");
      // Drops the commit, and also its response.
      proxy.forgetConnections();
    });
    await expect(lost).rejects.toEqual(LOST);
    // The server keeps the account locked for the open transaction, until it ends that transaction.
    await transactor.transact("one", (tx) => note(tx, "one", "later"));
    expect(await listNotes(db)).toEqual(["later"]);
  });

  it("ends a stream whose rows stop arriving", async (test) => {
    const { db, proxy } = await start(test);
    const many = sql<{ n: number }>`select n from generate_series(1, 100000) as n`.compile(db);
    const walk = async () => {
      for await (const { rows } of db.getExecutor().stream(many, 10)) {
        if (rows[0]?.n === 1) proxy.forgetConnections();
      }
    };
    await expect(walk()).rejects.toEqual(LOST);
  });
});

describe.concurrent("database whose server responds", () => {
  it("waits as long as a statement takes", async (test) => {
    const { db } = await start(test);
    const slow = await LONG_STATEMENT.execute(db);
    expect(slow.rows).toEqual([{ done: "yes" }]);
  });

  it("waits as long as another transaction holds the lock", async (test) => {
    const { db, transactor } = await start(test);
    const isWaiting = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const other = db.transaction().execute(async (tx) => {
      await sql`select 1 from accounts where account_id = 'one' for update`.execute(tx);
      isLocked.resolve();
      await isWaiting.promise;
      await LONG_STATEMENT.execute(tx);
    });
    await isLocked.promise;
    const waiting = transactor.transact("one", async () => "done");
    isWaiting.resolve();
    await other;
    expect(await waiting).toBe("done");
  });
});
