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
  /** Purchases that came again though it had not said since that it never received them. */
  readonly sentBlind: readonly string[];
}

/**
 * Takes a purchase a while after it has read it, though who sent it is gone by then, and says so a while later: what asks
 * about it too early is told that it was never received. An id that it has taken it does not take again.
 */
export async function startCountingProvider(random: Random): Promise<CountingProvider> {
  const taken = new Map<string, number>();
  const sentBlind: string[] = [];
  /** Those that may come: it was never sent them, or has said that it never received them. */
  const came = new Set<string>();
  const provider = await startFakeUpstream(systemClock);
  async function take({ body, accept, reply }: Exchange): Promise<void> {
    const { transactionId } = body;
    if (came.has(transactionId)) sentBlind.push(transactionId);
    came.add(transactionId);
    await sleep(random.integer(0, MOST_UNTIL_TAKEN_MS));
    if (taken.has(transactionId)) {
      reply(400, { errorCode: "DUPLICATE_TRANSACTION_ID", message: "It is known.", fields: {} });
      return;
    }
    accept();
    taken.set(transactionId, 1);
    await sleep(random.integer(0, MOST_UNTIL_TOLD_MS));
    reply(200, { status: "ACCEPTED", transactionId });
  }
  provider.submit = (exchange) => void take(exchange);
  const answer = provider.ask;
  provider.ask = (exchange) => {
    const { transactionId } = exchange.body;
    if (!taken.has(transactionId)) came.delete(transactionId);
    answer(exchange);
  };
  return Object.assign(provider, { taken, sentBlind });
}
