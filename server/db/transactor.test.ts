import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { type Db, openDatabase, openReaders, type Tx } from "./database.ts";
import { readOnceInGroup } from "./group-memory.ts";
import { AfterTransaction, noteInTransaction, WaitedInTransaction } from "./transaction-scope.ts";
import { createTransactor, REPEATABLE, type Transactor } from "./transactor.ts";

let directory: string;
let writer: Db;
let db: Db;
let transactor: Transactor;
let commits: number;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "tillgate-transactor-"));
  writer = openDatabase(directory);
  await sql`create table notes (note text primary key)`.execute(writer);
  db = await openReaders(writer, directory);
  transactor = createTransactor(db, { isStrict: true, clock: new FakeClock() });
  commits = 0;
  transactor.onCommit(() => {
    commits += 1;
  });
});
afterEach(async () => {
  await db.destroy();
  rmSync(directory, { recursive: true });
});

function add(tx: Tx, note: string) {
  return sql`insert into notes values (${note})`.execute(tx);
}

async function notes(reader: Db = db): Promise<string[]> {
  const { rows } = await sql<{ note: string }>`select note from notes order by rowid`.execute(
    reader,
  );
  return rows.map(({ note }) => note);
}

describe("commit group", () => {
  it("commits all waiting work in one transaction", async () => {
    const answered: number[] = [];
    await Promise.all(
      Array.from({ length: 100 }, (_, number) =>
        transactor
          .transact("default", (tx) => add(tx, String(number)))
          .then(() => answered.push(number)),
      ),
    );
    expect(commits).toBe(1);
    expect(await notes()).toHaveLength(100);
    // Callers are answered in the order of their requests.
    expect(answered).toEqual(answered.toSorted((a, b) => a - b));
  });

  it("passes the notes of successful work to the listeners in order", async () => {
    const told: object[] = [];
    transactor.onCommit((_written, noted) => told.push(...noted));
    const [one, refused, two] = [{ note: 1 }, { note: "refused" }, { note: 2 }];
    const work = [one, refused, two].map((note) =>
      transactor.transact("default", async (tx) => {
        await add(tx, JSON.stringify(note));
        noteInTransaction(note);
        if (note === refused) throw new Error("refused");
      }),
    );
    await Promise.allSettled(work);
    expect(commits).toBe(1);
    expect(told).toEqual([one, two]);
    expect(told[0]).toBe(one);
  });

  it("answers no caller before the commit is on the disk", async () => {
    let isAnswered = false;
    const first = transactor
      .transact("default", (tx) => add(tx, "first"))
      .then(() => {
        isAnswered = true;
      });
    const second = transactor.transact("default", async (tx) => {
      await add(tx, "second");
      expect(isAnswered).toBe(false);
      expect(await seenByAnother()).toEqual([]);
    });
    await Promise.all([first, second]);
    expect(await seenByAnother()).toEqual(["first", "second"]);
  });

  it("rolls back only the work that throws, and reports the error only to its caller", async () => {
    const outcomes = await Promise.allSettled([
      transactor.transact("default", (tx) => add(tx, "before")),
      transactor.transact("default", async (tx) => {
        await add(tx, "half");
        throw new Error("no");
      }),
      transactor.transact("default", (tx) => add(tx, "before")),
      transactor.transact("default", (tx) => add(tx, "after")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(await notes()).toEqual(["before", "after"]);
    expect(commits).toBe(1);
  });

  it("fails with the true reason if the disk is full, and does not affect the next group", async () => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(writer);
    const limit = (pages: number) => sql.raw(`pragma max_page_count = ${pages}`).execute(writer);
    await limit((rows[0]?.page_count ?? 0) + 2);
    const outcomes = await Promise.allSettled([
      transactor.transact("default", (tx) => add(tx, "small")),
      transactor.transact("default", (tx) => add(tx, "x".repeat(1_000_000))),
      transactor.transact("default", (tx) => add(tx, "later")),
    ]);
    const said = outcomes.map((outcome) =>
      outcome.status === "rejected" ? String(outcome.reason.code) : "stored",
    );
    const stored = await notes();
    // SQLite may or may not end the transaction; every caller must get the true outcome.
    expect(said[1]).toBe("SQLITE_FULL");
    expect(stored).toEqual(["small", "later"].filter((_, at) => said[at * 2] === "stored"));
    await limit(1_000_000);
    await transactor.transact("default", (tx) => add(tx, "x".repeat(1_000_000)));
    expect(await notes()).toHaveLength(stored.length + 1);
  });

  it("gives each piece of work the result that a separate transaction would give", async () => {
    const body = fc.record({
      note: fc.nat({ max: 6 }),
      throws: fc.boolean(),
      isRepeatable: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(body, { maxLength: 6 }), { maxLength: 5 }),
        async (groups) => {
          await sql`delete from notes`.execute(writer);
          const expected = new Set<number>();
          for (const group of groups) {
            await Promise.all(
              group.map(async ({ note, throws, isRepeatable }) => {
                const isStored = !throws && !expected.has(note);
                if (isStored) expected.add(note);
                const work = async (tx: Tx) => {
                  await add(tx, String(note));
                  if (throws) throw new Error("no");
                };
                const done = transactor.transact("default", work, { isRepeatable });
                const [outcome] = await Promise.allSettled([done]);
                expect(outcome.status).toBe(isStored ? "fulfilled" : "rejected");
              }),
            );
            expect(await notes()).toEqual([...expected].map(String));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("runs repeatable work in one savepoint, and repeats each piece separately if any piece fails", async () => {
    const runs: string[] = [];
    const addNoted = (note: string) => async (tx: Tx) => {
      runs.push(note);
      noteInTransaction({ note });
      await add(tx, note);
    };
    const told: object[] = [];
    transactor.onCommit((_written, noted) => told.push(...noted));
    const all = (texts: string[]) =>
      Promise.allSettled(
        texts.map((one) => transactor.transact("default", addNoted(one), REPEATABLE)),
      );
    await all(["one", "two"]);
    expect(runs).toEqual(["one", "two"]);
    const outcomes = await all(["three", "two", "four"]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(runs.slice(2)).toEqual(["three", "two", "three", "two", "four"]);
    expect(await notes()).toEqual(["one", "two", "three", "four"]);
    expect(told).toEqual(["one", "two", "three", "four"].map((note) => ({ note })));
    expect(commits).toBe(2);
  });

  it("reads a shared value once, until the group writes to its table", async () => {
    let reads = 0;
    const count = (tx: Tx) =>
      readOnceInGroup(tx, "notes", "all", async () => {
        reads += 1;
        const { rows } = await sql<{ note: string }>`select note from notes`.execute(tx);
        return rows.length;
      });
    const seen = await Promise.all([
      transactor.transact("default", count),
      transactor.transact("default", count),
      transactor.transact("default", async (tx) => {
        await add(tx, "written");
        return count(tx);
      }),
      transactor.transact("default", count),
    ]);
    expect(seen).toEqual([0, 0, 1, 1]);
    expect(reads).toBe(3);
    expect(await transactor.transact("default", count)).toBe(1);
  });

  it("lets another process write between two groups", async () => {
    const other = openDatabase(directory);
    const command = createTransactor(other);
    await Promise.all(
      Array.from({ length: 40 }, async (_, number) => {
        await transactor.transact("default", (tx) => add(tx, `gateway ${number}`));
        await command.transact("default", (tx) => add(tx, `command ${number}`));
      }),
    );
    expect(await notes()).toHaveLength(80);
    await other.destroy();
  });
});

describe("connection for reading", () => {
  it("sees no changes of a transaction before its end", async () => {
    const seen: string[][] = [];
    const writing = transactor.transact("default", async (tx) => {
      await add(tx, "one");
      seen.push(await seenByAnother());
      await add(tx, "two");
    });
    await writing;
    expect(seen).toEqual([[]]);
    expect(await notes()).toEqual(["one", "two"]);
  });

  it("cannot write", async () => {
    await expect(sql`insert into notes values ('x')`.execute(db)).rejects.toThrow(/readonly/);
  });
});

describe("transaction", () => {
  it("fails and rolls back if it waits for anything but the database", async () => {
    const waiting = transactor.transact("default", async (tx) => {
      await add(tx, "waited");
      await new Promise(setImmediate);
    });
    await expect(waiting).rejects.toThrow(WaitedInTransaction);
    expect(await notes()).toEqual([]);
  });

  it("cannot be used after its end, even while its group continues", async () => {
    let late: Promise<unknown> | undefined;
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    await Promise.all([
      transactor.transact("default", async (tx) => {
        await add(tx, "in time");
        late = gate.then(() => add(tx, "late"));
      }),
      transactor.transact("default", async (tx) => {
        open();
        await expect(late).rejects.toThrow(AfterTransaction);
        await add(tx, "another");
      }),
    ]);
    expect(await notes()).toEqual(["in time", "another"]);
  });
});

/** Returns the rows that a connection of another process sees. */
async function seenByAnother(): Promise<string[]> {
  const other = openDatabase(directory);
  try {
    return await notes(other);
  } finally {
    await other.destroy();
  }
}
