import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Db } from "../db/database.ts";
import { writerOf } from "../testing/direct-writes.ts";
import { sellSamples } from "../testing/sold-samples.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { OWNER_PIN } from "../testing/test-till.ts";

const BASELINE = join(import.meta.dirname, "../db/migrations/baseline");
const TABLES = readdirSync(BASELINE).flatMap((file) =>
  [...readFileSync(join(BASELINE, file), "utf8").matchAll(/\bappendOnly\("(\w+)"\)/g)].map(
    ([, table = ""]) => table,
  ),
);

let gateway: TestGateway;
let db: Db;
beforeAll(async () => {
  gateway = await startTestGateway();
  const { owner } = await sellSamples(gateway);
  const shiftId = crypto.randomUUID();
  const rechargeId = crypto.randomUUID();
  const { list } = (await owner.pos("GET", "/sales?limit=1&offset=0")).body;
  const movement = {
    movementId: crypto.randomUUID(),
    kind: "PAY_IN",
    amount: 500,
    reason: "change",
  };
  for (const [path, body] of [
    ["/shifts", { shiftId, float: 0 }],
    [`/shifts/${shiftId}/movements`, movement],
    [`/sales/${list[0].saleId}/prints`, undefined],
    ["/z-reports/1/prints", undefined],
    ["/cash/deposits", { depositId: crypto.randomUUID(), kind: "DEPOSIT", amount: 100 }],
    ["/wallet/recharges", { rechargeId, environment: "test", amount: 100 }],
    [
      `/wallet/recharges/${rechargeId}/reversal`,
      {
        environment: "test",
        reversalId: crypto.randomUUID(),
        reason: "Typed twice",
        pin: OWNER_PIN,
      },
    ],
  ] as const) {
    const answer = await owner.pos("POST", path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200);
  }
  db = writerOf(gateway.gateway.context.db);
});
afterAll(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

describe("the database of a shop with sales", () => {
  it.each(TABLES)("rejects changes and deletions of rows in %s", async (table) => {
    const read = async () => (await sql`select * from ${sql.table(table)}`.execute(db)).rows;
    const before = await read();
    expect(before.length).toBeGreaterThan(0);
    const refused = `${table} is append-only`;
    const change = sql`update ${sql.table(table)} set account_id = account_id`;
    await expect(change.execute(db)).rejects.toThrow(refused);
    await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow(refused);
    expect(await read()).toEqual(before);
  });

  it("has at least ten append-only tables", () => {
    expect(TABLES.length).toBeGreaterThanOrEqual(10);
  });
});
