import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallOperation } from "../../../contract/pos/operation.ts";
import { addressOf, nameOf, OWN_PIN_HEADER } from "../../../contract/pos/operation.ts";
import { OPERATIONS } from "../../../contract/pos/operations.ts";
import { leastValue } from "../../../testing/least-value.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { cookieOf, OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";
import { startReceiver } from "../../../testing/webhook-receiver.ts";

let gateway: TestGateway;
let till: TestTill;

beforeAll(async () => {
  gateway = await startTestGateway();
  till = await openTill(gateway);
});
afterAll(() => gateway.close());

/** Sends a request in the owner's open session, with a PIN only if `pin` is given. */
function ask(method: string, path: string, body?: unknown, pin?: string): Promise<Answer> {
  const headers = { cookie: till.cookie, ...(pin !== undefined && { [OWN_PIN_HEADER]: pin }) };
  return gateway.call(method, path, { headers, ...(body !== undefined && { body }) });
}

function signIn(staffId: string, pin: string, newPin?: string): Promise<Answer> {
  const body = { staffId, pin, ...(newPin !== undefined && { newPin }) };
  return gateway.call("POST", "/pos/session", { body });
}

async function hire(name: string, pin: string, role = "clerk"): Promise<string> {
  const added = await ask("POST", "/pos/staff", { name, role, pin }, OWNER_PIN);
  expect(added.status).toBe(200);
  return added.body.staffId;
}

describe("an owner's open session without the PIN", () => {
  const asking = OPERATIONS.filter(({ asksPin }) => asksPin === "always") as CallOperation[];

  it.each(asking.map((operation) => [nameOf(operation), operation] as const))(
    "refuses %s",
    async (_name, operation) => {
      const { method, params, body } = operation;
      const path = addressOf(
        operation,
        (params ? leastValue(params) : {}) as Record<string, string>,
      );
      const answer = await ask(method, path, body && leastValue(body));
      expect([answer.status, answer.body.errorCode]).toEqual([403, "PIN_REQUIRED"]);
    },
  );

  it("the gateway requires the PIN for changes of staff, providers and devices, and to confirm bulk sales", () => {
    expect(asking.map(nameOf).toSorted()).toEqual([
      "DELETE /devices/:deviceId",
      "DELETE /upstream",
      "PATCH /providers/:providerId",
      "PATCH /staff/:staffId",
      "PATCH /upstream",
      "POST /bulk-runs/:runId/confirm",
      "POST /clock",
      "POST /customers/erasures",
      "POST /devices/codes",
      "POST /session/confirmation",
      "POST /staff",
      "POST /transactions/:transactionId/provider-answer",
      "POST /upstream/hook",
      "PUT /providers/brands",
      "PUT /providers/order",
      "PUT /providers/products",
      "PUT /session/pin",
      "PUT /upstream",
      "PUT /upstream/hook/secret",
    ]);
  });

  it("can create and revoke test keys, but not live keys", async () => {
    const key = { name: "shop" };
    const test = await ask("POST", "/pos/keys", { ...key, environment: "test" });
    expect(test.status).toBe(200);
    expect((await ask("DELETE", `/pos/keys/${test.body.key.keyId}`)).status).toBe(200);
    const refused = await ask("POST", "/pos/keys", { ...key, environment: "live" });
    expect(refused.body.errorCode).toBe("PIN_REQUIRED");

    const live = await ask("POST", "/pos/keys", { ...key, environment: "live" }, OWNER_PIN);
    const path = `/pos/keys/${live.body.key.keyId}`;
    expect((await ask("DELETE", path)).body.errorCode).toBe("PIN_REQUIRED");
    expect((await ask("DELETE", path, undefined, OWNER_PIN)).status).toBe(200);
  });

  it("can change test webhooks, but can neither change live webhooks nor copy test webhooks to live", async () => {
    const receiver = await startReceiver(gateway);
    const hook = { kind: "VOUCHER", url: `${receiver.url}/hook`, allowPrivate: true };
    const add = (environment: string, pin?: string) =>
      ask("POST", "/pos/webhooks", { ...hook, environment }, pin);
    expect((await add("test")).status).toBe(200);
    expect((await add("live")).body.errorCode).toBe("PIN_REQUIRED");

    const { list } = (await ask("GET", "/pos/environment-differences?from=test")).body;
    const copied = list.find(({ kind }: { kind: string }) => kind === "WEBHOOK");
    const copy = { from: "test", items: [{ id: copied.id, stamp: copied.stamp }] };
    const refused = await ask("POST", "/pos/environment-differences/copies", copy);
    expect(refused.body.errorCode).toBe("PIN_REQUIRED");

    const added = await add("live", OWNER_PIN);
    const path = `/pos/webhooks/${added.body.webhook.webhookId}`;
    const change = { url: `${receiver.url}/other`, allowPrivate: true };
    for (const [method, address, body] of [
      ["PATCH", path, change],
      ["POST", `${path}/secret`, undefined],
      ["DELETE", path, undefined],
    ] as const) {
      expect((await ask(method, address, body)).body.errorCode, method).toBe("PIN_REQUIRED");
      expect((await ask(method, address, body, OWNER_PIN)).status, method).toBe(200);
    }
    await receiver.close();
  });

  it("a wrong PIN in an operation that requires the PIN is counted as at the sign-in", async () => {
    const body = { name: "tablet" };
    const wrong = await ask("POST", "/pos/devices/codes", body, "112233");
    expect(wrong.body).toMatchObject({ errorCode: "PIN_WRONG", fields: { attemptsLeft: "4" } });
    expect((await ask("POST", "/pos/devices/codes", body, OWNER_PIN)).status).toBe(200);
  });
});

