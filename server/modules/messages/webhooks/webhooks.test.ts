import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DAY, SECOND } from "../../../lib/clock.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { readKept } from "../../../testing/kept-bytes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

let till: TestGateway;
let owner: TestTill;
let receiver: Receiver;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  receiver = await startReceiver(till);
});
afterEach(async () => {
  await till.close();
  await receiver.close();
});

function input(changes: object = {}) {
  const url = `${receiver.url}/hook`;
  return { environment: "test", kind: "TOPUP", url, allowPrivate: true, ...changes };
}

function add(changes: object = {}) {
  return owner.pos("POST", "/webhooks", input(changes));
}

async function buy(transactionId: string): Promise<void> {
  const recipientPhoneNumber = "+50251234567";
  const body = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber };
  expect((await till.v1("POST", "/topups/purchases", body)).status).toBe(200);
  await till.advance(SECOND);
}

function findVerifyingSecrets(secrets: string[], at: number): string[] {
  const { headers, body } = receiver.received.at(at)!;
  return secrets.filter((secret) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  });
}

describe("changing a webhook", () => {
  it("keeps the previous secret in the signatures for a day after a rotation", async () => {
    const { webhook, secret: before } = (await add()).body;
    const rotated = await owner.pos("POST", `/webhooks/${webhook.webhookId}/secret`);
    const { secret: after, oldSecretUntil } = rotated.body;
    expect([rotated.status, after === before]).toEqual([200, false]);
    expect(Date.parse(oldSecretUntil)).toBe(till.clock.now() + DAY);
    vi.useFakeTimers({ toFake: ["Date"], now: till.clock.now() });
    await buy("both");
    vi.setSystemTime(till.clock.now());
    expect(findVerifyingSecrets([before, after], -1)).toEqual([before, after]);
    await till.advance(DAY);
    vi.setSystemTime(till.clock.now());
    await buy("new");
    vi.setSystemTime(till.clock.now());
    expect(findVerifyingSecrets([before, after], -1)).toEqual([after]);
    vi.useRealTimers();
    // Signs in again, because the previous session has expired.
    const again = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
    const listed = (await again.pos("GET", "/webhooks")).body.list;
    expect(listed[0]).not.toHaveProperty("oldSecretUntil");
  });

  it("lets no purchase pass unverified while the verifying webhook gets another address", async () => {
    const kind = "TRANSACTION";
    const { webhookId } = (await add({ kind, url: `${receiver.url}/old` })).body.webhook;
    await buy("before");
    const url = `${receiver.url}/new`;
    const change = { url, allowPrivate: true };
    expect((await owner.pos("PATCH", `/webhooks/${webhookId}`, change)).status).toBe(200);
    await buy("after");
    expect(receiver.received.map(({ path }) => path)).toEqual(["/old", "/new"]);
    receiver.answerHead(500);
    const refused = await owner.pos("PATCH", `/webhooks/${webhookId}`, {
      ...change,
      url: `${url}2`,
    });
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ["url"]]);
    const listed = (await owner.pos("GET", "/webhooks")).body.list;
    expect(listed).toMatchObject([{ webhookId, url }]);
    const nobody = await owner.pos("POST", "/webhooks/nobody/secret");
    expect([nobody.status, nobody.body.errorCode]).toEqual([404, "NOT_FOUND"]);
  });
});

