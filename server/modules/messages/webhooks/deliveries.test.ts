import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Environment } from "../../../contract/common.ts";
import type { WebhookDelivery, WebhookKind } from "../../../contract/pos/webhooks.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
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

function add(kind: WebhookKind, url = `${receiver.url}/hook`, environment: Environment = "test") {
  return till.gateway.context.webhooks.add(OWNER, { environment, kind, url, allowPrivate: true });
}

async function buy(transactionId: string, number = "+50251234567", environment?: Environment) {
  const body = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber: number };
  expect((await till.v1("POST", "/topups/purchases", body, environment)).status).toBe(200);
}

async function deliveries(): Promise<WebhookDelivery[]> {
  const query = { _limit: 100, _offset: 0 };
  const found = await till.gateway.context.webhooks.listDeliveries("default", query);
  expect(found.total).toBe(found.list.length);
  return found.list;
}

/** Moves the clock forward at once, as after a machine's sleep. */
async function skip(milliseconds: number): Promise<void> {
  till.clock.set(till.clock.now() + milliseconds);
  await till.settle();
}

async function delivery(): Promise<WebhookDelivery> {
  const [only, ...others] = await deliveries();
  expect(others).toEqual([]);
  return only!;
}

describe("the result of a purchase", () => {
  it("reaches the receiver once, with a signature that the Standard Webhooks library accepts", async () => {
    const { secret, webhook } = await add("TOPUP");
    await buy("sold");
    await till.advance(SECOND);
    expect(receiver.received).toHaveLength(1);
    const [{ headers, body, path }] = receiver.received as [(typeof receiver.received)[0]];
    expect(path).toBe("/hook");
    expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "Tillgate" });
    expect(Number(headers["webhook-timestamp"])).toBe(till.clock.now() / SECOND);
    // Compares signatures, because the library's verification would use the machine's clock.
    const library = new Webhook(secret);
    const [id, sentAt] = [String(headers["webhook-id"]), new Date(till.clock.now())];
    expect(library.sign(id, sentAt, body)).toBe(headers["webhook-signature"]);
    const now = new Date();
    const resigned = library.sign(id, now, body);
    const timestamp = String(Math.floor(now.getTime() / SECOND));
    const checked = library.verify(body, {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": resigned,
    });
    expect(checked).toEqual((await till.v1("GET", "/topups/purchases/sold")).body);
    expect(await delivery()).toEqual({
      deliveryId: id,
      webhookId: webhook.webhookId,
      environment: "test",
      kind: "TOPUP",
      subject: "sold",
      transactionId: "sold",
      state: "DELIVERED",
      createdAt: "2026-01-15T09:30:01.000Z",
      attempts: [
        { beganAt: "2026-01-15T09:30:01.000Z", duration_ms: 0, status: 200, answer: "said 200" },
      ],
    });
    await skip(2 * DAY);
    expect(receiver.received).toHaveLength(1);
  });

  it("equals the response of GET in every family, delivered or failed", async () => {
    const scope = { accountId: "default", environment: "test" } as const;
    await till.gateway.context.recharges.setTestWallet(scope, 1_000_000_00);
    const kinds = ["TOPUP", "VOUCHER", "ESIM", "BILL_PAY"] as const;
    for (const kind of kinds) await add(kind, `${receiver.url}/${kind}`);
    const bills = (await till.v1("GET", "/billpay/offers?_limit=100&_offset=0")).body.list;
    const bill =
      bills.find((offer: { priceType: string }) => offer.priceType === "FIXED") ?? bills[0];
    const payment = {
      offerId: bill.offerId,
      fields: bill.requiredFields.map((key: string) => ({ key, value: "1234567890" })),
      ...(bill.priceType === "RANGE" && { value: { type: "ZEND", value: bill.send.min } }),
    };
    const meter = [{ key: "meter.number", value: "01234567890" }];
    const purchases: [string, object][] = [
      ["topups", { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" }],
      ["topups", { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251239001" }],
      [
        "vouchers",
        {
          offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
          value: { type: "ZEND", value: 10000 },
          fields: [...meter, { key: "recipient.msisdn", value: "+27821234567" }],
        },
      ],
      ["esim", { offerId: "AIRALO_ES_1GB_7D" }],
      ["esim", { offerId: "AIRALO_ES_1GB_7D", iccid: "89014103211118510720" }],
      ["billpay", payment],
    ];
    const sent: { path: string; transactionId: string }[] = [];
    for (const [n, [path, input]] of purchases.entries()) {
      const transactionId = `family-${n}`;
      const answer = await till.v1("POST", `/${path}/purchases`, { ...input, transactionId });
      expect([path, answer.body]).toEqual([path, { status: "ACCEPTED", transactionId }]);
      sent.push({ path, transactionId });
    }
    await till.advance(2 * SECOND);
    for (const { path, transactionId } of sent) {
      const { body: record } = await till.v1("GET", `/${path}/purchases/${transactionId}`);
      expect(record.status).toMatch(/^(DONE|FAILED)$/);
      // Compares bytes, not only fields.
      expect(receiver.received.map(({ body }) => body)).toContain(JSON.stringify(record));
    }
    expect(receiver.received.map(({ path }) => path).sort((a, b) => a.localeCompare(b))).toEqual(
      ["/BILL_PAY", "/ESIM", "/ESIM", "/TOPUP", "/TOPUP", "/VOUCHER"].sort((a, b) =>
        a.localeCompare(b),
      ),
    );
  });

  it("goes to every webhook of its kind and environment, and to no other webhook", async () => {
    await giveLiveCatalog(till, ["TIGO_GT_TOPUP_25"]);
    await add("TOPUP", `${receiver.url}/one`);
    await add("TOPUP", `${receiver.url}/two`);
    await add("VOUCHER", `${receiver.url}/voucher`);
    await add("TOPUP", `${receiver.url}/live`, "live");
    await buy("in-test");
    await till.advance(SECOND);
    expect(receiver.received.map(({ path }) => path).sort((a, b) => a.localeCompare(b))).toEqual([
      "/one",
      "/two",
    ]);
    expect(new Set(receiver.ids).size).toBe(2);
    await buy("in-test", "+50251234567", "live");
    await till.settle();
    expect(receiver.received.map(({ path }) => path).slice(2)).toEqual(["/live"]);
    expect(JSON.parse(receiver.received[2]!.body).error.code).toBe("PROVIDER_NOT_CONFIGURED");
    const listed = await deliveries();
    expect(listed.filter(({ environment }) => environment === "live")).toHaveLength(1);
    expect(new Set(listed.map(({ deliveryId }) => deliveryId)).size).toBe(3);
  });

  it("goes to no webhook that is added after the purchase", async () => {
    await buy("nobody");
    await till.advance(SECOND);
    expect(await deliveries()).toEqual([]);
    await add("TOPUP");
    await skip(DAY);
    expect(receiver.received).toEqual([]);
  });
});

describe("a failed attempt", () => {
  it("causes repetitions after 1 s, 10 s, 1 min, 10 min, 30 min, 1 h, 3 h, 6 h and 12 h, then no more", async () => {
    await add("TOPUP");
    receiver.behave(500);
    await buy("retried");
    await till.advance(SECOND);
    const first = till.clock.now();
    const delays = [1, 10, 60, 600, 1_800, 3_600, 10_800, 21_600, 43_200].map((s) => s * SECOND);
    let made = 1;
    for (const delay of delays) {
      await till.advance(delay - 1);
      expect(receiver.received).toHaveLength(made);
      await till.advance(1);
      made += 1;
      expect(receiver.received).toHaveLength(made);
    }
    await skip(30 * DAY);
    expect(receiver.received).toHaveLength(10);
    const { state, attempts, nextAttemptAt } = await delivery();
    expect({ state, nextAttemptAt }).toEqual({ state: "FAILED", nextAttemptAt: undefined });
    let at = first;
    for (const [n, attempt] of attempts.entries()) {
      expect(attempt).toEqual({
        beganAt: new Date(at).toISOString(),
        duration_ms: 0,
        status: 500,
        answer: "said 500",
      });
      at += delays[n] ?? 0;
    }
    expect(new Set(receiver.ids).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const signatures = receiver.received.map(({ headers }) => headers["webhook-signature"]);
    expect(new Set(signatures).size).toBe(10);
  });

  it("leads to a successful attempt after the receiver recovers", async () => {
    await add("TOPUP");
    receiver.behave(500, "reset", 302, 200);
    await buy("mended");
    await till.advance(2 * MINUTE);
    const { state, attempts } = await delivery();
    expect(state).toBe("DELIVERED");
    expect(attempts.map(({ status, error }) => status ?? error)).toEqual([
      500,
      expect.stringMatching(/cut/),
      302,
      200,
    ]);
    expect((await till.gateway.context.webhooks.list("default"))[0]!.failingSince).toBeUndefined();
  });

  it.each<[string, (response: import("node:http").ServerResponse) => void, number]>([
    ["redirects to this machine", (r) => r.writeHead(307, { location: receiver.url }).end(), 307],
    ["answers 404", (r) => r.writeHead(404).end(), 404],
    ["answers 199 bytes of nonsense", (r) => r.writeHead(400).end("\0\xff".repeat(99)), 400],
  ])(
    "has its status stored, and no redirect is followed, if the receiver %s",
    async (_name, behaviour, status) => {
      await add("TOPUP");
      receiver.behave(behaviour);
      await buy("odd");
      await till.advance(SECOND);
      expect((await delivery()).attempts).toMatchObject([{ status }]);
      expect(receiver.received).toHaveLength(1);
    },
  );

  it("ends after exactly 10 s if the receiver does not respond", async () => {
    await add("TOPUP");
    receiver.behave("hang", 200);
    await buy("silent");
    await till.advance(SECOND + 9_999);
    expect((await delivery()).attempts).toMatchObject([{ duration_ms: 0 }]);
    await till.advance(1);
    expect((await delivery()).attempts).toEqual([
      {
        beganAt: "2026-01-15T09:30:01.000Z",
        duration_ms: 10_000,
        error: "No answer within 10 s.",
      },
    ]);
    await till.advance(SECOND);
    expect((await delivery()).state).toBe("DELIVERED");
  });

  it("does not result from a 2xx response of 10 MB, of which the first kilobyte is stored", async () => {
    await add("TOPUP");
    receiver.behave("huge");
    await buy("huge");
    await till.advance(SECOND);
    const { state, attempts } = await delivery();
    expect(state).toBe("DELIVERED");
    expect(attempts[0]!.answer).toBe("x".repeat(1024));
  });
});

describe("a hanging receiver", () => {
  it("delays no other receiver, and uses at most four connections", async () => {
    const well = await startReceiver(till);
    await add("TOPUP");
    await add("TOPUP", well.url);
    receiver.behave("hang");
    const ids = Array.from({ length: 30 }, (_, n) => `busy-${n}`);
    for (const id of ids) await buy(id);
    await till.advance(SECOND);
    expect(receiver.held).toBe(4);
    const notified = well.received.map(({ body }) => JSON.parse(body).transactionId);
    expect(notified).toHaveLength(30);
    expect(new Set(notified)).toEqual(new Set(ids));
    await till.v1("GET", "/balance");
    receiver.behave(200);
    await till.advance(20 * SECOND);
    expect(new Set(receiver.ids).size).toBe(30);
    const states = (await deliveries()).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(["DELIVERED"]));
    await well.close();
    till.outside.delete(well);
  });
});

describe("a stop of the gateway", () => {
  it("loses no result between the end of a purchase and the delivery", async () => {
    await add("TOPUP");
    receiver.behave("hang");
    await buy("cut");
    await till.advance(SECOND);
    expect(receiver.received).toHaveLength(1);
    receiver.behave(200);
    await till.restart();
    await till.advance(SECOND);
    expect(receiver.received).toHaveLength(2);
    expect(new Set(receiver.ids).size).toBe(1);
    expect(receiver.received[0]!.body).toBe(receiver.received[1]!.body);
    expect((await delivery()).state).toBe("DELIVERED");
  });

  it("keeps the schedule of retries", async () => {
    await add("TOPUP");
    receiver.behave(500);
    await buy("paced");
    await till.advance(3 * SECOND);
    expect(receiver.received).toHaveLength(2);
    await till.restart();
    await till.advance(9 * SECOND - 1);
    expect(receiver.received).toHaveLength(2);
    await till.advance(1);
    expect(receiver.received).toHaveLength(3);
  });
});

describe("setting the machine's clock back by an hour", () => {
  it("leaves the time until a retry unchanged", async () => {
    await add("TOPUP");
    receiver.behave(500);
    await buy("moved");
    await till.advance(3 * SECOND);
    expect(receiver.received).toHaveLength(2);
    await skip(-HOUR);
    await till.restart();
    await till.advance(10 * SECOND - 1);
    expect(receiver.received).toHaveLength(2);
    await till.advance(1);
    expect(receiver.received).toHaveLength(3);
  });
});

describe("resending by hand", () => {
  it("sends the same bytes with the same id, even if the record has changed", async () => {
    await add("ESIM");
    await till.v1("POST", "/esim/purchases", {
      offerId: "AIRALO_ES_1GB_7D",
      transactionId: "roaming",
    });
    await till.advance(2 * SECOND);
    expect((await till.v1("POST", "/esim/purchases/roaming/refund")).status).toBe(200);
    await till.advance(MINUTE);
    expect((await till.v1("GET", "/esim/purchases/roaming")).body.refund).toBeDefined();
    const { deliveryId } = await delivery();
    const again = await till.gateway.context.webhooks.resend(OWNER, deliveryId);
    expect(again.state).toBe("PENDING");
    await till.settle();
    const [first, second] = receiver.received;
    expect(second!.body).toBe(first!.body);
    expect(receiver.ids).toEqual([deliveryId, deliveryId]);
    expect(await delivery()).toMatchObject({ state: "DELIVERED" });
    expect((await delivery()).attempts).toHaveLength(2);
  });

  it("restarts all attempts of a failed delivery", async () => {
    await add("TOPUP");
    receiver.behave(500);
    await buy("given-up");
    await till.advance(23 * HOUR);
    expect((await delivery()).state).toBe("FAILED");
    receiver.behave(500, 200);
    await till.gateway.context.webhooks.resend(OWNER, (await delivery()).deliveryId);
    await till.settle();
    expect((await delivery()).state).toBe("PENDING");
    await till.advance(SECOND);
    expect((await delivery()).state).toBe("DELIVERED");
    expect(receiver.received).toHaveLength(12);
  });
});

describe("the pause of a webhook after a day of failures", () => {
  async function webhook() {
    return (await till.gateway.context.webhooks.list("default"))[0]!;
  }
  async function alerts(): Promise<string[]> {
    const rows = await till.gateway.context.db
      .selectFrom("audit_trail")
      .select("action")
      .where("action", "like", "webhook.%")
      .orderBy("entry_id")
      .execute();
    return rows.map(({ action }) => action);
  }

  it("alerts the owner; after the pause ends, the backlog is sent", async () => {
    await add("TOPUP");
    receiver.behave(503);
    await buy("first");
    await till.advance(13 * HOUR);
    await buy("second");
    await till.advance(11 * HOUR);
    expect((await webhook()).pausedAt).toBeUndefined();
    expect((await webhook()).failingSince).toBe("2026-01-15T09:30:01.000Z");
    await till.advance(12 * HOUR);
    expect(await webhook()).toMatchObject({
      pausedAt: expect.any(String),
      lastFailure: "It answered 503.",
    });
    expect(await alerts()).toEqual(["webhook.add", "webhook.pause"]);
    const changes = await till.gateway.context.db
      .selectFrom("changes")
      .select("subject")
      .where("topic", "=", "webhook")
      .execute();
    expect(changes.map(({ subject }) => subject)).toContain((await webhook()).webhookId);

    const before = receiver.received.length;
    await buy("third");
    await till.advance(SECOND);
    await skip(5 * DAY);
    expect(receiver.received).toHaveLength(before);
    const pending = (await deliveries()).filter(({ state }) => state === "PENDING");
    expect((await webhook()).waiting).toBe(pending.length);
    const [{ deliveryId }] = pending as [WebhookDelivery];
    const { webhooks } = till.gateway.context;
    await expect(webhooks.resend(OWNER, deliveryId)).rejects.toMatchObject({
      errorCode: "INVALID_REQUEST",
      message: "It cannot be sent again: its webhook is paused: resume it.",
    });

    receiver.behave(200);
    await till.restart();
    await till.settle();
    expect(receiver.received).toHaveLength(before);
    await till.gateway.context.webhooks.resume(OWNER, (await webhook()).webhookId);
    await till.settle();
    expect(receiver.received).toHaveLength(before + pending.length);
    expect(await webhook()).toMatchObject({ waiting: 0 });
    expect((await webhook()).pausedAt).toBeUndefined();
    expect((await alerts()).at(-1)).toBe("webhook.resume");
  });

  it("spares a webhook that failed long ago and had no deliveries afterwards", async () => {
    await add("TOPUP");
    receiver.behave(503);
    await buy("first");
    await till.advance(23 * HOUR);
    await skip(29 * DAY + HOUR);
    await buy("second");
    await till.advance(SECOND);
    expect((await webhook()).pausedAt).toBeUndefined();
    expect((await webhook()).failingSince).toBe("2026-02-14T09:30:01.000Z");
  });

  it("spares a webhook with occasional successes", async () => {
    await add("TOPUP");
    for (let n = 0; n < 8; n++) {
      receiver.behave(n % 3 === 2 ? 200 : 500);
      await buy(`now-and-then-${n}`);
      await till.advance(SECOND);
      await skip(8 * HOUR);
    }
    receiver.behave(500);
    await buy("last");
    await till.advance(SECOND);
    expect((await webhook()).failingSince).toBeDefined();
    expect((await webhook()).pausedAt).toBeUndefined();
  });
});

describe("a delivery whose webhook no longer takes its kind", () => {
  it("cannot be sent again until the webhook takes the kind", async () => {
    const { webhook } = await add("TOPUP");
    await buy("delivered");
    await till.advance(SECOND);
    const { webhooks } = till.gateway.context;
    const { deliveryId } = await delivery();
    await webhooks.change(OWNER, webhook.webhookId, { kinds: ["VOUCHER"] });
    await expect(webhooks.resend(OWNER, deliveryId)).rejects.toMatchObject({
      errorCode: "INVALID_REQUEST",
      message:
        "It cannot be sent again: its webhook no longer takes TOPUP: add this kind to the webhook.",
    });
    expect(await delivery()).toMatchObject({ state: "DELIVERED" });
    await webhooks.change(OWNER, webhook.webhookId, { kinds: ["TOPUP", "VOUCHER"] });
    await webhooks.resend(OWNER, deliveryId);
    await till.advance(SECOND);
    expect(receiver.received).toHaveLength(2);
  });
});

describe("a delivery that was cancelled", () => {
  it("cannot be sent again, even if its webhook takes its kind again", async () => {
    const { webhook } = await add("TOPUP");
    receiver.behave(500, 200);
    await buy("unwanted");
    await till.advance(SECOND);
    const { webhooks } = till.gateway.context;
    await webhooks.change(OWNER, webhook.webhookId, { kinds: ["VOUCHER"] });
    await webhooks.change(OWNER, webhook.webhookId, { kinds: ["TOPUP"] });
    await expect(webhooks.resend(OWNER, (await delivery()).deliveryId)).rejects.toMatchObject({
      errorCode: "INVALID_REQUEST",
      message: "It cannot be sent again: it was cancelled.",
    });
    await till.advance(HOUR);
    expect(await delivery()).toMatchObject({ state: "CANCELLED" });
    expect(receiver.received).toHaveLength(1);
  });
});

describe("a removed webhook", () => {
  it("receives no deliveries, not even pending deliveries, and its secrets are deleted", async () => {
    const { webhook } = await add("TOPUP");
    receiver.behave(500);
    await buy("waiting");
    await till.advance(SECOND);
    await till.gateway.context.webhooks.remove(OWNER, webhook.webhookId);
    await buy("later");
    await till.advance(SECOND);
    await skip(DAY);
    expect(receiver.received).toHaveLength(1);
    expect((await delivery()).state).toBe("CANCELLED");
    const row = await till.gateway.context.db
      .selectFrom("webhook_endpoints")
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ secret_sealed: null, header_value_sealed: null });
    const { webhooks } = till.gateway.context;
    await expect(webhooks.resend(OWNER, (await delivery()).deliveryId)).rejects.toThrow(/removed/);
    await expect(webhooks.remove(OWNER, webhook.webhookId)).rejects.toThrow(/There is no webhook/);
    await add("TOPUP");
  });

  it("stays removed, even if a delivery was being sent during the removal", async () => {
    const { webhook } = await add("TOPUP");
    receiver.behave("hang");
    await buy("under-way");
    await till.advance(SECOND);
    await till.gateway.context.webhooks.remove(OWNER, webhook.webhookId);
    await till.advance(MINUTE);
    await skip(DAY);
    expect(receiver.received).toHaveLength(1);
    expect(await delivery()).toMatchObject({ state: "CANCELLED" });
  });
});
