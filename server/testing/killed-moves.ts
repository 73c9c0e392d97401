import { expect } from "vitest";
import type { Behaviour } from "./fake-upstream.ts";
import type { Place } from "./place.ts";
import { typeCommand } from "./run-program.ts";
import { type ServerProcess, startToKillAtStep } from "./server-process.ts";
import {
  acceptAt,
  COSTS,
  SHARED_OFFER,
  type ShopOfThree,
  startShopOfThree,
} from "./shop-of-three.ts";
import { nextPoll } from "./until.ts";

const NEVER = 1_000_000;
/** Long, because the statements and writes of a poll are also steps. */
const POLL_MS = 250;
/** Later kills are those of any purchase. */
const KILLS_AFTER_MOVE = 10;

/**
 * Kills a server at each step of a move to the next provider, and checks that the next server leaves
 * the purchase with one provider and the books in order.
 * @param stride distance of the tested steps
 * @returns the outcomes of the purchases whose server was killed
 */
export async function killMoves(stride: number): Promise<(string | undefined)[]> {
  const shop = await startShopOfThree();
  try {
    return await killEachStep(shop, stride);
  } finally {
    await shop.close();
  }
}

async function killEachStep(shop: ShopOfThree, stride: number): Promise<(string | undefined)[]> {
  const { dataDir, database } = shop.till;
  const place: Place = { dataDir, database };
  const key = shop.till.key("live");
  await shop.till.gateway.close();
  const ends: (string | undefined)[] = [];
  let killsAfterMove = 0;
  let hasEnded = false;
  for (let step = 1; !hasEnded && killsAfterMove < KILLS_AFTER_MOVE; step += stride) {
    const id = `sale-${step}`;
    let server = await startToKillAtStep(place, step);
    const { child } = server;
    const refuse: Behaviour = ({ reply }) => {
      child.kill("SIGUSR2");
      // The signal arrives before the response.
      setTimeout(() => reply(400, { errorCode: "OFFER_DISABLED", message: "", fields: {} }), 50);
    };
    shop.p2.submit = refuse;
    shop.p3.submit = (exchange) => acceptAt(exchange, COSTS.p3);
    const input = { offerId: SHARED_OFFER, recipientPhoneNumber: "+50251234567" };
    const sold = await call(server, key, "/topups/purchases", { ...input, transactionId: id });
    expect(sold).toMatchObject({ status: "ACCEPTED" });
    let end = await waitForEnd(server, key, id);
    hasEnded = end !== undefined;
    if (!hasEnded) {
      if (shop.p3.books.has(id)) killsAfterMove += 1;
      server = await startToKillAtStep(place, NEVER);
      end = await waitForEnd(server, key, id);
      ends.push(end);
    }
    const sellers = [shop.first, shop.p2, shop.p3].filter(({ books }) => books.has(id));
    expect([id, sellers.length]).toEqual([id, end === "DONE" ? 1 : 0]);
    const exitCode = await server.kill("SIGTERM");
    // The step of the last server may come while it stops.
    if (!hasEnded) expect(exitCode).toBe(0);
  }
  const audit = await typeCommand(place, ["audit", "--json"]);
  expect(audit.exitCode, audit.stdout).toBe(0);
  return ends;
}

async function call({ url }: ServerProcess, key: string, path: string, body?: unknown) {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return (await fetch(`${url}/v1${path}`, { headers, ...init })).json();
}

/** @returns undefined if the server was killed */
async function waitForEnd(
  server: ServerProcess,
  key: string,
  transactionId: string,
): Promise<string | undefined> {
  for (const { child } = server; child.exitCode === null && child.signalCode === null; ) {
    const path = `/topups/purchases/${transactionId}`;
    const record = await call(server, key, path).catch(() => undefined);
    if (/^(DONE|FAILED)$/.test(record?.status)) return record.status;
    await nextPoll(POLL_MS);
  }
  return undefined;
}