describe("a PIN set by an owner", () => {
  it("allows the sign-in only if the person chooses a new PIN at the same time", async () => {
    const staffId = await hire("Ana", "739154");
    const due = await signIn(staffId, "739154");
    expect([due.status, due.body.errorCode]).toEqual([403, "PIN_DUE"]);
    expect(due.headers.getSetCookie()).toEqual([]);

    const same = await signIn(staffId, "739154", "739154");
    expect(same.body).toMatchObject({
      errorCode: "PIN_WEAK",
      fields: { newPin: expect.any(String) },
    });
    expect((await signIn(staffId, "739154", "1234")).body.errorCode).toBe("PIN_WEAK");

    expect((await signIn(staffId, "739154", "584026")).status).toBe(200);
    expect((await signIn(staffId, "739154")).body.errorCode).toBe("PIN_WRONG");
    expect((await signIn(staffId, "584026")).status).toBe(200);
  });

  it("does not count as a wrong guess if the chosen new PIN is refused", async () => {
    const staffId = await hire("Berta", "739154");
    for (let n = 0; n < 12; n++) {
      expect((await signIn(staffId, "739154", "1111")).body.errorCode).toBe("PIN_WEAK");
    }
    expect((await signIn(staffId, "739154", "584026")).status).toBe(200);
  });

  it("cannot be used for approvals", async () => {
    const staffId = await hire("Carla", "739154", "supervisor");
    const clerkId = await hire("Dora", "684913");
    const clerk = cookieOf(await signIn(clerkId, "684913", "250417"));
    const body = {
      approvalId: crypto.randomUUID(),
      staffId,
      pin: "739154",
      rights: [{ right: "customerRefund" }],
      subject: crypto.randomUUID(),
      requestDigest: "0".repeat(64),
      facts: "{}",
    };
    const answer = await gateway.call("POST", "/pos/approvals", {
      headers: { cookie: clerk },
      body,
    });
    expect(answer.body.errorCode).toBe("PIN_DUE");
  });

  it("ends the person's sessions at a reset, and has to be replaced again", async () => {
    const staffId = await hire("Eva", "739154");
    const cookie = cookieOf(await signIn(staffId, "739154", "584026"));
    const path = `/pos/staff/${staffId}`;
    const reset = await ask("PATCH", path, { pin: "862075" }, OWNER_PIN);
    expect(reset.body.pinDue).toBe(true);
    expect((await gateway.call("GET", "/pos/session", { headers: { cookie } })).status).toBe(401);
    expect((await signIn(staffId, "862075")).body.errorCode).toBe("PIN_DUE");
    expect((await signIn(staffId, "862075", "519304")).status).toBe(200);
    const { body } = await ask("GET", "/pos/staff");
    const eva = body.list.find((member: { name: string }) => member.name === "Eva");
    expect(eva.pinDue).toBeUndefined();
  });

  it("can be replaced only by its own person", async () => {
    const answer = await signIn(till.staffId, OWNER_PIN, "920471");
    expect(answer.body).toMatchObject({ errorCode: "INVALID_REQUEST" });
    expect(answer.body.fields).toHaveProperty("newPin");
    expect((await signIn(till.staffId, OWNER_PIN)).status).toBe(200);
  });
});

describe("a person's own PIN", () => {
  it("can be changed by typing the current PIN, which ends the person's other sessions", async () => {
    const staffId = await hire("Flora", "739154");
    const cookie = cookieOf(await signIn(staffId, "739154", "584026"));
    const elsewhere = cookieOf(await signIn(staffId, "584026"));
    const change = (pin: string, own: string) =>
      gateway.call("PUT", "/pos/session/pin", {
        headers: { cookie, [OWN_PIN_HEADER]: own },
        body: { pin },
      });
    expect((await change("310968", "112233")).body.errorCode).toBe("PIN_WRONG");
    expect((await change("2580", "584026")).body.errorCode).toBe("PIN_WEAK");
    expect((await change("584026", "584026")).body.errorCode).toBe("PIN_WEAK");
    expect((await change("310968", "584026")).status).toBe(200);

    const sees = (session: string) =>
      gateway.call("GET", "/pos/session", { headers: { cookie: session } });
    expect((await sees(cookie)).status).toBe(200);
    expect((await sees(elsewhere)).status).toBe(401);
    expect((await signIn(staffId, "310968")).status).toBe(200);
    const trail = await ask("GET", "/pos/audit-trail?action=staff.pin-chosen&limit=10");
    expect(trail.body.list[0]).toMatchObject({ staff: { name: "Flora" }, subject: staffId });
  });
});
