import { afterEach, beforeEach, expect, it } from "vitest";
import type { Behaviour } from "../../../testing/fake-upstream.ts";
import { typeCommand } from "../../../testing/run-program.ts";
import { type ServerProcess, startToKillAtStep } from "../../../testing/server-process.ts";
import {
  acceptAt,
  COSTS,
  SHARED_OFFER,
  type ShopOfThree,
  startShopOfThree,
} from "../../../testing/shop-of-three.ts";

/** Each second step is tested: two statements of a transaction have the same effect. */
const STRIDE = 2;
const NEVER = 1_000_000;

import { nextPoll } from "../../../testing/until.ts";

let shop: ShopOfThree;
let key: string;
let server: ServerProcess;

beforeEach(async () => {
  shop = await startShopOfThree();
  key = shop.till.key("live");
  await shop.till.gateway.close();
});
afterEach(() => shop.close());

async function call(path: string, body?: unknown) {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return (await fetch(`${server.url}/v1${path}`, { headers, ...init })).json();
}

async function buy(transactionId: string): Promise<void> {
  const input = { offerId: SHARED_OFFER, recipientPhoneNumber: "+50251234567", transactionId };
  expect(await call("/topups/purchases", input)).toMatchObject({ status: "ACCEPTED" });
}

/** @returns undefined if the server was killed */
async function waitForEnd(transactionId: string): Promise<string | undefined> {
  for (const { child } = server; child.exitCode === null && child.signalCode === null; ) {
    const record = await call(`/topups/purchases/${transactionId}`).catch(() => undefined);
    if (/^(DONE|FAILED)$/.test(record?.status)) return record.status;
    await nextPoll(20);
  }
  return undefined;
}

it("a kill at each step of a move leaves the purchase with one provider and the books in order", async () => {
  let hasEnded = false;
  const ends: (string | undefined)[] = [];
  for (let step = 1; !hasEnded; step += STRIDE) {
    const id = `sale-${step}`;
    server = await startToKillAtStep(shop.till.dataDir, step);
    const { child } = server;
    const refuse: Behaviour = ({ reply }) => {
      child.kill("SIGUSR2");
      // The signal arrives before the response.
      setTimeout(() => reply(400, { errorCode: "OFFER_DISABLED", message: "", fields: {} }), 50);
    };
    shop.p2.submit = refuse;
    shop.p3.submit = (exchange) => acceptAt(exchange, COSTS.p3);
    await buy(id);
    let end = await waitForEnd(id);
    hasEnded = end !== undefined;
    if (!hasEnded) {
      server = await startToKillAtStep(shop.till.dataDir, NEVER);
      end = await waitForEnd(id);
      ends.push(end);
    }
    const sold = [shop.first, shop.p2, shop.p3].filter(({ books }) => books.has(id));
    expect([id, sold.length]).toEqual([id, end === "DONE" ? 1 : 0]);
    const exitCode = await server.kill("SIGTERM");
    // The step of the last server may come while it stops.
    if (!hasEnded) expect(exitCode).toBe(0);
  }
  // The first kills come before the refusal is stored, the later ones after the move.
  expect(new Set(ends)).toEqual(new Set(["FAILED", "DONE"]));
  const audit = await typeCommand(shop.till.dataDir, ["audit", "--json"]);
  expect(audit.exitCode, audit.stdout).toBe(0);
});
