import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Environment } from "../../../contract/common.ts";
import { HOUR, SECOND } from "../../../lib/clock.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill } from "../../../testing/test-till.ts";
import { type Behaviour, type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

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

function register(environment: Environment = "test", path = "/verify") {
  const url = receiver.url + path;
  const input = { environment, kind: "TRANSACTION", url, allowPrivate: true } as const;
  return till.gateway.context.webhooks.add(OWNER, input);
}

async function buy(transactionId: string, environment?: Environment) {
  const recipientPhoneNumber = "+50251234567";
  const body = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber };
  const answer = await till.v1("POST", "/topups/purchases", body, environment);
  expect(answer.body).toEqual({ status: "ACCEPTED", transactionId });
  await till.settle();
}

async function get(transactionId: string, environment?: Environment) {
  return (await till.v1("GET", `/topups/purchases/${transactionId}`, undefined, environment)).body;
}

async function balance(): Promise<number> {
  return (await till.v1("GET", "/balance")).body.availableBalance;
}

function messages(purchase: { log: { status: string; statusMessage: string }[] }): string[] {
  return purchase.log.map(({ status, statusMessage }) => `${status}: ${statusMessage}`);
}

async function actions(): Promise<string[]> {
  const rows = await till.gateway.context.db
    .selectFrom("audit_trail")
    .select(["action", "subject"])
    .where("action", "like", "webhook.%")
    .orderBy("entry_id")
    .execute();
  return rows.map(({ action, subject }) =>
    action === "webhook.add" ? action : `${action} ${subject}`,
  );
}

const WAITING = ["ACCEPTED: Transaction accepted", "PENDING: Waiting for verification"];

describe("a verifying webhook", () => {
  it("receives the generic transaction; its 2xx response lets the purchase continue", async () => {
    await register();
    receiver.behave("hang");
    await buy("asked");
    expect((await get("asked")).status).toBe("PENDING");
    expect(await balance()).toBe(100_000);
    const waiting = (await till.v1("GET", "/transactions/asked")).body;
    expect(JSON.parse(receiver.received[0]!.body)).toEqual(waiting);
    expect(receiver.received[0]!.headers["webhook-signature"]).toMatch(/^v1,/);

    receiver.behave(204);
    await buy("let-through");
    await till.advance(SECOND);
    expect(messages(await get("let-through"))).toEqual([
      ...WAITING,
      "AUTHORIZED: Wallet authorized",
      "IN_PROGRESS: Submitted for fulfillment",
      "DONE: Completed",
    ]);
    expect((await get("asked")).status).toBe("PENDING");
    await till.advance(HOUR);
  });

  it("blocks the purchase after a 404, and no money moves", async () => {
    await register();
    receiver.behave(404);
    await buy("blocked");
    const purchase = await get("blocked");
    expect(purchase.error).toEqual({
      code: "VERIFICATION_BLOCKED",
      description: "The shop's own system did not allow the purchase. Nothing was charged.",
      message: "The shop's own system does not allow it.",
    });
    expect(messages(purchase)).toEqual([
      ...WAITING,
      "FAILED: The shop's own system does not allow it.",
    ]);
    expect(await balance()).toBe(100_000);
    expect(await actions()).toEqual(["webhook.add"]);
    await till.advance(HOUR);
    expect(receiver.received).toHaveLength(1);
  });

  it.each<Behaviour>([500, 403, 302, 400, "reset"])(
    "blocks the purchase as unverified after %s (VERIFICATION_TIMEOUT), and alerts the owner",
    async (behaviour) => {
      await register();
      receiver.behave(behaviour);
      await buy("unverified");
      expect((await get("unverified")).error.code).toBe("VERIFICATION_TIMEOUT");
      expect(await balance()).toBe(100_000);
      expect(await actions()).toEqual(["webhook.add", "webhook.unverified unverified"]);
      const [webhook] = await till.gateway.context.webhooks.list("default");
      expect(webhook!.failingSince).toBe("2026-01-15T09:30:00.000Z");
    },
  );

  it("blocks the purchase as unverified after exactly 20 s without a response", async () => {
    await register();
    receiver.behave("hang");
    await buy("silent");
    await till.advance(20 * SECOND - 1);
    expect((await get("silent")).status).toBe("PENDING");
    await till.advance(1);
    const purchase = await get("silent");
    expect(purchase.error.code).toBe("VERIFICATION_TIMEOUT");
    expect(purchase.updatedAt).toBe("2026-01-15T09:30:20.000Z");
    expect(await actions()).toEqual(["webhook.add", "webhook.unverified silent"]);
  });

  it("never pauses, however long it fails, so that no purchase passes unverified", async () => {
    await register();
    receiver.behave(500);
    for (let n = 0; n < 5; n++) {
      await buy(`failing-${n}`);
      till.clock.set(till.clock.now() + 12 * HOUR);
      await till.settle();
    }
    const [webhook] = await till.gateway.context.webhooks.list("default");
    expect(webhook).toMatchObject({ failingSince: "2026-01-15T09:30:00.000Z" });
    expect(webhook!.pausedAt).toBeUndefined();
    await buy("still-asked");
    expect((await get("still-asked")).error.code).toBe("VERIFICATION_TIMEOUT");
  });

  it("delays no other purchase while it does not respond", async () => {
    await giveLiveCatalog(till, ["TIGO_GT_TOPUP_25"]);
    await register();
    receiver.behave("hang");
    await Promise.all(Array.from({ length: 80 }, (_, n) => buy(`slow-${n}`)));
    expect(receiver.held).toBe(64);
    await buy("live", "live");
    expect((await get("live", "live")).error.code).toBe("PROVIDER_NOT_CONFIGURED");
    receiver.behave(200);
    await till.advance(25 * SECOND);
    const { list } = (await till.v1("GET", "/topups/purchases?_limit=100&_offset=0")).body;
    const statuses = list.map(({ status }: { status: string }) => status);
    expect(statuses.filter((status: string) => status === "DONE")).toHaveLength(16);
    expect(statuses.filter((status: string) => status === "FAILED")).toHaveLength(64);
  });

  it("receives nothing from the other environment", async () => {
    await register("live");
    await buy("unasked");
    await till.advance(SECOND);
    expect((await get("unasked")).status).toBe("DONE");
    expect(receiver.received).toEqual([]);
  });

  it("receives sales of the till, whose results go to the listeners", async () => {
    await register();
    const result = { environment: "test", kind: "TOPUP", allowPrivate: true } as const;
    await till.gateway.context.webhooks.add(OWNER, { ...result, url: `${receiver.url}/result` });
    receiver.behave(404, 200);
    const owner = await openTill(till);
    const line = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
    const sold = await owner.sell([{ ...line, transactionId: "at-the-till" }]);
    expect(sold.status).toBe(200);
    await till.settle();
    expect(receiver.received.map(({ path }) => path)).toEqual(["/verify", "/result"]);
    const notified = JSON.parse(receiver.received[1]!.body);
    expect(notified).toEqual(await get("at-the-till"));
    expect(notified.error.code).toBe("VERIFICATION_BLOCKED");
  });
});

