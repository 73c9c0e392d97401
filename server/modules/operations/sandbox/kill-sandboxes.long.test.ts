import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { typeCommand } from "../../../testing/run-program.ts";
import { type ServerProcess, startServerProcess } from "../../../testing/server-process.ts";
import { testRandom } from "../../../testing/simulation/random.ts";
import { nextPoll } from "../../../testing/until.ts";

const KILLS = Number(process.env.KILLS ?? 6);
const TOPUP = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

/** Scenarios, and the outcome of their purchases. */
const OUTCOMES: Record<string, string> = {
  delivered: "DONE",
  "delivered-slowly": "DONE",
  "provider-recovers": "DONE",
  "provider-timeout-then-done": "DONE",
  "provider-rejected": "PROVIDER_REJECTED",
  "provider-down": "RETRY_WINDOW_EXPIRED",
  "outcome-unknown": "RETRY_WINDOW_EXPIRED",
};

let dataDir: string;
let server: ServerProcess;
let key: string;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-kill-sandboxes-"));
  server = await startServerProcess(dataDir);
  const create = "sandbox create ci --wallet 1000000000 --json".split(" ");
  key = JSON.parse((await typeCommand(dataDir, create)).stdout).key;
});
afterEach(async () => {
  await server.kill("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: object, headers = {}) {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

function advance(by: string) {
  return call("POST", "/sandbox/v1/clock/advance", { by });
}

async function readNow(): Promise<number> {
  return Date.parse((await call("GET", "/sandbox/v1/clock")).body.now);
}

it(`${KILLS} kills of the gateway: a sandbox resumes each purchase with its scenario`, {
  timeout: 10 * 60_000,
}, async () => {
  const random = testRandom(20_260_115);
  const names = Object.keys(OUTCOMES);
  const accepted = new Map<string, string>();
  let sent = 0;
  const buy = async () => {
    const transactionId = `order-${++sent}`;
    const scenario = random.pick(names);
    const headers = { "x-sandbox-scenario": scenario };
    const body = { ...TOPUP, transactionId };
    const answer = await call("POST", "/v1/topups/purchases", body, headers).catch(() => undefined);
    if (answer?.status === 200) accepted.set(transactionId, scenario);
  };
  for (let kills = 0; kills < KILLS; kills++) {
    const before = await readNow();
    const enough = accepted.size + random.integer(4, 12);
    const buying = (async () => {
      while (accepted.size < enough) await buy();
    })();
    await buying;
    // The kill interrupts an advance, and purchases.
    const interrupted = [advance("6h"), buy(), buy()].map((one) =>
      Promise.resolve(one).catch(() => undefined),
    );
    for (let turns = random.integer(0, 20); turns > 0; turns--) await nextPoll(1);
    await server.kill("SIGKILL");
    await Promise.all(interrupted);
    server = await startServerProcess(dataDir);
    expect(await readNow()).toBeGreaterThanOrEqual(before);
  }
  expect((await advance("27h")).status).toBe(200);
  for (const [transactionId, scenario] of accepted) {
    const { body } = await call("GET", `/v1/topups/purchases/${transactionId}`);
    const outcome = body.error?.code ?? body.status;
    expect([transactionId, scenario, outcome]).toEqual([
      transactionId,
      scenario,
      OUTCOMES[scenario],
    ]);
  }
  const audit = await typeCommand(join(dataDir, "sandboxes/ci"), ["audit"]);
  expect([audit.exitCode, audit.stdout]).toEqual([0, audit.stdout]);
});
