import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { typeCommand } from "../../../testing/run-program.ts";
import { startServerProcess } from "../../../testing/server-process.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

let dataDir: string;
let receiver: Receiver;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-webhook-cut-"));
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function admin(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await typeCommand(dataDir, args);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout.trim();
}

it("a verification and the delivery of its result both survive a kill -9 of the gateway", async () => {
  const key = await admin("keys", "create", "--env", "test", "--name", "t");
  for (const kind of ["TRANSACTION", "TOPUP"]) {
    const target = ["--kind", kind, "--url", `${receiver.url}/${kind}`, "--allow-private", "yes"];
    expect(await admin("webhooks", "add", "--env", "test", ...target)).toMatch(/^whsec_/);
  }
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const received = (path: string) => receiver.received.filter((post) => post.path === path);
  async function arrival(path: string, count: number): Promise<void> {
    await expect.poll(() => received(path).length, { timeout: 50_000, interval: 20 }).toBe(count);
  }

  receiver.behave("hang");
  let server = await startServerProcess(dataDir);
  const answer = await fetch(`${server.url}/v1/topups/purchases`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      offerId: "TIGO_GT_TOPUP_25",
      transactionId: "cut",
      recipientPhoneNumber: "+50251234567",
    }),
  });
  expect(await answer.json()).toEqual({ status: "ACCEPTED", transactionId: "cut" });
  await arrival("/TRANSACTION", 1);
  await server.kill("SIGKILL");

  receiver.behave(200, "hang");
  server = await startServerProcess(dataDir);
  await arrival("/TOPUP", 1);
  await server.kill("SIGKILL");

  receiver.behave(200);
  server = await startServerProcess(dataDir);
  await arrival("/TOPUP", 2);
  const purchase = await fetch(`${server.url}/v1/topups/purchases/cut`, { headers });
  const record = await purchase.json();
  expect(record).toMatchObject({ status: "DONE" });
  expect(received("/TRANSACTION")).toHaveLength(2);
  for (const path of ["/TRANSACTION", "/TOPUP"]) {
    const posts = received(path).map(({ headers: { "webhook-id": id }, body }) => ({ id, body }));
    expect(posts[1]).toEqual(posts[0]);
  }
  expect(JSON.parse(received("/TOPUP")[0]!.body)).toEqual(record);
  await expect
    .poll(async () => JSON.parse(await admin("webhooks", "deliveries", "--json"))[0].state, {
      timeout: 50_000,
    })
    .toBe("DELIVERED");
  const listed = JSON.parse(await admin("webhooks", "deliveries", "--json"));
  for (const { attempts } of listed) {
    expect(attempts).toMatchObject([{ error: expect.stringMatching(/cut off/) }, { status: 200 }]);
  }
  expect(listed).toHaveLength(2);
  expect(await server.kill("SIGTERM")).toBe(0);
  await admin("audit");
});