describe("a webhook that verifies and receives results", () => {
  function registerBoth() {
    const kinds: ["TRANSACTION", "TOPUP"] = ["TRANSACTION", "TOPUP"];
    const input = { environment: "test", kinds, url: `${receiver.url}/both` } as const;
    return till.gateway.context.webhooks.add(OWNER, { ...input, allowPrivate: true });
  }

  it("gets four results at once while it answers no verification", async () => {
    await registerBoth();
    receiver.behave("hang");
    await Promise.all(Array.from({ length: 5 }, (_, n) => buy(`slow-${n}`)));
    for (let n = 0; n < 6; n++) {
      await till.gateway.context.webhooks.trigger(OWNER, { environment: "test", kind: "TOPUP" });
    }
    await till.settle();
    const kinds = receiver.received.map(({ headers }) => headers["webhook-kind"]);
    expect(kinds.filter((kind) => kind === "TRANSACTION")).toHaveLength(5);
    expect(kinds.filter((kind) => kind === "TOPUP")).toHaveLength(4);
  });

  it("ends its attempt if it no longer verifies, and the purchase continues", async () => {
    const { webhook } = await registerBoth();
    const { webhooks } = till.gateway.context;
    receiver.behave("hang", 200);
    await buy("dropped");
    await webhooks.change(OWNER, webhook.webhookId, { kinds: ["TOPUP"] });
    await till.advance(20 * SECOND);
    const query = { kind: "TRANSACTION", _limit: 10, _offset: 0 } as const;
    const [question] = (await webhooks.listDeliveries("default", query)).list;
    expect(question).toMatchObject({
      state: "CANCELLED",
      attempts: [{ error: "No answer within 20 s.", duration_ms: 20 * SECOND }],
    });
    await till.advance(11 * SECOND);
    expect((await get("dropped")).status).toBe("DONE");
    expect(receiver.received.map(({ headers }) => headers["webhook-kind"])).toEqual([
      "TRANSACTION",
      "TOPUP",
    ]);
  });

  it("gets a purchase's verification again after it stopped verifying for a moment", async () => {
    const { webhook } = await registerBoth();
    const { webhooks } = till.gateway.context;
    receiver.behave("hang", 200, 200, 404);
    await buy("taken-back");
    await webhooks.change(OWNER, webhook.webhookId, { kinds: ["TOPUP"] });
    await till.advance(20 * SECOND);
    await webhooks.change(OWNER, webhook.webhookId, { kinds: ["TRANSACTION", "TOPUP"] });
    await till.advance(11 * SECOND);
    await till.advance(SECOND);
    expect((await get("taken-back")).status).toBe("DONE");
    expect(receiver.received.map(({ headers }) => headers["webhook-kind"])).toEqual([
      "TRANSACTION",
      "TRANSACTION",
      "TOPUP",
    ]);
  });
});

