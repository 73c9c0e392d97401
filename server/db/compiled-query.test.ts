import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { compileOnce } from "./compiled-query.ts";
import { type Db, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { createTransactor } from "./transactor.ts";

let directory: string;
let db: Db;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "tillgate-compiled-"));
  db = openDatabase(directory);
  await migrate(db);
});
afterAll(async () => {
  await db.destroy();
  rmSync(directory, { recursive: true });
});

interface Change {
  subject: string;
  at: number;
}

let builds = 0;
const insertChange = compileOnce<Change, unknown>((builder, param) => {
  builds += 1;
  return builder.insertInto("changes").values({
    account_id: param("subject"),
    environment: "test",
    topic: "shop",
    subject: param("subject"),
    changed_at: param("at"),
  });
});

function add(at: number) {
  return createTransactor(db).transact("default", (tx) =>
    insertChange(tx, { subject: `change ${at}`, at }),
  );
}

const listSince = compileOnce<{ at: number; limit: number }, { subject: string }>(
  (builder, param) =>
    builder
      .selectFrom("changes")
      .select("subject")
      .where("changed_at", ">=", param("at"))
      .orderBy("changed_at")
      .limit(param("limit")),
);

describe("compiled query", () => {
  it("accepts the values of each call after one build, inside and outside a transaction", async () => {
    const transactor = createTransactor(db);
    for (const at of [1, 2, 3]) {
      const { numAffectedRows } = await transactor.transact("default", (tx) =>
        insertChange(tx, { subject: `change ${at}`, at }),
      );
      expect(numAffectedRows).toBe(1n);
    }
    expect(builds).toBe(1);
    const { rows } = await listSince(db, { at: 2, limit: 10 });
    expect(rows).toEqual([{ subject: "change 2" }, { subject: "change 3" }]);
    expect((await listSince(db, { at: 2, limit: 1 })).rows).toEqual([{ subject: "change 2" }]);
    const seen = await db.selectFrom("changes").select(["account_id", "subject"]).execute();
    expect(seen.every((row) => row.account_id === row.subject)).toBe(true);
  });

  it("makes SQLite plan only once, even with other values", async () => {
    for (const at of [4, 5]) await add(at);
    await listSince(db, { at: 4, limit: 1 });
    // The driver creates a function each time that SQLite plans a query.
    const made = vi.spyOn(globalThis, "Function");
    for (const limit of [1, 2, 3]) await listSince(db, { at: 4 + limit / 10, limit });
    await db.selectFrom("changes").select("topic").where("changed_at", "<", 4).execute();
    await db.selectFrom("changes").select("topic").where("changed_at", "<", 5).execute();
    const shapes = made.mock.calls.length;
    made.mockRestore();
    expect(shapes).toBe(1);
  });
});