describe("registering a webhook", () => {
  it.each([405, 501])(
    "accepts a receiver that takes only POST and answers HEAD with %i",
    async (status) => {
      receiver.answerHead(status);
      for (const kind of ["TOPUP", "TRANSACTION"]) expect((await add({ kind })).status).toBe(200);
    },
  );

  it("sends a HEAD request to the URL, and shows the signing secret once", async () => {
    const header = { headerName: "Authorization", headerValue: "Bearer very-secret" };
    const answer = await add(header);
    expect(answer.body).toEqual({
      webhook: {
        webhookId: expect.any(String),
        environment: "test",
        kind: "TOPUP",
        url: `${receiver.url}/hook`,
        headerName: "Authorization",
        allowPrivate: true,
        createdAt: "2026-01-15T09:30:00.000Z",
        waiting: 0,
      },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(receiver.heads).toMatchObject([{ authorization: "Bearer very-secret" }]);
    const listed = await owner.pos("GET", "/webhooks");
    expect(listed.body).toEqual({ list: [answer.body.webhook] });
    await buy("with-header");
    expect(receiver.received[0]!.headers.authorization).toBe("Bearer very-secret");
  });

  it("leaves no secret readable in the data directory or in the audit trail", async () => {
    const answer = await add({ headerName: "X-Key", headerValue: "very-secret" });
    await buy("noted");
    const bytes = await readKept(till);
    expect(bytes).toContain("webhook.add");
    expect(bytes).not.toContain("very-secret");
    expect(bytes).not.toContain(answer.body.secret.slice("whsec_".length));
  });

  it("accepts several listeners, one verifier, and no duplicate", async () => {
    expect((await add()).status).toBe(200);
    expect((await add({ url: `${receiver.url}/other` })).status).toBe(200);
    expect((await add({ environment: "live" })).status).toBe(200);
    expect((await add()).body.fields).toEqual({ url: "is registered already" });
    expect((await add({ url: `${receiver.url}/x/../hook` })).body.fields).toEqual({
      url: "is registered already",
    });
    expect((await add({ kind: "TRANSACTION" })).status).toBe(200);
    expect((await add({ kind: "TRANSACTION", environment: "live" })).status).toBe(200);
    const second = await add({ kind: "TRANSACTION", url: `${receiver.url}/second` });
    expect(second.body.fields.kind).toMatch(/only one webhook can verify/);
    for (let n = 0; n < 8; n++) {
      expect((await add({ url: `${receiver.url}/${n}` })).status).toBe(200);
    }
    const excess = await add({ url: `${receiver.url}/excess` });
    expect(excess.body.fields).toEqual({ kind: "has 10 webhooks already" });
  });

  it("creates only one webhook for two simultaneous requests", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => add()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await owner.pos("GET", "/webhooks")).body.list).toHaveLength(1);
  });

  it.each<[string, object, string, RegExp]>([
    ["no URL", { url: "shop" }, "url", /is not a URL/],
    ["another scheme", { url: "ftp://shop.example/" }, "url", /http:\/\/ or https/],
    ["a password in the URL", { url: "https://a:b@shop.example/" }, "url", /use a header/],
    ["an unknown kind", { kind: "REFUND" }, "kind", /must be one of/],
    ["an unknown environment", { environment: "prod" }, "environment", /must be one of/],
    ["a header without a value", { headerName: "X-Key" }, "headerValue", /is required/],
    ["a value without a header", { headerValue: "x" }, "headerName", /is required/],
    ["a header of ours", { headerName: "webhook-id", headerValue: "x" }, "headerName", /be set/],
    ["a header of HTTP", { headerName: "Host", headerValue: "x" }, "headerName", /cannot be set/],
    ["a header name", { headerName: "a b", headerValue: "x" }, "headerName", /name of an HTTP/],
    ["a header injection", { headerName: "A", headerValue: "x\r\nB: y" }, "headerValue", /ASCII/],
    ["an unknown field", { secret: "whsec_mine" }, "secret", /not a known field/],
    ["loopback", { allowPrivate: false }, "url", /of this machine or of a private network/],
    ["loopback by name", { url: "http://localhost:9/", allowPrivate: false }, "url", /localhost/],
    ["metadata", { url: "http://169.254.169.254/latest" }, "url", /cloud-metadata/],
    ["metadata in disguise", { url: "http://[::ffff:a9fe:a9fe]/" }, "url", /cloud-metadata/],
  ])("fails for %s and leaves no trace", async (_name, changes, field, rule) => {
    const before = await digestDatabase(till.gateway.context.db);
    const answer = await add(changes);
    expect(answer).toMatchObject({ status: 400, body: { errorCode: "INVALID_REQUEST" } });
    expect(answer.body.fields[field]).toMatch(rule);
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
    expect(receiver.heads).toEqual([]);
  });

  it.each([404, 500, 301, 204])("fails if the response to HEAD is not 2xx: %i", async (status) => {
    receiver.answerHead(status);
    const answer = await add();
    if (status === 204) expect(answer.status).toBe(200);
    else expect(answer.body.fields).toEqual({ url: `answered ${status} to a HEAD, not 2xx` });
    expect(receiver.heads).toHaveLength(1);
  });

  it("fails without a response within 10 s, or if nothing listens at the address", async () => {
    receiver.answerHead("hang");
    const late = add();
    while (receiver.heads.length === 0) await new Promise(setImmediate);
    till.clock.set(till.clock.now() + 10 * SECOND);
    expect((await late).body.fields.url).toBe("did not answer a HEAD: No answer within 10 s.");
    await receiver.close();
    expect((await add()).body.fields.url).toMatch(/^did not answer a HEAD: Nothing listens there/);
    receiver = await startReceiver(till);
  });
});

