import { systemClock } from "../lib/clock.ts";
import { type Exchange, type FakeUpstream, startFakeUpstream } from "./fake-upstream.ts";
import type { Random } from "./simulation/random.ts";
import { nextPoll } from "./until.ts";

/**
 * Maximum number of event loop polls until the provider books a purchase, and from then until it
 * answers.
 */
const MAX_POLLS_UNTIL_BOOKED = 20;
const MAX_POLLS_UNTIL_ANSWERED = 4;

async function passPolls(count: number): Promise<void> {
  for (let poll = 0; poll < count; poll++) await nextPoll();
}

export interface CountingProvider extends FakeUpstream {
  readonly taken: ReadonlyMap<string, number>;
  /** Purchases that were submitted again although no inquiry had returned NOT_RECEIVED. */
  readonly sentBlind: readonly string[];
}

/**
 * Starts a provider that books a purchase some time after reading it, even if the sender has died,
 * and answers later. An inquiry before the booking gets NOT_RECEIVED. Each id is booked only once.
 */
export async function startCountingProvider(random: Random): Promise<CountingProvider> {
  const taken = new Map<string, number>();
  const sentBlind: string[] = [];
  /** Submitted ids. An inquiry that returns NOT_RECEIVED removes its id. */
  const submitted = new Set<string>();
  const provider = await startFakeUpstream(systemClock);
  async function take({ body, accept, reply }: Exchange): Promise<void> {
    const { transactionId } = body;
    if (submitted.has(transactionId)) sentBlind.push(transactionId);
    submitted.add(transactionId);
    await passPolls(random.integer(0, MAX_POLLS_UNTIL_BOOKED));
    if (taken.has(transactionId)) {
      reply(400, { errorCode: "DUPLICATE_TRANSACTION_ID", message: "It is known.", fields: {} });
      return;
    }
    accept();
    taken.set(transactionId, 1);
    await passPolls(random.integer(0, MAX_POLLS_UNTIL_ANSWERED));
    reply(200, { status: "ACCEPTED", transactionId });
  }
  provider.submit = (exchange) => void take(exchange);
  const answer = provider.ask;
  provider.ask = (exchange) => {
    const { transactionId } = exchange.body;
    if (!taken.has(transactionId)) submitted.delete(transactionId);
    answer(exchange);
  };
  return Object.assign(provider, { taken, sentBlind });
}
