import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FakeClock } from "../../testing/fake-clock.ts";
import { createTestDatabase } from "../../testing/postgres-database.ts";
import { startPostgresProxy } from "../../testing/postgres-proxy.ts";
import { nextPoll } from "../../testing/until.ts";
import { EVERY_ACCOUNT, NO_ACCOUNT } from "../account-lock.ts";
import { compileOnce } from "../compiled-query.ts";
import { getConnections } from "../connections.ts";
import { type Db, readSnapshot } from "../database.ts";
import { migrations } from "../migrations/index.ts";
import { watchReference } from "../reference-watch.ts";
import { openedText, sealedText } from "../sealed-text.ts";
import { createTransactor } from "../transactor.ts";
import { prepareSchema } from "./create-schema.ts";
import { openPostgresDatabase } from "./open-database.ts";

const SEALER = {
  seal: (text: string) => `sealed ${text.split("").toReversed().join("")}`,
  open(sealed: string) {
    if (!sealed.startsWith("sealed ")) throw new Error("another key");
    return sealed.slice(7).split("").toReversed().join("");
  },
};

let address: string;
let db: Db;
let other: Db;
let third: Db;

beforeAll(async () => {
  address = await createTestDatabase();
  db = await openPostgresDatabase(address);
  await prepareSchema(db, migrations, { at: 0 });
  for (const account of ["shop", "branch"]) {
    await sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
      values (${account}, 'USD', 100, 0)`.execute(db);
  }
  other = await openPostgresDatabase(address);
  third = await openPostgresDatabase(address);
  for (const each of [db, other]) getConnections(each).keepSealed(SEALER);
});
afterAll(async () => {
  await db.destroy();
  await other.destroy();
  await third.destroy();
});

/** Resolves when `expected` transactions wait for a lock. */
async function countWaiting(expected: number): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql<{
        waiting: number;
      }>`select count(*) as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows[0]?.waiting;
    })
    .toBe(expected);
}

function note(database: Db, subject: string) {
  return database
    .insertInto("changes")
    .values({ account_id: "shop", environment: "test", topic: "shop", subject, changed_at: 0 });
}

/** Inserts a row that is not part of a sale. */
function change(database: Db, name: string) {
  const code = { account_id: "shop", code_hash: name, name, expires_at: 0 };
  return database.insertInto("device_codes").values(code);
}

