import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SECOND } from "../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(() => till.close());

/** SQLite meets the same error at a limit of pages as at the end of a disk. */
async function limitPages(pages: string): Promise<void> {
  await sql`pragma max_page_count = ${sql.raw(pages)}`.execute(till.gateway.context.db);
}

function buy(transactionId: string) {
  return till.v1("POST", "/topups/purchases", {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId,
    recipientPhoneNumber: "+50251234567",
  });
}

it("a full disk sells nothing and says why; what can be read is read; later it goes on", async () => {
  await buy("before");
  await limitPages("1");
  const refused: number[] = [];
  for (let n = 0; n < 40; n++) {
    const answer = await buy(`full-${n}`);
    if (answer.status === 200) continue;
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({
      errorCode: "SYSTEM_UNAVAILABLE",
      message: "Nothing was done: the disk is full.",
      fields: {},
    });
    refused.push(n);
  }
  expect(refused.length).toBeGreaterThan(0);
  expect((await till.v1("GET", "/balance")).status).toBe(200);
  for (const n of refused) {
    expect((await till.v1("GET", `/topups/purchases/full-${n}`)).status).toBe(404);
  }

  await limitPages("1000000");
  await till.advance(600 * SECOND);
  await buy("after");
  await till.advance(SECOND);
  expect((await till.v1("GET", "/topups/purchases/after")).body.status).toBe("DONE");
  expect((await till.v1("GET", "/topups/purchases/before")).body.status).toBe("DONE");
  await till.expectCleanBooks();
});
