import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../lib/clock.ts";
import { type Exchange, type FakeUpstream, startFakeUpstream } from "./fake-upstream.ts";
import type { Random } from "./simulation/random.ts";

/** It needs up to as long to take a purchase, and then to say so: a process may die meanwhile. */
const MOST_UNTIL_TAKEN_MS = 200;
const MOST_UNTIL_TOLD_MS = 40;

/** A provider outside that counts what it takes. */
export interface CountingProvider extends FakeUpstream {
  /** How often it took each purchase. */
  readonly taken: ReadonlyMap<string, number>;
}

/**
 * Takes a purchase after a while, unless who sent it is gone by then, and says so a while later: what asks about
 * it too early is told that it was never received.
 */
export async function startCountingProvider(random: Random): Promise<CountingProvider> {
  const taken = new Map<string, number>();
  const provider = await startFakeUpstream(systemClock);
  async function take({ response, body, accept, reply }: Exchange): Promise<void> {
    const { transactionId } = body;
    await sleep(random.integer(0, MOST_UNTIL_TAKEN_MS));
    if (response.closed) return;
    accept();
    taken.set(transactionId, (taken.get(transactionId) ?? 0) + 1);
    await sleep(random.integer(0, MOST_UNTIL_TOLD_MS));
    reply(200, { status: "ACCEPTED", transactionId });
  }
  provider.submit = (exchange) => void take(exchange);
  return Object.assign(provider, { taken });
}