describe("the list of deliveries", () => {
  it("has pages and filters, shows the newest delivery first, and can resend a delivery", async () => {
    await add();
    await add({ url: `${receiver.url}/other` });
    receiver.behave(200, 200, 500);
    await buy("first");
    await buy("second");
    const page = (query: string) => owner.pos("GET", `/webhooks/deliveries?${query}`);
    const all = (await page("_limit=3&_offset=1")).body;
    expect(all).toMatchObject({ limit: 3, offset: 1, total: 4 });
    expect(all.list.map((d: { transactionId: string }) => d.transactionId)).toEqual([
      "second",
      "first",
      "first",
    ]);
    const { body } = await page("_limit=9&_offset=0&transactionId=first&environment=test");
    expect(body.total).toBe(2);
    const { webhookId } = (await owner.pos("GET", "/webhooks")).body.list[0];
    expect((await page(`_limit=9&_offset=0&webhookId=${webhookId}`)).body.total).toBe(2);
    expect((await page("_limit=9&_offset=0&state=PENDING")).body.total).toBe(2);
    expect((await page("_limit=9&_offset=0&environment=live")).body.total).toBe(0);
    expect((await page("_limit=9&_offset=0&state=LOST")).status).toBe(400);
    const [{ deliveryId }] = body.list;
    const sent = await owner.pos("POST", `/webhooks/deliveries/${deliveryId}/resend`);
    expect(sent.body).toMatchObject({ deliveryId, state: "PENDING" });
    await till.settle();
    expect(receiver.ids.filter((id) => id === deliveryId)).toHaveLength(2);
    const trail = await till.gateway.context.db
      .selectFrom("audit_trail")
      .select(["action", "staff_id"])
      .where("action", "=", "webhook.resend")
      .execute();
    expect(trail).toEqual([{ action: "webhook.resend", staff_id: owner.staffId }]);
  });
});

describe("webhooks", () => {
  it("the gateway answers 404 for a webhook or delivery that does not exist", async () => {
    for (const [method, path] of [
      ["DELETE", "/webhooks/nothing"],
      ["POST", "/webhooks/nothing/resume"],
      ["POST", "/webhooks/deliveries/nothing/resend"],
    ] as const) {
      expect([path, (await owner.pos(method, path)).status]).toEqual([path, 404]);
    }
  });

  it("can be removed and resumed", async () => {
    const { webhookId } = (await add()).body.webhook;
    expect((await owner.pos("POST", `/webhooks/${webhookId}/resume`)).status).toBe(200);
    expect((await owner.pos("DELETE", `/webhooks/${webhookId}`)).status).toBe(200);
    expect((await owner.pos("GET", "/webhooks")).body.list).toEqual([]);
    expect((await owner.pos("DELETE", `/webhooks/${webhookId}`)).status).toBe(404);
  });

  it("report a missing key file at each attempt, and deliver after the file is back", async () => {
    await add();
    const { sealer } = till.gateway.context;
    const open = sealer.open;
    sealer.open = () => {
      throw new Error("The key file is missing: enter them again.");
    };
    await buy("sealed");
    const list = async () =>
      (await owner.pos("GET", "/webhooks/deliveries?_limit=1&_offset=0")).body.list[0];
    expect((await list()).attempts[0].error).toMatch(/key file is missing/);
    sealer.open = open;
    await till.advance(2 * SECOND);
    expect((await list()).state).toBe("DELIVERED");
  });
});
