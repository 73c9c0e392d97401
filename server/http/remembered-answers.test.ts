import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTransactor } from "../db/transactor.ts";
import { SECOND } from "../lib/clock.ts";
import { isOnPostgres } from "../testing/only-sqlite.ts";
import { openPlace } from "../testing/place.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

const SCOPE = { accountId: "default", environment: "test" } as const;
const LINE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const PATHS = ["/balance", "/topups/purchases/one", "/transactions/one"];

let till: TestGateway;
const statements: string[] = [];
beforeEach(async () => {
  till = await startTestGateway({ onStatement: (sql) => statements.push(sql) });
  await till.v1("POST", "/topups/purchases", { ...LINE, transactionId: "one" });
  await till.advance(SECOND * 30);
});
afterEach(() => till.close());

async function statementsOf(path: string): Promise<string[]> {
  await till.settle();
  statements.length = 0;
  await till.v1("GET", path);
  return statements.filter((sql) => !/^pragma/i.test(sql));
}

async function balance(): Promise<number> {
  return (await till.v1("GET", "/balance")).body.availableBalance;
}

describe("a remembered response", () => {
  it.each(PATHS)("needs no read of the database: %s", async (path) => {
    const first = await till.v1("GET", path);
    expect(first.status).toBe(200);
    expect(await statementsOf(path)).toEqual([]);
    const again = await till.v1("GET", path);
    expect(again.body).toEqual(first.body);
    for (const name of ["content-type", "content-length", "content-security-policy"]) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  });

  it("expires after each step of a purchase", async () => {
    const before = await balance();
    await till.v1("POST", "/topups/purchases", { ...LINE, transactionId: "two" });
    const statusNow = async () => (await till.v1("GET", "/topups/purchases/two")).body.status;
    const seen = [await statusNow()];
    for (let turn = 0; turn < 30; turn++) {
      await till.advance(SECOND);
      seen.push(await statusNow());
    }
    expect(seen[0]).toBe("IN_PROGRESS");
    expect(seen.at(-1)).toBe("DONE");
    expect(await balance()).toBeLessThan(before);
    expect((await till.v1("GET", "/transactions/two")).body.status).toBe("DONE");
  });

  it("expires after a commit of another process", async () => {
    const before = await balance();
    const db = await openPlace(till);
    const { recharges } = till.gateway.context;
    await createTransactor(db).transact("default", (tx) =>
      recharges.rechargeSandbox(tx, SCOPE, 5_000),
    );
    await db.destroy();
    // PostgreSQL's notification takes a moment.
    if (isOnPostgres()) await expect.poll(balance).toBe(before + 5_000);
    expect(await balance()).toBe(before + 5_000);
  });

  it("belongs to one environment, and requires a key", async () => {
    const test = await till.v1("GET", "/balance");
    const live = await till.v1("GET", "/balance", undefined, "live");
    expect(live.body).not.toEqual(test.body);
    expect((await till.call("GET", "/v1/balance")).status).toBe(401);
    expect((await till.v1("GET", "/topups/purchases/one", undefined, "live")).status).toBe(404);
  });

  it("does not exist for errors and misspelt parameters", async () => {
    expect((await till.v1("GET", "/topups/purchases/three")).status).toBe(404);
    await till.v1("POST", "/topups/purchases", { ...LINE, transactionId: "three" });
    expect((await till.v1("GET", "/topups/purchases/three")).status).toBe(200);
    expect((await till.v1("GET", "/balance?x=1")).status).toBe(400);
  });
});
