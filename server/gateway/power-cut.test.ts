import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { typeCommand } from "../testing/run-program.ts";
import { startServerProcess } from "../testing/server-process.ts";

const SALES = 50;

let dataDir: string;
let key: string;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "tillgate-power-cut-"));
  key = (
    await typeCommand(dataDir, ["keys", "create", "--env", "test", "--name", "t"])
  ).stdout.trim();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/**
 * Returns a phone number for one of the outcomes that are reached within seconds: delivered,
 * refused, no response.
 */
function recipientOf(sale: number): string {
  const endings = ["0001", "4567", "9001", "9002", "9005", "8888"];
  return `+5025123${endings[sale % endings.length]}`;
}

async function call(url: string, path: string, body?: unknown) {
  const response = await fetch(`${url}/v1${path}`, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  return response.json();
}

it("after a kill -9 during 50 sales, each accepted sale ends, and the books are in order", {
  tags: ["thorough"],
}, async () => {
  const accepted = new Set<string>();
  const waitingPage = "/transactions?_limit=1&_offset=0&status=ACCEPTED";
  let server = await startServerProcess(dataDir);
  let next = 0;
  while (next < SALES) {
    // Half of each wave gets a response before the power cut.
    const wave = Array.from({ length: 10 }, () => next++);
    let answered = 0;
    const { promise: powerCut, resolve: cutPower } = Promise.withResolvers<void>();
    const sales = wave.map(async (sale) => {
      const transactionId = `sale-${sale}`;
      const body = {
        offerId: "TIGO_GT_TOPUP_25",
        transactionId,
        recipientPhoneNumber: recipientOf(sale),
      };
      try {
        const answer = await call(server.url, "/topups/purchases", body);
        expect(answer.status).toBe("ACCEPTED");
        accepted.add(transactionId);
      } finally {
        answered++;
        if (answered === wave.length / 2) cutPower();
      }
    });
    const outcomes = Promise.allSettled(sales);
    await powerCut;
    await server.kill("SIGKILL");
    for (const outcome of await outcomes) {
      // Clients may lose the connection, but never get a wrong response.
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(TypeError);
    }
    server = await startServerProcess(dataDir);
  }
  expect(accepted.size).toBeGreaterThanOrEqual(SALES / 2);
  // The start sends unsent purchases, and queries purchases that were sent.
  await expect
    .poll(async () => (await call(server.url, waitingPage)).total, { timeout: 50_000 })
    .toBe(0);
  expect(await server.kill("SIGTERM")).toBe(0);
  server = await startServerProcess(dataDir);

  for (const transactionId of accepted) {
    await expect
      .poll(async () => (await call(server.url, `/topups/purchases/${transactionId}`)).status, {
        timeout: 50_000,
        interval: 100,
      })
      .toMatch(/^(DONE|FAILED)$/);
  }
  const { list } = await call(server.url, "/transactions?_limit=1024&_offset=0");
  expect(list.every(({ status }: { status: string }) => /^(DONE|FAILED)$/.test(status))).toBe(true);

  expect(await server.kill("SIGTERM")).toBe(0);
  const audit = await typeCommand(dataDir, ["audit", "--json"]);
  expect(audit.exitCode, audit.stdout).toBe(0);
  expect(JSON.parse(audit.stdout).figures[0]).toMatchObject({ unfinished: 0, held: 0 });
});
