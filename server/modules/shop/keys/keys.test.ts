import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

let gateway: TestGateway;
let owner: TestTill;
let receiver: Receiver;
beforeAll(async () => {
  gateway = await startTestGateway();
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
