import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, dropTestDatabase } from "../../testing/postgres-database.ts";
import { CLAIMS, type Lock, NO_ACCOUNT } from "../account-lock.ts";
import type { Db, Tx } from "../database.ts";
import { readAhead } from "../group-memory.ts";
import { migrations } from "../migrations/index.ts";
import { createTransactor, type Transactor } from "../transactor.ts";
import { prepareSchema } from "./create-schema.ts";
import { openPostgresDatabase } from "./open-database.ts";

const ACCOUNTS = ["one", "two", "three", "four", "five"];

let address: string;
let db: Db;
let transactor: Transactor;
let commits: string[][];

beforeEach(async () => {
  address = await createTestDatabase();
  db = await openPostgresDatabase(address, { presence: "gateway" });
  await prepareSchema(db, migrations, { at: 0 });
  for (const account of ACCOUNTS) {
    await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
      values (${account}, 'USD', 100, 0)`.execute(db);
  }
  transactor = createTransactor(db);
  commits = [];
  transactor.onCommit((written) => commits.push([...written]));
});
afterEach(async () => {
  await db.destroy();
  await dropTestDatabase(address);
});

function note(tx: Tx, account: string, subject: string) {
  return tx
    .insertInto("changes")
    .values({ account_id: account, environment: "test", topic: "shop", subject, changed_at: 0 })
    .execute();
}

/** Starts a transaction that stays open until the test ends it. */
function hold(lock: Lock) {
  const isBegun = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const isDone = transactor.transact(lock, async () => {
    isBegun.resolve();
    await mayEnd.promise;
  });
  return {
    begun: isBegun.promise,
    async end() {
      mayEnd.resolve();
      await isDone;
    },
  };
}

describe("transactor of one process on PostgreSQL", () => {
  it("writes for another account, for no account and for claims while a transaction of an account is open", async () => {
    const slow = hold("one");
    await slow.begun;
    await transactor.transact("two", (tx) => note(tx, "two", "a"));
    await transactor.transact(NO_ACCOUNT, async () => {});
    await transactor.transact(CLAIMS, async () => {});
    await slow.end();
    // Each listener receives the tables of its own transaction.
    expect(commits).toEqual([["changes"], [], [], []]);
  });

  it("starts no work of an account before the account's previous work has ended", async () => {
    const slow = hold("one");
    await slow.begun;
    let isBegun = false;
    const next = transactor.transact("one", async () => {
      isBegun = true;
    });
    for (const account of ["two", "three", "two"]) {
      await transactor.transact(account, (tx) => note(tx, account, "a"));
    }
    expect(isBegun).toBe(false);
    await slow.end();
    await next;
  });

  it("queues work until a connection is free, without delaying claims", async () => {
    const slow = ACCOUNTS.slice(0, 4).map(hold);
    for (const each of slow) await each.begun;
    let isBegun = false;
    const next = transactor.transact("five", async () => {
      isBegun = true;
    });
    // Gives the queued work time to start.
    for (let n = 0; n < 5; n++) await transactor.transact(CLAIMS, async () => {});
    expect(isBegun).toBe(false);
    await slow[2]?.end();
    await next;
    for (const each of slow) await each.end();
  });

  it("fails work with the fault of a read that was sent ahead, and goes on", async () => {
    await sql`create function read_bad_sector() returns void language plpgsql as
      $$ begin raise exception 'bad sector' using errcode = '58030'; end $$`.execute(db);
    const ahead = (tx: Tx) => readAhead(sql`select read_bad_sector()`.execute(tx));
    const work = transactor.transact("one", (tx) => note(tx, "one", "lost"), { ahead });
    await expect(work).rejects.toMatchObject({ code: "58030" });
    await transactor.transact("one", (tx) => note(tx, "one", "kept"));
    const kept = await db.selectFrom("changes").select("subject").execute();
    expect(kept).toEqual([{ subject: "kept" }]);
  });

  it("lets the server end a transaction that is idle for 30 s", async () => {
    const said = await transactor.transact("one", async (tx) => {
      const { rows } = await sql<{
        timeout: string;
      }>`select current_setting('idle_in_transaction_session_timeout') as timeout`.execute(tx);
      return rows;
    });
    expect(said).toEqual([{ timeout: "30s" }]);
  });

  it("runs work of each account in order, and shows later work the writes of earlier work", async () => {
    const done: string[] = [];
    const work = Array.from({ length: 200 }, async (_, n) => {
      const account = ACCOUNTS[n % ACCOUNTS.length] ?? "";
      await transactor.transact(account, async (tx) => {
        const { count } = await tx
          .selectFrom("changes")
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .where("account_id", "=", account)
          .executeTakeFirstOrThrow();
        await note(tx, account, `${count}`);
      });
      done.push(`${account} ${n}`);
    });
    await Promise.all(work);
    for (const account of ACCOUNTS) {
      const rows = await db
        .selectFrom("changes")
        .select("subject")
        .where("account_id", "=", account)
        .orderBy("change_id")
        .execute();
      expect(rows.map(({ subject }) => subject)).toEqual(rows.map((_, n) => String(n)));
      const answered = done.filter((each) => each.startsWith(`${account} `));
      const numbers = answered.map((each) => Number(each.split(" ")[1]));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
  });
});
