import { afterEach, beforeEach, expect, it } from "vitest";
import { getConnections } from "../db/connections.ts";
import { type Db, openDatabase } from "../db/database.ts";
import { SECOND } from "../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

let till: TestGateway;
let other: Db;

beforeEach(async () => {
  till = await startTestGateway();
  other = openDatabase(till.dataDir);
});
afterEach(async () => {
  await other.destroy();
  getConnections(other).sqlite[0]?.close();
  await till.close();
});

function run(statement: string): void {
  getConnections(other).sqlite[0]?.exec(statement);
}

function buy(transactionId: string) {
  return till.v1("POST", "/topups/purchases", {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId,
    recipientPhoneNumber: "+50251234567",
  });
}

it("while another program holds the write lock, reads work; sales and readiness fail with that reason", {
  tags: ["thorough"],
}, async () => {
  await buy("before");
  await till.advance(SECOND);
  run("begin immediate");
  let isAnswered = false;
  const sale = buy("held").finally(() => {
    isAnswered = true;
  });
  // After the responses to these requests, the sale waits for the lock.
  for (let n = 0; n < 3; n++) {
    expect((await till.v1("GET", "/topups/purchases/before")).status).toBe(200);
  }
  expect(isAnswered).toBe(false);
  const refused = await sale;
  expect(refused.status).toBe(503);
  expect(refused.body.message).toMatch(/another process holds the database/);
  till.clock.set(till.clock.now() + 30 * SECOND);
  const ready = await till.call("GET", "/readyz");
  expect(ready.status).toBe(503);
  expect(ready.body.message).toMatch(/another process holds the database/);

  run("rollback");
  expect((await buy("after")).status).toBe(200);
  expect((await till.call("GET", "/readyz")).status).toBe(200);
  expect((await till.v1("GET", "/topups/purchases/held")).status).toBe(404);
});

it("a sale waits if another process ends its transaction soon", {
  tags: ["thorough"],
}, async () => {
  run("begin immediate");
  const sale = buy("waits");
  expect((await till.v1("GET", "/balance")).status).toBe(200);
  run("rollback");
  expect((await sale).status).toBe(200);
});