describe("transactor on PostgreSQL", () => {
  it("commits queued work of an account together, and rolls back only the work that fails", async () => {
    const transactor = createTransactor(db, { clock: new FakeClock() });
    const seen: string[][] = [];
    transactor.onCommit((written) => seen.push([...written]));
    const outcomes = await Promise.allSettled(
      ["a", "b", "c"].map((subject) =>
        transactor.transact("shop", async (tx) => {
          await note(tx, subject).execute();
          if (subject !== "b") return subject;
          // A statement that PostgreSQL refuses rolls back only the function that ran it, like an
          // error of Tillgate.
          await sql`select 1 / 0`.execute(tx);
          return subject;
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const rows = await db.selectFrom("changes").select("subject").orderBy("change_id").execute();
    expect(rows.map(({ subject }) => subject)).toEqual(["a", "c"]);
    expect(seen).toEqual([["changes"]]);
  });

  it("lets only one process at a time read and update an account", async () => {
    const transactors = [createTransactor(db), createTransactor(other)];
    const next = (index: number) =>
      transactors[index % 2]!.transact("shop", async (tx) => {
        const { count } = await tx
          .selectFrom("changes")
          .select((eb) => eb.fn.countAll<number>().as("count"))
          .where("topic", "=", "wallet")
          .executeTakeFirstOrThrow();
        await tx
          .insertInto("changes")
          .values({
            account_id: "shop",
            environment: "test",
            topic: "wallet",
            subject: String(count),
            changed_at: 0,
          })
          .execute();
      });
    await Promise.all(Array.from({ length: 40 }, (_, index) => next(index)));
    const rows = await db
      .selectFrom("changes")
      .select("subject")
      .where("topic", "=", "wallet")
      .orderBy("change_id")
      .execute();
    expect(rows.map(({ subject }) => Number(subject))).toEqual(rows.map((_, index) => index));
  });

  it("makes work wait only for work with the same lock, or for work on every account", async () => {
    const [one, two] = [createTransactor(db), createTransactor(other)];
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const ended: string[] = [];
    const holding = one.transact("shop", async () => {
      begun.resolve();
      await held.promise;
      ended.push("shop");
    });
    await begun.promise;
    await two.transact("branch", async () => ended.push("branch"));
    await two.transact(NO_ACCOUNT, async () => ended.push("none"));
    // Both transactions wait: the second one waits for the first.
    const waiting = [two.transact(EVERY_ACCOUNT, async () => ended.push("every"))];
    try {
      await countWaiting(1);
      waiting.push(createTransactor(third).transact(NO_ACCOUNT, async () => ended.push("none")));
      await countWaiting(2);
      expect(ended).toEqual(["branch", "none"]);
    } finally {
      held.resolve();
    }
    await Promise.all([holding, ...waiting]);
    expect(ended).toEqual(["branch", "none", "shop", "every", "none"]);
  });

  it("commits work of one account together, and work of another account separately", async () => {
    const transactor = createTransactor(db, { clock: new FakeClock() });
    let commits = 0;
    transactor.onCommit(() => {
      commits += 1;
    });
    const order: string[] = [];
    const asked = ["shop", "branch", "shop", NO_ACCOUNT, "branch", "shop", NO_ACCOUNT];
    await Promise.all(
      asked.map((lock, index) =>
        transactor.transact(lock as string, async () => order.push(`${index} ${String(lock)}`)),
      ),
    );
    expect(commits).toBe(4);
    expect(order.map((text) => Number(text[0]))).toEqual([0, 2, 5, 1, 4, 3, 6]);
  });

  it("refuses work on a missing account, because it cannot lock the account", async () => {
    const lost = createTransactor(db).transact("nobody", (tx) => note(tx, "lost").execute());
    await expect(lost).rejects.toThrow("there is no account nobody to lock");
  });

  it("refuses a second connection inside a transaction, and queries in a transaction that has ended", async () => {
    const transactor = createTransactor(db);
    await expect(
      transactor.transact("shop", () => db.selectFrom("changes").selectAll().execute()),
    ).rejects.toThrow("inside one of its own");
    let kept: (() => Promise<unknown>) | undefined;
    await transactor.transact("shop", async (tx) => {
      kept = () => tx.selectFrom("changes").selectAll().execute();
    });
    await expect(kept?.()).rejects.toThrow(/end|already committed/);
  });

  it("continues after the server has closed its connection", async () => {
    const transactor = createTransactor(db);
    const broken = transactor.transact("shop", async (tx) => {
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
    });
    await expect(broken).rejects.toThrow("terminat");
    await transactor.transact("shop", (tx) => note(tx, "after").execute());
    expect(getConnections(db).countUnderWay()).toBe(0);
  });
});

describe("cache on PostgreSQL", () => {
  it("becomes stale only when another process commits", async () => {
    const transactor = createTransactor(db);
    const watch = watchReference(db, transactor);
    const before = watch.stamp();
    await transactor.transact("shop", (tx) => note(tx, "own").execute());
    expect(watch.stamp()).toBe(before);
    await createTransactor(other).transact("shop", (tx) => change(tx, "Ana").execute());
    await expect.poll(() => watch.stamp()).not.toBe(before);
  });

  it("stays valid after sales of another process, except for stored responses", async () => {
    const watch = watchReference(db, createTransactor(db));
    const before = { stamp: watch.stamp(), commits: watch.commits() };
    const transactor = createTransactor(other);
    await transactor.transact("shop", (tx) => note(tx, "a sale").execute());
    await expect.poll(() => [watch.stamp(), watch.commits()][1]).not.toBe(before.commits);
    expect(watch.stamp()).toBe(before.stamp);
    await transactor.transact("shop", async (tx) => {
      await note(tx, "a sale").execute();
      await change(tx, "Bea").execute();
    });
    await expect.poll(() => watch.stamp()).not.toBe(before.stamp);
  });

  it("remains stale while the connection for notices is lost", async () => {
    const { readForeignVersion } = getConnections(db);
    const before = readForeignVersion().reference;
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'tillgate notices' and datname = current_database()`.execute(other);
    await expect.poll(() => readForeignVersion().reference).not.toBe(before);
    // After the connection is reopened, the version no longer changes.
    await expect
      .poll(async () => {
        const first = readForeignVersion().reference;
        await nextPoll();
        return readForeignVersion().reference === first;
      })
      .toBe(true);
  });

  it("becomes stale when notices stop arriving on an open connection", async () => {
    const proxy = await startPostgresProxy(address);
    const behind = await openPostgresDatabase(proxy.address);
    try {
      const { readForeignVersion } = getConnections(behind);
      proxy.swallowNotices();
      const before = readForeignVersion().reference;
      await createTransactor(other).transact("shop", (tx) => note(tx, "unheard").execute());
      // The notice is lost, but the loss is not detected yet.
      expect(readForeignVersion().reference).toBe(before);
      await expect.poll(() => readForeignVersion().reference).not.toBe(before);
      // The connection is reopened when notices can arrive.
      const lost = proxy.countNoticeConnections();
      proxy.letThrough();
      await expect.poll(() => proxy.countNoticeConnections()).toBeGreaterThan(lost);
      await expect
        .poll(async () => {
          const first = readForeignVersion().reference;
          await nextPoll();
          return readForeignVersion().reference === first;
        })
        .toBe(true);
    } finally {
      await behind.destroy();
      await proxy.close();
    }
  });

  it("notifies its listeners only of commits by another process", async () => {
    let heard = 0;
    getConnections(db).onForeignCommit(() => {
      heard += 1;
    });
    await createTransactor(db).transact("shop", (tx) => note(tx, "own").execute());
    await createTransactor(other).transact("shop", (tx) => note(tx, "foreign").execute());
    await expect.poll(() => heard).toBe(1);
  });
});

describe("text encryption", () => {
  it("encrypts stored text and decrypts it on reading, also in a compiled query", async () => {
    const write = compileOnce<{ text: string; subject: string }, unknown>((builder, param) =>
      builder.insertInto("changes").values({
        account_id: "shop",
        environment: "test",
        topic: sealedText(param("text")) as never,
        subject: param("subject"),
        changed_at: 0,
      }),
    );
    await createTransactor(db).transact("shop", (tx) =>
      write(tx, { text: "PIN 12", subject: "sealed" }),
    );
    const query = db.selectFrom("changes").where("subject", "=", "sealed");
    const stored = await query.select("topic").executeTakeFirstOrThrow();
    expect(stored.topic).toBe(SEALER.seal("PIN 12"));
    const opened = query.select(openedText("topic").as("text"));
    expect(await opened.executeTakeFirstOrThrow()).toEqual({ text: "PIN 12" });
    getConnections(db).keepSealed({ ...SEALER, open: () => "" });
    const streamed = [];
    for await (const row of opened.stream(1)) streamed.push(row);
    expect(streamed).toEqual([{ text: "" }]);
    getConnections(db).keepSealed(SEALER);
    await sql`update changes set topic = 'of another key' where subject = 'sealed'`.execute(db);
    expect(await opened.executeTakeFirstOrThrow()).toEqual({ text: null });
  });
});

describe("snapshot", () => {
  it("does not see later commits", async () => {
    const count = (from: Db) =>
      from
        .selectFrom("changes")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
    await readSnapshot(db, async (snapshot) => {
      const before = await count(snapshot);
      await createTransactor(other).transact("shop", (tx) => note(tx, "meanwhile").execute());
      expect(await count(snapshot)).toEqual(before);
    });
  });
});
