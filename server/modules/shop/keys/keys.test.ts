import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calendarOf, dateOf } from "../../../contract/pos/shop-day.ts";
import { DAY, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

let gateway: TestGateway;
let owner: TestTill;
let receiver: Receiver;
const statements: string[] = [];
beforeAll(async () => {
  gateway = await startTestGateway({ onStatement: (text) => statements.push(text) });
  owner = await openTill(gateway);
  receiver = await startReceiver(gateway);
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

function callWith(secret: string) {
  return gateway.call("GET", "/v1/balance", { headers: { authorization: `Bearer ${secret}` } });
}

async function newestAction() {
  return (await owner.pos("GET", "/audit-trail?limit=1")).body.list[0];
}

describe("an API key", () => {
  it("appears only once, works only in its environment, stores its last use, and can be revoked", async () => {
    const input = {
      environment: "test",
      name: " Web shop ",
      allowedAddresses: ["127.0.0.0/8", "fd00::/8", "::1"],
    };
    const { key, secret } = (await owner.pos("POST", "/keys", input)).body;
    expect(secret).toMatch(/^test_/);
    expect(key).toMatchObject({ name: "Web shop", hint: secret.slice(0, 10) });
    const made = await newestAction();
    expect(made).toMatchObject({
      action: "key.create",
      staff: { name: "Olga" },
      subject: key.keyId,
    });
    expect((await callWith(secret)).status).toBe(200);
    const { list } = (await owner.pos("GET", "/keys")).body;
    const used = list.find(({ keyId }: { keyId: string }) => keyId === key.keyId);
    expect(used).toMatchObject({ lastUsedAt: expect.any(String) });
    expect(JSON.stringify(list)).not.toContain(secret);
    await owner.pos("DELETE", `/keys/${key.keyId}`);
    expect((await callWith(secret)).status).toBe(401);
    expect(await newestAction()).toMatchObject({ action: "key.revoke", staff: { name: "Olga" } });
    const left = (await owner.pos("GET", "/keys")).body.list;
    expect(left).toContainEqual({ ...used, revokedAt: expect.any(String) });
    const again = await owner.pos("DELETE", `/keys/${key.keyId}`);
    expect(again.body.errorCode).toBe("NOT_FOUND");
  });

  it("causes one audit entry per hour and address when it is refused, without its secret", async () => {
    const wrong = "test_no-such-key-was-ever-made";
    for (let n = 0; n < 3; n++) expect((await callWith(wrong)).status).toBe(401);
    const { list } = (await owner.pos("GET", "/audit-trail?action=key.refused&limit=10")).body;
    expect(list).toMatchObject([{ detail: { address: "127.0.0.1", why: "UNKNOWN" } }]);
    expect(JSON.stringify(list)).not.toContain(wrong);
  });

  it("requires valid fields, and an error names the invalid field", async () => {
    const wrong = { environment: "test", name: "Web shop", allowedAddresses: ["nowhere"] };
    const refused = await owner.pos("POST", "/keys", wrong);
    expect(refused.body.fields).toEqual({ allowedAddresses: expect.any(String) });
    const nameless = await owner.pos("POST", "/keys", { environment: "test", name: " " });
    expect(nameless.body.fields).toHaveProperty("name");
  });
});

/** An operation of each scope. */
const OPERATIONS = {
  read: "/v1/topups/offers?_limit=1&_offset=0",
  sell: "/v1/vouchers/purchases?_limit=1&_offset=0",
  reports: "/v1/reports/transactions/none",
} as const;

async function tryOperations(secret: string) {
  const headers = { authorization: `Bearer ${secret}` };
  const answers = Object.entries(OPERATIONS).map(async ([scope, path]) => {
    const { status, body } = await gateway.call("GET", path, { headers });
    return [scope, status === 403 ? body.message : status];
  });
  return Object.fromEntries(await Promise.all(answers));
}

describe("the scopes of an API key", () => {
  it("permit only their operations, and a refusal names the missing scope", async () => {
    const lacks = (scope: string) =>
      `The API key lacks the scope ${scope}, which this operation requires.`;
    const allowed = { read: 200, sell: 200, reports: 404 };
    for (const scope of ["read", "sell", "reports"] as const) {
      const input = { environment: "test", name: scope, scopes: [scope] };
      const { key, secret } = (await owner.pos("POST", "/keys", input)).body;
      expect(key.scopes).toEqual([scope]);
      const expected = Object.keys(OPERATIONS).map((one) => [one, lacks(one)]);
      expect(await tryOperations(secret)).toEqual({
        ...Object.fromEntries(expected),
        [scope]: allowed[scope],
      });
      expect((await newestAction()).detail).toMatchObject({ name: scope, scopes: scope });
    }
    const { key, secret } = (
      await owner.pos("POST", "/keys", { environment: "test", name: "Every scope" })
    ).body;
    expect(key).toMatchObject({ scopes: ["read", "sell", "reports"] });
    expect(await tryOperations(secret)).toEqual(allowed);
  });

  it("count refused requests towards the rate limit", async () => {
    const limited = await startTestGateway({ rateLimit: { burst: 2, perSecond: 1 } });
    const till = await openTill(limited);
    const input = { environment: "test", name: "Reader", scopes: ["read"] };
    const { secret } = (await till.pos("POST", "/keys", input)).body;
    const headers = { authorization: `Bearer ${secret}` };
    const answers = [];
    for (let number = 0; number < 3; number++) {
      const answer = await limited.call("GET", OPERATIONS.sell, { headers });
      answers.push([answer.status, answer.headers.get("ratelimit-remaining")]);
    }
    expect(answers).toEqual([
      [403, "1"],
      [403, "0"],
      [429, "0"],
    ]);
    await limited.close();
  });

  it("must be known, and named once each", async () => {
    for (const scopes of [[], ["write"], ["read", "read"]]) {
      const refused = await owner.pos("POST", "/keys", { environment: "test", name: "x", scopes });
      expect(refused.body).toMatchObject({ errorCode: "INVALID_REQUEST" });
    }
  });
});

describe("the expiry of an API key", () => {
  it("ends the key with its last day in the shop's time zone", async () => {
    const now = gateway.clock.now();
    const timeZone = "Pacific/Auckland";
    const day = dateOf(now, calendarOf(timeZone));
    const expiresOn = toTimestamp(day * DAY).slice(0, 10);
    const { settings } = gateway.gateway.context;
    await settings.change({ accountId: "default" }, { timeZone });
    const { key, secret } = (
      await owner.pos("POST", "/keys", { environment: "test", name: "Short", expiresOn })
    ).body;
    const end = Date.parse(key.expiresAt);
    // Midnight in Auckland is 11:00 UTC in summer.
    expect(key.expiresAt).toBe(`${expiresOn}T11:00:00.000Z`);
    expect((await newestAction()).detail).toMatchObject({ expiresOn });
    await gateway.advance(end - 1 - now);
    expect((await callWith(secret)).status).toBe(200);
    await gateway.advance(1);
    expect(await callWith(secret)).toMatchObject({
      status: 401,
      body: { errorCode: "NOT_AUTHORIZED", message: expect.stringContaining(key.expiresAt) },
    });
    expect(await newestAction()).toMatchObject({
      action: "key.refused",
      subject: key.keyId,
      detail: { why: "EXPIRED", name: "Short" },
    });
  });

  it("must be an existing day that has not ended", async () => {
    for (const expiresOn of ["2020-01-31", "2999-02-30", "tomorrow"]) {
      const refused = await owner.pos("POST", "/keys", {
        environment: "test",
        name: "x",
        expiresOn,
      });
      expect([expiresOn, Object.keys(refused.body.fields)]).toEqual([expiresOn, ["expiresOn"]]);
    }
  });
});

describe("the last use of a key", () => {
  it("costs at most one write a minute, whatever the number of requests", async () => {
    const { secret } = (await owner.pos("POST", "/keys", { environment: "test", name: "Busy" }))
      .body;
    const writes = async (work: () => Promise<unknown>) => {
      const before = statements.length;
      await work();
      await gateway.gateway.context.keys.settle();
      return statements.slice(before).filter((text) => /update "api_keys"/.test(text)).length;
    };
    const burst = () => Promise.all(Array.from({ length: 20 }, () => callWith(secret)));
    expect(await writes(burst)).toBe(1);
    expect(await writes(burst)).toBe(0);
    await gateway.advance(MINUTE);
    expect(await writes(burst)).toBe(1);
  });
});

describe("a test message", () => {
  it("has a signature and no transaction, and shows the receiver's response", async () => {
    const url = `${receiver.url}/hook`;
    const input = { environment: "test", kind: "TOPUP", url, allowPrivate: true };
    const { webhookId } = (await owner.pos("POST", "/webhooks", input)).body.webhook;
    const path = `/webhooks/${webhookId}/test`;
    const taken = (await owner.pos("POST", path)).body;
    expect(taken).toMatchObject({ taken: true, attempt: { status: 200, answer: "said 200" } });
    const [message] = receiver.received;
    expect(message?.headers["webhook-signature"]).toMatch(/^v1,/);
    expect(JSON.parse(message?.body ?? "{}")).toMatchObject({
      transactionId: "tillgate-test-message",
      status: "DONE",
    });
    receiver.behave(503);
    expect((await owner.pos("POST", path)).body).toMatchObject({
      taken: false,
      attempt: { status: 503 },
    });
    expect((await owner.pos("GET", "/webhooks/deliveries?_limit=9&_offset=0")).body.total).toBe(0);
    expect((await owner.pos("GET", "/webhooks")).body.list[0]).not.toHaveProperty("failingSince");
    expect(await newestAction()).toMatchObject({ action: "webhook.test", detail: { status: 503 } });
    const nobody = await owner.pos("POST", "/webhooks/nobody/test");
    expect(nobody.body.errorCode).toBe("NOT_FOUND");
  });
});

describe("the shop's name, language and country", () => {
  it("change at once on every till, and the audit trail records the old values", async () => {
    const changed = await owner.pos("PATCH", "/shop", { name: " Corner Shop II ", language: "es" });
    expect(changed.body).toMatchObject({ name: "Corner Shop II", language: "es" });
    const entry = await newestAction();
    expect(entry.detail).toMatchObject({
      shopName: "Corner Shop II",
      "shopName.was": "Corner Shop",
    });
    await owner.pos("PATCH", "/shop", { country: "GT" });
    const status = await gateway.call("GET", "/pos/status");
    expect(status.body).toMatchObject({
      shopName: "Corner Shop II",
      language: "es",
      country: "GT",
    });
    const unset = (await owner.pos("PATCH", "/shop", { country: "" })).body;
    expect(unset.chosenCountry).toBe(false);
  });

  it("require valid values, and an error names the invalid field", async () => {
    for (const [field, value] of [
      ["name", "\u202E"],
      ["language", "de"],
      ["country", "ZZ"],
    ]) {
      const refused = await owner.pos("PATCH", "/shop", { [field ?? ""]: value });
      expect([field, Object.keys(refused.body.fields)]).toEqual([field, [field]]);
    }
  });
});
