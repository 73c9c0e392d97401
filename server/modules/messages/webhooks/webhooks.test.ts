import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WEBHOOK_KINDS } from "../../../contract/pos/webhooks.ts";
import { DAY, HOUR, SECOND } from "../../../lib/clock.ts";
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

describe("a rotation", () => {
  it("lets the old secret sign for the given hours; 0 ends it at once", async () => {
    const { webhook, secret: first } = (await add()).body;
    const rotate = (hours: number) =>
      owner.pos("POST", `/webhooks/${webhook.webhookId}/secret?oldSecretHours=${hours}`);
    const { secret: second } = (await rotate(1)).body;
    const refused = await rotate(1);
    expect(refused.body.fields.oldSecretHours).toMatch(/must be 0.*2026-01-15T10:30:00.000Z/);
    vi.useFakeTimers({ toFake: ["Date"], now: till.clock.now() });
    await buy("both");
    vi.setSystemTime(till.clock.now());
    expect(findVerifyingSecrets([first, second], -1)).toEqual([first, second]);
    const { secret: third, oldSecretUntil } = (await rotate(0)).body;
    expect(oldSecretUntil).toBeUndefined();
    await buy("only-the-third");
    vi.setSystemTime(till.clock.now());
    expect(findVerifyingSecrets([first, second, third], -1)).toEqual([third]);
    vi.useRealTimers();
    expect((await rotate(169)).status).toBe(400);
  });
});

describe("a webhook of several kinds", () => {
  it("gets the verification and the result of a purchase, and its header names the kind", async () => {
    await add({ kind: undefined, kinds: ["TRANSACTION", "TOPUP"], description: "Web shop" });
    await buy("both-kinds");
    expect(receiver.received.map(({ headers }) => headers["webhook-kind"])).toEqual([
      "TRANSACTION",
      "TOPUP",
    ]);
    expect(new Set(receiver.ids).size).toBe(2);
    const [webhook] = (await owner.pos("GET", "/webhooks")).body.list;
    expect(webhook).toMatchObject({ kinds: ["TOPUP", "TRANSACTION"], description: "Web shop" });
  });

  it("can be given other kinds; messages of a kind that it loses are cancelled", async () => {
    const { webhookId } = (await add({ kind: undefined, kinds: ["TOPUP", "ESIM"] })).body.webhook;
    receiver.behave(500);
    await buy("waiting");
    const kinds = ["ESIM", "VOUCHER"];
    const change = { kinds, description: "Vouchers" };
    expect((await owner.pos("PATCH", `/webhooks/${webhookId}`, change)).status).toBe(200);
    const [webhook] = (await owner.pos("GET", "/webhooks")).body.list;
    expect(webhook).toMatchObject({ kinds: ["VOUCHER", "ESIM"], waiting: 0, webhookId });
    const { list } = (await owner.pos("GET", "/webhooks/deliveries?_limit=9&_offset=0")).body;
    expect(list).toMatchObject([{ kind: "TOPUP", subject: "waiting", state: "CANCELLED" }]);
    const trail = await till.gateway.context.db
      .selectFrom("audit_trail")
      .select(["staff_id", "detail_json"])
      .where("action", "=", "webhook.change")
      .execute();
    expect(trail).toMatchObject([{ staff_id: owner.staffId }]);
    expect(JSON.stringify(trail)).toContain("VOUCHER, ESIM");
  });

  it("keeps its header if only its kinds change", async () => {
    const header = { headerName: "X-Key", headerValue: "k" };
    const { webhookId } = (await add(header)).body.webhook;
    const heads = receiver.heads.length;
    await owner.pos("PATCH", `/webhooks/${webhookId}`, { kinds: ["TOPUP", "ESIM"] });
    expect(receiver.heads).toHaveLength(heads);
    await buy("with-header");
    expect(receiver.received[0]!.headers["x-key"]).toBe("k");
    const refused = await owner.pos("PATCH", `/webhooks/${webhookId}`, { allowPrivate: false });
    expect(refused.body.fields.url).toMatch(/is required/);
  });

  it("cannot take a kind that another webhook of its address or the only verifier takes", async () => {
    await add({ kind: "TRANSACTION", url: `${receiver.url}/verify` });
    await add({ kind: "ESIM" });
    const { webhookId } = (await add()).body.webhook;
    const change = (kinds: string[]) => owner.pos("PATCH", `/webhooks/${webhookId}`, { kinds });
    expect((await change(["TOPUP", "TRANSACTION"])).body.fields.kind).toMatch(/only one webhook/);
    expect((await change(["TOPUP", "ESIM"])).body.fields.url).toBe("is registered already");
    expect((await change([])).status).toBe(400);
  });

  it("gets its waiting messages at once when a pause ends with a new address", async () => {
    const { webhookId } = (await add()).body.webhook;
    receiver.behave(503);
    for (const id of ["first", "second", "third"]) {
      await buy(id);
      await till.advance(13 * HOUR);
    }
    const again = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
    expect((await again.pos("GET", "/webhooks")).body.list[0].pausedAt).toBeDefined();
    await buy("during-the-pause");
    receiver.behave(200);
    const change = { url: `${receiver.url}/new`, allowPrivate: true };
    expect((await again.pos("PATCH", `/webhooks/${webhookId}`, change)).status).toBe(200);
    await till.settle();
    expect(receiver.received.at(-1)?.path).toBe("/new");
  });
});

