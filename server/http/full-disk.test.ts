import { afterEach, beforeEach, expect, it } from "vitest";
import { enqueueJob } from "../jobs/job-store.ts";
import { HOUR, MINUTE, SECOND } from "../lib/clock.ts";
import { diskFullIn, setDiskFull, setWritable } from "../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(() => till.close());

const setFull = (isFull: boolean) => setDiskFull(till.gateway.context.db, isFull);

function buy(transactionId: string) {
  return till.v1("POST", "/topups/purchases", {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId,
    recipientPhoneNumber: "+50251234567",
  });
}

it("a gateway on a full disk refuses sales with the reason, serves reads, and recovers", async () => {
  await buy("before");
  await setFull(true);
  const refused: number[] = [];
  for (let n = 0; n < 40; n++) {
    const answer = await buy(`full-${n}`);
    if (answer.status === 200) continue;
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(answer.body).toEqual({
      errorCode: "SYSTEM_UNAVAILABLE",
      message: `Nothing was done: ${diskFullIn(till.gateway.context.db)}.`,
      fields: {},
    });
    refused.push(n);
  }
  expect(refused.length).toBeGreaterThan(0);
  expect((await till.v1("GET", "/balance")).status).toBe(200);
  for (const n of refused) {
    expect((await till.v1("GET", `/topups/purchases/full-${n}`)).status).toBe(404);
  }

  await setFull(false);
  await till.advance(600 * SECOND);
  await buy("after");
  await till.advance(SECOND);
  expect((await till.v1("GET", "/topups/purchases/after")).body.status).toBe("DONE");
  expect((await till.v1("GET", "/topups/purchases/before")).body.status).toBe("DONE");
  await till.expectCleanBooks();
});

it("purchases and jobs resume once the disk is writable again", async () => {
  const before = await Promise.all(Array.from({ length: 12 }, (_, n) => buy(`before-${n}`)));
  expect(before.every(({ status }) => status === 200)).toBe(true);
  await writable(false);
  await till.advance(HOUR);
  const refused = await buy("refused");
  expect(refused.status).toBe(503);
  expect(refused.body.message).toBe("Nothing was done: the database cannot be written.");
  expect((await till.v1("GET", "/balance")).status).toBe(200);

  await writable(true);
  await till.advance(20 * MINUTE);
  for (let n = 0; n < 12; n++) {
    const purchase = await till.v1("GET", `/topups/purchases/before-${n}`);
    expect(purchase.body.status).toBe("DONE");
  }
  expect((await till.v1("GET", "/topups/purchases/refused")).status).toBe(404);
  await till.expectCleanBooks();
});

it("a job that ran while the disk was not writable is rescheduled and repeated", async () => {
  const { jobs, transactor } = till.gateway.context;
  let calls = 0;
  jobs.register("test.work", async () => {
    calls += 1;
    if (calls === 1) await writable(false);
  });
  const runAt = till.clock.now();
  await transactor.transact("default", (tx) =>
    enqueueJob(tx, { kind: "test.work", subject: "", runAt }),
  );
  await till.advance(MINUTE);
  expect(calls).toBe(1);
  await writable(true);
  await till.advance(MINUTE);
  expect(calls).toBe(2);
});

async function writable(yes: boolean): Promise<void> {
  await setWritable(till.gateway.context.db, yes);
}
