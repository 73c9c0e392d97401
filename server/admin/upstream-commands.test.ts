import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../testing/fake-upstream.ts";
import { type Finished, typeCommand } from "../testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { setUpTill } from "../testing/test-till.ts";

let gateway: TestGateway;
let upstream: FakeUpstream;
beforeAll(async () => {
  gateway = await startTestGateway();
  await setUpTill(gateway);
  upstream = await startFakeUpstream(gateway.clock);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

function tillgate(...args: string[]): Promise<Finished> {
  return typeCommand(gateway, ["upstream", ...args, "--env", "live"]);
}

async function run(...args: string[]): Promise<string> {
  const finished = await tillgate(...args);
  expect([finished.exitCode, finished.stderr]).toEqual([0, ""]);
  return finished.stdout.trimEnd();
}

function writeSecret(text: string): string {
  const file = join(gateway.dataDir, "secret.txt");
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

it("tillgate upstream connects a gateway, compares its balance, accepts its webhooks and disconnects it", async () => {
  expect(await run("status")).toBe("No gateway is connected.");
  const keyFile = writeSecret("live_a-secret-0123456789\n");
  const to = ["--url", upstream.url, "--allow-private", "yes", "--key-file", keyFile];
  const balance = /Its balance is .*; your wallet has .*: a difference of /;
  expect(await run("connect", ...to)).toMatch(balance);
  expect(await run("test")).toMatch(balance);
  const status = await run("status");
  expect(status).toContain(`Connected to ${upstream.url}.`);
  expect(status).toMatch(balance);
  expect(await run("hook")).toMatch(/^\/\S+$/);
  const secret = writeSecret(`whsec_${Buffer.alloc(32, 7).toString("base64")}\n`);
  expect(await run("secret", "--secret-file", secret)).toBe("Its webhooks are accepted.");
  expect(await run("disconnect")).toBe("Disconnected.");
  expect(await run("status")).toContain("No gateway is connected.");
});

it.each<[string, string, RegExp]>([
  ["maybe", "live_a-secret-0123456789", /--allow-private must be yes or no, not "maybe"/],
  ["no", " \n", /The key is required/],
])(
  "tillgate upstream connect fails for --allow-private %s and the key %j",
  async (answer, key, why) => {
    const to = ["--url", upstream.url, "--allow-private", answer, "--key-file", writeSecret(key)];
    const finished = await tillgate("connect", ...to);
    expect(finished.exitCode).not.toBe(0);
    expect(finished.stderr).toMatch(why);
  },
);
