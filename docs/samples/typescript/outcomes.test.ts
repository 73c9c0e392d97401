/**
 * Tests every outcome of a purchase against a sandbox that this file starts and stops. Requires
 * Node.js 24:
 *
 *     npm install ./tillgate-client-VERSION.tgz
 *     node --test outcomes.test.ts
 *
 * Set TILLGATE to the path of the command if `tillgate` is not in the PATH.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import {
  createTillgateClient,
  type TillgateClient,
  type TopupPurchase,
  verifyWebhook,
} from "@tillgate/client";

interface Sandbox {
  url: string;
  key: string;
  webhookSecret: string;
}

const TOPUP = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

let program: ChildProcess;
let sandbox: Sandbox;
let client: TillgateClient;
let receiver: Server;
const results = new Map<string, TopupPurchase>();

before(async () => {
  const command = process.env.TILLGATE ?? "tillgate";
  program = spawn(command, ["sandbox", "start", "--ephemeral"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  assert(program.stdout);
  const [line] = (await once(createInterface(program.stdout), "line")) as [string];
  sandbox = JSON.parse(line) as Sandbox;
  client = createTillgateClient({ baseUrl: sandbox.url, apiKey: sandbox.key });

  receiver = createServer((request, response) => void receive(request).then(() => response.end()));
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  await control("PUT", "/webhook", { url: `http://127.0.0.1:${port}/` });
});

after(async () => {
  receiver.close();
  program.kill("SIGTERM");
  await once(program, "close");
});

async function receive(
  request: Parameters<Parameters<typeof createServer>[1] & object>[0],
): Promise<void> {
  if (request.method !== "POST") return;
  const message = { headers: request.headers, body: await text(request) };
  const purchase = verifyWebhook<"topupResult">(message, sandbox.webhookSecret);
  if (purchase.transactionId !== undefined) results.set(purchase.transactionId, purchase);
}

async function control(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${sandbox.url}/sandbox/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${sandbox.key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  assert.equal(response.status, 200, await response.clone().text());
  return response.json();
}

/** Makes a purchase with a simulator scenario, then advances the clock by a day. */
async function buy(transactionId: string, scenario: string): Promise<TopupPurchase> {
  await client.post("/v1/topups/purchases", {
    body: { ...TOPUP, transactionId },
    headers: { "X-Sandbox-Scenario": scenario },
  });
  await control("POST", "/clock/advance", { by: "25h" });
  return client.getPurchase("topups", transactionId);
}

const OUTCOMES = {
  delivered: "DONE",
  "provider-recovers": "DONE",
  "provider-timeout-then-done": "DONE",
  "brand-paused-then-done": "DONE",
  "recipient-invalid": "RECIPIENT_INVALID",
  "provider-rejected": "PROVIDER_REJECTED",
  "price-changed": "PRICE_CHANGED",
  "provider-down": "RETRY_WINDOW_EXPIRED",
  "provider-down-without-queue": "PROVIDER_UNAVAILABLE",
  "outcome-unknown": "RETRY_WINDOW_EXPIRED",
  "wallet-empty": "INSUFFICIENT_FUNDS",
  "verification-rejected": "VERIFICATION_BLOCKED",
  "verification-unanswered": "VERIFICATION_TIMEOUT",
  "provider-not-configured": "PROVIDER_NOT_CONFIGURED",
};

for (const [scenario, outcome] of Object.entries(OUTCOMES)) {
  void test(`${scenario} ends in ${outcome}`, async () => {
    const purchase = await buy(scenario, scenario);
    assert.equal(purchase.error?.code ?? purchase.status, outcome);
    assert.deepEqual(results.get(scenario), purchase);
  });
}

void test("a purchase is made only once although its answer is lost", async () => {
  await control("PUT", "/faults", { resetAfterAccept: true });
  const lost = client.purchase("topups", { ...TOPUP, transactionId: "lost" });
  // The client repeats the request with the same transaction id until a response arrives.
  await lost.catch(() => undefined);
  await control("DELETE", "/faults");
  const { transactionId } = await client.purchase("topups", { ...TOPUP, transactionId: "lost" });
  await control("POST", "/clock/advance", { by: "1m" });
  assert.equal((await client.getPurchase("topups", transactionId)).status, "DONE");
});