describe("replacing a webhook by another", () => {
  it("removes the earlier one and hands its waiting messages over, with their ids", async () => {
    const { webhookId } = (await add()).body.webhook;
    receiver.behave(500, 200);
    await buy("waiting");
    const url = `${receiver.url}/new`;
    const replacing = await add({ url, replaces: webhookId });
    expect(replacing.status).toBe(200);
    await till.advance(SECOND);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hook", "/new"]);
    expect(new Set(receiver.ids).size).toBe(1);
    const { list } = (await owner.pos("GET", "/webhooks")).body;
    expect(list).toMatchObject([{ url, waiting: 0 }]);
    const unknown = await add({ url: `${url}2`, replaces: "nothing" });
    expect(unknown.body.fields.replaces).toMatch(/^names no webhook of test: /);
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
        kinds: ["TOPUP"],
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
    ["an unknown kind", { kind: "NOTHING" }, "kind", /must be one of/],
    ["no kind", { kind: undefined }, "kinds", /is required/],
    ["two forms of a kind", { kinds: ["ESIM"] }, "kinds", /cannot be given with kind/],
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

describe("a triggered sample", () => {
  it.each(WEBHOOK_KINDS)(
    "reaches the receiver of %s as a real message, and is marked",
    async (kind) => {
      const { secret } = (await add({ kind })).body;
      const { webhooks } = till.gateway.context;
      const author = { accountId: "default", staffId: undefined };
      const [sent] = await webhooks.trigger(author, { environment: "test", kind });
      await till.settle();
      const [{ headers }] = receiver.received as [(typeof receiver.received)[number]];
      expect(headers).toMatchObject({ "webhook-sample": "true", "webhook-kind": kind });
      expect(headers["webhook-id"]).toBe(sent!.deliveryId);
      vi.useFakeTimers({ toFake: ["Date"], now: till.clock.now() });
      expect(findVerifyingSecrets([secret], -1)).toEqual([secret]);
      vi.useRealTimers();
      const { list } = (await owner.pos("GET", "/webhooks/deliveries?_limit=9&_offset=0")).body;
      expect(list).toMatchObject([{ deliveryId: sent!.deliveryId, kind, state: "DELIVERED" }]);
      await expect(webhooks.trigger(author, { environment: "live", kind })).rejects.toThrow(
        /no such webhook of live/,
      );
    },
  );
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
