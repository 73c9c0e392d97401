import { systemClock } from "../lib/clock.ts";
import { type Exchange, type FakeUpstream, startFakeUpstream } from "./fake-upstream.ts";
import type { Random } from "./simulation/random.ts";
import { nextPoll } from "./until.ts";

/** The provider takes a purchase, and then answers, after up to so many polls: the process may die in between. */
const MAX_POLLS_UNTIL_TAKEN = 20;
const MAX_POLLS_UNTIL_TOLD = 4;

async function passPolls(count: number): Promise<void> {
  for (let poll = 0; poll < count; poll++) await nextPoll();
}

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
    await passPolls(random.integer(0, MAX_POLLS_UNTIL_TAKEN));
    if (taken.has(transactionId)) {
      reply(400, { errorCode: "DUPLICATE_TRANSACTION_ID", message: "It is known.", fields: {} });
      return;
    }
    accept();
    taken.set(transactionId, 1);
    await passPolls(random.integer(0, MAX_POLLS_UNTIL_TOLD));
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
