import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WebhookDelivery, WebhookKind } from "../../../contract/pos/webhooks.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { letClaimsEnd, setWritable } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

let till: TestGateway;
let receiver: Receiver;
beforeEach(async () => {
  till = await startTestGateway();
  receiver = await startReceiver(till);
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
  await receiver.close();
});

function add(kind: WebhookKind) {
  const input = { environment: "test", kind, url: receiver.url, allowPrivate: true } as const;
  return till.gateway.context.webhooks.add({ accountId: "default", staffId: undefined }, input);
}

async function buy(transactionId: string) {
  const recipientPhoneNumber = "+50251234567";
  const body = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber };
  expect((await till.v1("POST", "/topups/purchases", body)).status).toBe(200);
  await till.advance(SECOND);
}

async function delivery(): Promise<WebhookDelivery> {
  const query = { _limit: 10, _offset: 0 };
  const { list } = await till.gateway.context.webhooks.listDeliveries("default", query);
  expect(list).toHaveLength(1);
  return list[0]!;
}

async function writable(yes: boolean): Promise<void> {
  await setWritable(till.gateway.context.db, yes);
}

const CUT = "It was cut off before its answer was on record.";

describe("an attempt", () => {
  it("appears in the delivery's list while the request is being sent", async () => {
    await add("TOPUP");
    receiver.behave("hang");
    await buy("under-way");
    expect((await delivery()).attempts).toEqual([
      { beganAt: "2026-01-15T09:30:01.000Z", duration_ms: 0 },
    ]);
    await till.advance(10 * SECOND);
    expect((await delivery()).attempts[0]).toEqual({
      beganAt: "2026-01-15T09:30:01.000Z",
      duration_ms: 10_000,
      error: "No answer within 10 s.",
    });
  });

  it("counts as one of ten if a stop interrupts it, and the next attempt follows on schedule", async () => {
    await add("TOPUP");
    receiver.behave(500, 500, 500, "hang");
    await buy("cut");
    await till.advance(11 * SECOND + MINUTE);
    expect(receiver.received).toHaveLength(4);
    receiver.behave(200);
    await till.restart();
    await till.settle();
    expect((await delivery()).attempts.map(({ status, error }) => status ?? error)).toEqual([
      500,
      500,
      500,
      CUT,
    ]);
    await till.advance(10 * MINUTE - 1);
    expect(receiver.received).toHaveLength(4);
    await till.advance(1);
    expect(receiver.received).toHaveLength(5);
    expect((await delivery()).state).toBe("DELIVERED");
    expect(new Set(receiver.ids).size).toBe(1);
  });

  it("runs once more if it is the tenth and a stop interrupts it", async () => {
    await add("TOPUP");
    receiver.behave(...Array.from({ length: 9 }, () => 500), "hang");
    await buy("last");
    await till.advance(22 * HOUR + 41 * MINUTE + 11 * SECOND);
    expect(receiver.received).toHaveLength(10);
    receiver.behave(200);
    await till.restart();
    await till.advance(12 * HOUR);
    expect(await delivery()).toMatchObject({ state: "DELIVERED" });
    expect((await delivery()).attempts).toHaveLength(11);
  });

  it("appears in the list even if its outcome could not be stored, and is repeated within half a minute", async () => {
    await add("TOPUP");
    receiver.behave((response) => void writable(false).then(() => response.end("taken")), 200);
    await buy("unwritten");
    await till.advance(MINUTE);
    await writable(true);
    await letClaimsEnd(till.gateway.context.db);
    await till.advance(30 * SECOND);
    const { state, attempts } = await delivery();
    expect(state).toBe("DELIVERED");
    expect(attempts.map(({ status, error }) => status ?? error)).toEqual([CUT, 200]);
  });
});

describe("a delivery whose webhook is replaced during an attempt", () => {
  it("stays delivered if the successor confirmed it before the attempt times out", async () => {
    const { webhook } = await add("TOPUP");
    receiver.behave("hang", 200);
    await buy("handed-over");
    const input = { environment: "test", kind: "TOPUP", allowPrivate: true } as const;
    const url = `${receiver.url}/other`;
    const owner = { accountId: "default", staffId: undefined };
    await till.gateway.context.webhooks.add(owner, { ...input, url, replaces: webhook.webhookId });
    await till.settle();
    await letClaimsEnd(till.gateway.context.db);
    await till.advance(5 * SECOND);
    await till.advance(MINUTE);
    expect(await delivery()).toMatchObject({
      state: "DELIVERED",
      attempts: [{ error: "No answer within 10 s." }, { status: 200 }],
    });
    expect(receiver.received.map(({ path }) => path)).toEqual(["/", "/other"]);
    const [successor] = await till.gateway.context.webhooks.list("default");
    expect(successor).toMatchObject({ waiting: 0 });
  });
});

describe("a verification before money moves", () => {
  it("appears in the list if a stop interrupts it, and is sent again", async () => {
    await add("TRANSACTION");
    receiver.behave("hang");
    await buy("asked");
    expect((await delivery()).attempts).toHaveLength(1);
    receiver.behave(200);
    await till.restart();
    await till.advance(SECOND);
    const { attempts } = await delivery();
    expect(attempts.map(({ status, error }) => status ?? error)).toEqual([CUT, 200]);
    expect((await till.v1("GET", "/topups/purchases/asked")).body.status).toBe("DONE");
  });

  it("does not allow the purchase after an incomplete 2xx response", async () => {
    await add("TRANSACTION");
    receiver.behave(breakOff);
    await buy("half-allowed");
    const purchase = (await till.v1("GET", "/topups/purchases/half-allowed")).body;
    expect(purchase.error.code).toBe("VERIFICATION_TIMEOUT");
  });
});

/** Sends less of the body than the header announces. */
function breakOff(response: import("node:http").ServerResponse): void {
  response.writeHead(200, { "content-length": "100" });
  response.write("half of it", () => response.socket?.destroy());
}

describe("a 2xx response", () => {
  it.each<[string, (response: import("node:http").ServerResponse) => void]>([
    ["of which only a part comes", breakOff],
    [
      "in pieces, without the last",
      (response) => void response.write("piece", () => response.socket?.destroy()),
    ],
    [
      "whose connection is reset",
      (response) => void response.write("piece", () => response.socket?.resetAndDestroy()),
    ],
  ])("%s counts as failed and is retried", async (_name, behaviour) => {
    await add("TOPUP");
    receiver.behave(behaviour, 200);
    await buy("half");
    expect(await delivery()).toMatchObject({
      state: "PENDING",
      attempts: [{ status: 200, error: "Its answer broke off." }],
    });
    const [webhook] = await till.gateway.context.webhooks.list("default");
    expect(webhook!.lastFailure).toBe("It answered 200. Its answer broke off.");
    await till.advance(SECOND);
    expect(receiver.received).toHaveLength(2);
    expect((await delivery()).state).toBe("DELIVERED");
  });

  it("counts as failed if it does not end in time", async () => {
    await add("TOPUP");
    const slow = { held: 0 };
    till.outside.add(slow);
    receiver.behave((response) => {
      slow.held = 1;
      response.on("close", () => {
        slow.held = 0;
      });
      response.write("slow");
    }, 200);
    await buy("slow");
    await till.advance(10 * SECOND);
    expect((await delivery()).attempts[0]).toMatchObject({
      status: 200,
      error: "Its answer did not end within 10 s.",
    });
    await till.advance(SECOND);
    expect((await delivery()).state).toBe("DELIVERED");
  });
});