describe("a stop of the gateway during a verification", () => {
  it("causes the same request with the same id at the next start, and the purchase continues", async () => {
    await register();
    receiver.behave("hang");
    await buy("cut");
    receiver.behave(200);
    await till.restart();
    await till.settle();
    expect((await get("cut")).status).toBe("IN_PROGRESS");
    await till.advance(SECOND);
    expect((await get("cut")).status).toBe("DONE");
    expect(receiver.received).toHaveLength(2);
    expect(new Set(receiver.ids).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it("causes no second request if the response was stored", async () => {
    await register();
    await buy("answered");
    expect((await get("answered")).status).toBe("IN_PROGRESS");
    await till.restart();
    await till.advance(SECOND);
    expect((await get("answered")).status).toBe("DONE");
    expect(receiver.received).toHaveLength(1);
  });
});

describe("removing or replacing a verifier during its request", () => {
  it("lets the purchase continue if no verifier remains", async () => {
    const { webhook } = await register();
    receiver.behave("hang");
    await buy("orphan");
    await till.gateway.context.webhooks.remove(OWNER, webhook.webhookId);
    await till.advance(31 * SECOND);
    expect((await get("orphan")).status).toBe("DONE");
  });

  it("sends a request to the new verifier", async () => {
    const { webhook } = await register();
    receiver.behave("hang");
    await buy("handed-over");
    await till.gateway.context.webhooks.remove(OWNER, webhook.webhookId);
    receiver.behave(404);
    await register("test", "/other");
    await till.advance(31 * SECOND);
    expect((await get("handed-over")).error.code).toBe("VERIFICATION_BLOCKED");
    expect(receiver.received.map(({ path }) => path)).toEqual(["/verify", "/other"]);
    expect(new Set(receiver.ids).size).toBe(2);
  });
});

describe("a verification resent by hand", () => {
  it("changes nothing and goes out once; the gateway refuses to resend during the first request", async () => {
    await register();
    receiver.behave("hang");
    await buy("question");
    const { webhooks } = till.gateway.context;
    const list = async () =>
      (await webhooks.listDeliveries("default", { _limit: 10, _offset: 0 })).list[0]!;
    await expect(webhooks.resend(OWNER, (await list()).deliveryId)).rejects.toThrow(/being asked/);
    await till.advance(20 * SECOND);
    expect(await list()).toMatchObject({ kind: "TRANSACTION", state: "FAILED" });
    receiver.behave(500);
    await webhooks.resend(OWNER, (await list()).deliveryId);
    await till.advance(HOUR);
    expect(receiver.received).toHaveLength(2);
    expect(await list()).toMatchObject({ state: "FAILED" });
    expect((await get("question")).error.code).toBe("VERIFICATION_TIMEOUT");
  });
});

describe("replacing the verifier under load", () => {
  /** Buys in five groups. The verifier is exchanged while each group is accepted and verified. */
  async function buyDuring(exchange: (n: number) => Promise<void>): Promise<string[]> {
    await register();
    const ids: string[] = [];
    for (let group = 0; group < 5; group++) {
      const bought = Array.from({ length: 8 }, (_, n) => `swapped-${group}-${n}`);
      const exchanged = exchange(group);
      await Promise.all([...bought.map((id) => buy(id)), exchanged]);
      ids.push(...bought);
    }
    await till.advance(31 * SECOND);
    await till.advance(SECOND);
    return ids;
  }

  async function expectVerified(ids: string[]): Promise<void> {
    const asked = new Set(receiver.received.map(({ body }) => JSON.parse(body).transactionId));
    expect(ids.filter((id) => !asked.has(id))).toEqual([]);
    for (const id of ids) expect((await get(id)).status).toBe("DONE");
    expect(new Set(receiver.received.map(({ path }) => path)).size).toBeGreaterThan(1);
  }

  async function findWebhookId(): Promise<string> {
    return (await till.gateway.context.webhooks.list("default"))[0]!.webhookId;
  }

  it("leaves no purchase unverified while its address changes", async () => {
    const ids = await buyDuring(async (n) => {
      const change = { url: `${receiver.url}/changed-${n}`, allowPrivate: true };
      await till.gateway.context.webhooks.change(OWNER, await findWebhookId(), change);
    });
    await expectVerified(ids);
  });

  it("leaves no purchase unverified while others take its place", async () => {
    const ids = await buyDuring(async (n) => {
      const input = { environment: "test", kind: "TRANSACTION", allowPrivate: true } as const;
      const replaces = await findWebhookId();
      const url = `${receiver.url}/other-${n}`;
      await till.gateway.context.webhooks.add(OWNER, { ...input, url, replaces });
    });
    await expectVerified(ids);
    expect(await till.gateway.context.webhooks.list("default")).toHaveLength(1);
  });
});
