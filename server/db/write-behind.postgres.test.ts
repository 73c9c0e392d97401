import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { readTimeAhead } from "./business-time.ts";
import { compileOnce } from "./compiled-query.ts";
import type { Tx } from "./database.ts";
import { readAhead } from "./group-memory.ts";
import { REPEATABLE } from "./transactor.ts";
import { writeBehind } from "./write-behind.ts";

let statements: { text: string; isFirst: boolean }[];
let till: TestGateway;
beforeEach(async () => {
  statements = [];
  till = await startTestGateway({
    onStatement: (text, isFirst = true) => statements.push({ text, isFirst }),
  });
});
afterEach(() => till.close());

const insertJob = compileOnce<{ subject: string; runAt: number }, unknown>((db, param) =>
  db.insertInto("jobs").values({
    kind: "test.later",
    subject: param("subject"),
    run_at: param("runAt"),
    attempts: 0,
    last_error: null,
    revision: param("runAt"),
  }),
);

const RUN_AT = 9e12;

async function write(tx: Tx, ...subjects: string[]): Promise<void> {
  for (const subject of subjects) await writeBehind(tx, insertJob(tx, { subject, runAt: RUN_AT }));
}

async function listWritten(): Promise<string[]> {
  const rows = await till.gateway.context.db
    .selectFrom("jobs")
    .select("subject")
    .where("kind", "=", "test.later")
    .orderBy("subject")
    .execute();
  return rows.map(({ subject }) => subject);
}

const transact: TestGateway["gateway"]["context"]["transactor"]["transact"] = (...work) =>
  till.gateway.context.transactor.transact(...work);

describe("write-behind on PostgreSQL", () => {
  it("sends the writes of a body together, and commits them", async () => {
    await till.settle();
    statements = [];
    await transact("default", (tx) => write(tx, "a", "b", "c"));
    const own = statements.filter(({ text }) => text.startsWith('insert into "jobs"'));
    expect(own.map(({ isFirst }) => isFirst)).toEqual([true, false, false]);
    expect(await listWritten()).toEqual(["a", "b", "c"]);
  });

  it("lets a later read of the same body see the write", async () => {
    const seen = await transact("default", async (tx) => {
      await write(tx, "a");
      return tx.selectFrom("jobs").select("subject").where("subject", "=", "a").execute();
    });
    expect(seen).toHaveLength(1);
  });

  it("fails the body with the first failed write, and stores nothing of it", async () => {
    const failed = transact("default", async (tx) => {
      await write(tx, "a", "a", "b");
      // The server refuses this statement, because an earlier one has failed.
      await tx.selectFrom("jobs").select("subject").execute();
    });
    await expect(failed).rejects.toMatchObject({ code: "23505" });
    expect(await listWritten()).toEqual([]);
  });

  it("fails the body with the error of a check, although all statements succeeded", async () => {
    const failed = transact("default", async (tx) => {
      await writeBehind(tx, insertJob(tx, { subject: "a", runAt: RUN_AT }), () => {
        throw new Error("not as expected");
      });
      await write(tx, "b");
    });
    await expect(failed).rejects.toThrow("not as expected");
    expect(await listWritten()).toEqual([]);
  });

  it.each([
    ["repeatable", REPEATABLE],
    ["not repeatable", {}],
  ])("commits the other bodies of a group if one fails and they are %s", async (_name, options) => {
    const bodies = [["a"], ["b", "b"], ["c"], ["d", "a"], ["e"]];
    const outcomes = await Promise.allSettled(
      bodies.map((subjects) => transact("default", (tx) => write(tx, ...subjects), options)),
    );
    const failed = outcomes.map(({ status }) => status === "rejected");
    expect(failed).toEqual([false, true, false, true, false]);
    expect(await listWritten()).toEqual(["a", "c", "e"]);
  });

  it("fails a transaction whose body hides a failed statement, instead of losing it", async () => {
    const hidden = transact("default", async (tx) => {
      await write(tx, "a");
      await insertJob(tx, { subject: "a", runAt: RUN_AT }).catch(() => {});
    });
    await expect(hidden).rejects.toThrow("duplicate key");
    expect(await listWritten()).toEqual([]);
  });

  it.each([
    ["repeatable", REPEATABLE],
    ["not repeatable", {}],
  ])(
    "answers no body of a group as committed if one hides a failed statement and they are %s",
    async (_name, options) => {
      const hide = async (tx: Tx) => {
        await write(tx, "a");
        await insertJob(tx, { subject: "a", runAt: RUN_AT }).catch(() => {});
      };
      const works = [hide, (tx: Tx) => write(tx, "c"), (tx: Tx) => write(tx, "d")];
      const outcomes = await Promise.allSettled(
        works.map((work) => transact("default", work, options)),
      );
      expect(outcomes[0]?.status).toBe("rejected");
      const subjects = ["a", "c", "d"];
      const done = subjects.filter((_, index) => outcomes[index]?.status === "fulfilled");
      expect(await listWritten()).toEqual(done);
    },
  );

  it("fails work for an account that does not exist, although reads follow the lock", async () => {
    const scope = { accountId: "nobody", environment: "test" } as const;
    const ahead = (tx: Tx) => readAhead(readTimeAhead(tx, scope));
    const failed = transact("nobody", (tx) => write(tx, "a"), { ahead });
    await expect(failed).rejects.toThrow("no account nobody");
    expect(await listWritten()).toEqual([]);
  });
});
