import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, SECOND } from "../../../lib/clock.ts";
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

const OWNER = { accountId: "default", staffId: undefined };
const LEASE_MS = 10 * SECOND;

function open(url = `${receiver.url}/local`) {
  return till.gateway.context.listeners.open(OWNER, { environment: "test", url });
}

async function buy(...ids: string[]): Promise<void> {
  const recipientPhoneNumber = "+50251234567";
  const offerId = "TIGO_GT_TOPUP_25";
  await Promise.all(
    ids.map((transactionId) =>
      till.v1("POST", "/topups/purchases", { offerId, transactionId, recipientPhoneNumber }),
    ),
  );
  await till.advance(SECOND);
}

function forwarded(): string[] {
  return receiver.received.map(({ body }) => JSON.parse(body).transactionId);
}

describe("a listener", () => {
  it("gets the bytes and headers of other webhooks, and reports each message and each resend once", async () => {
    const { listeners, webhooks } = till.gateway.context;
    const hook = { environment: "test", kind: "TOPUP", allowPrivate: true } as const;
    await webhooks.add(OWNER, { ...hook, url: `${receiver.url}/hook` });
    const { ref, secret, missed, cursor } = await open();
    expect({ secret, missed }).toEqual({ secret: expect.stringMatching(/^whsec_/), missed: 0 });
    await buy("sold");
    const [one, other] = receiver.received;
    expect(one!.body).toBe(other!.body);
    expect(Object.keys(one!.headers)).toEqual(Object.keys(other!.headers));
    const first = await listeners.read(ref, cursor);
    expect(first.messages).toMatchObject([
      {
        delivery: { subject: "sold", kind: "TOPUP", state: "DELIVERED" },
        attempt: { status: 200 },
      },
    ]);
    expect((await listeners.read(ref, first.cursor)).messages).toEqual([]);
    await webhooks.resend(OWNER, first.messages[0]!.delivery.deliveryId);
    await till.settle();
    const second = await listeners.read(ref, first.cursor);
    expect(second.messages.map(({ delivery }) => delivery.subject)).toEqual(["sold"]);
    expect(receiver.received).toHaveLength(3);
  });

  it("misses nothing and repeats nothing if it is killed and resumed under load", async () => {
    const { listeners } = till.gateway.context;
    const ids = (run: number) => Array.from({ length: 12 }, (_, n) => `run-${run}-${n}`);
    const all: string[] = [];
    for (let run = 0; run < 4; run++) {
      const { ref, cursor, missed } = await open();
      expect(missed).toBe(run === 0 ? 0 : 12);
      await till.settle();
      all.push(...ids(run));
      await buy(...ids(run));
      // The program is killed, so nobody ends the lease. Messages that arrive later wait.
      await till.advance(LEASE_MS);
      all.push(...ids(run + 10));
      await buy(...ids(run + 10));
      expect(new Set(forwarded()).size).toBe(all.length - 12);
      expect((await listeners.read(ref, cursor)).messages.length).toBeGreaterThanOrEqual(12);
    }
    await open();
    await till.settle();
    expect(forwarded().toSorted()).toEqual(all.toSorted());
  });

  it("repeats a message with the same id only if its forwarding failed, and alerts nobody", async () => {
    receiver.behave(500, 200);
    const { ref, cursor } = await open();
    await buy("twice");
    const { messages } = await till.gateway.context.listeners.read(ref, cursor);
    expect(messages).toMatchObject([{ delivery: { state: "PENDING" }, attempt: { status: 500 } }]);
    await till.advance(SECOND);
    expect(forwarded()).toEqual(["twice", "twice"]);
    expect(new Set(receiver.ids).size).toBe(1);
    const [listener] = await till.gateway.context.webhooks.list("default");
    expect(listener!.failingSince).toBeUndefined();
  });

  it("gets waiting messages at once after its end, and starts at its stored cursor", async () => {
    const { listeners } = till.gateway.context;
    const { ref, cursor } = await open();
    await buy("first");
    const read = await listeners.read(ref, cursor);
    await listeners.close(ref, read.cursor);
    await buy("second", "third");
    expect(forwarded()).toEqual(["first"]);
    const resumed = await open();
    expect(resumed).toEqual({ ref, secret: undefined, missed: 2, cursor: read.cursor });
    await till.settle();
    expect(forwarded().toSorted()).toEqual(["first", "second", "third"]);
    const after = (await listeners.read(ref, resumed.cursor)).messages;
    expect(after.map(({ delivery }) => delivery.subject).toSorted()).toEqual(["second", "third"]);
  });

  it("refuses a second start at a time, and ends when it is removed", async () => {
    const { listeners, webhooks } = till.gateway.context;
    const { ref } = await open();
    await expect(open()).rejects.toThrow(/still runs/);
    expect(await listeners.renew(ref, 0)).toBe(true);
    await webhooks.remove(OWNER, ref.endpointId);
    expect(await listeners.renew(ref, 0)).toBe(false);
  });

  it("loses its row and messages after a week without a run", async () => {
    const { ref } = await open();
    till.clock.set(till.clock.now() + 6 * DAY);
    await buy("waits");
    await till.gateway.context.housekeeping.clearAway();
    expect(await till.gateway.context.webhooks.list("default")).toMatchObject([{ waiting: 1 }]);
    till.clock.set(till.clock.now() + 2 * DAY);
    await till.gateway.context.housekeeping.clearAway();
    expect(await till.gateway.context.webhooks.list("default")).toEqual([]);
    const removals = await till.gateway.context.db
      .selectFrom("audit_trail")
      .select(["subject", "staff_id"])
      .where("action", "=", "webhook.remove")
      .execute();
    expect(removals).toEqual([{ subject: ref.endpointId, staff_id: null }]);
  });

  it("cannot be changed to verify purchases or to send receipts", async () => {
    const { ref } = await open();
    const { webhooks } = till.gateway.context;
    for (const kind of ["TRANSACTION", "RECEIPT"] as const) {
      const change = webhooks.change(OWNER, ref.endpointId, { kinds: ["TOPUP", kind] });
      await expect(change).rejects.toMatchObject({
        errorCode: "INVALID_REQUEST",
        message: `kinds cannot have ${kind}, because this webhook is a listener.`,
      });
    }
    await webhooks.change(OWNER, ref.endpointId, { kinds: ["TOPUP"] });
    expect(await webhooks.list("default")).toMatchObject([{ kinds: ["TOPUP"] }]);
  });

  it("leaves room for ten webhooks, also at its own address", async () => {
    for (let n = 0; n < 10; n++) {
      await open(`${receiver.url}/${n}`);
    }
    const { webhooks } = till.gateway.context;
    const hook = { environment: "test", kind: "TOPUP", allowPrivate: true } as const;
    for (let n = 0; n < 10; n++) {
      await webhooks.add(OWNER, { ...hook, url: `${receiver.url}/${n}` });
    }
    const eleventh = webhooks.add(OWNER, { ...hook, url: `${receiver.url}/10` });
    await expect(eleventh).rejects.toThrow(/has 10 webhooks already/);
    expect(await webhooks.list("default")).toHaveLength(20);
  });

  it.each([
    ["http://93.184.216.34/hook", /not 93\.184\.216\.34: .* open internet/],
    ["http://169.254.169.254/", /cloud-metadata/],
    ["ftp://127.0.0.1/", /must begin with http/],
  ])("cannot forward to %s", async (url, words) => {
    await expect(open(url)).rejects.toThrow(words);
    expect(await till.gateway.context.webhooks.list("default")).toEqual([]);
  });
});
