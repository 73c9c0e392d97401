import type { NumberAnswerInput, NumberAsk, Said } from "../../contract/pos/displays.ts";
import { type Clock, MINUTE } from "../../lib/clock.ts";

/** A sale is paid within this time of what its customer said, or the customer is asked again. */
const COUNTS_MS = 10 * MINUTE;
/** More than a sale has lines. */
const MOST_KEPT = 50;

interface Answer {
  readonly number: string;
  readonly said: Said;
  readonly at: number;
}

/**
 * What customers said of their numbers on one display. Each counts for one number of one line, which is
 * sold once, and for a short while. In memory: after a restart they are asked again.
 */
export class NumberAnswers {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Answer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param asked what is shown to the customer
   * @returns whether it is taken; one that arrives twice is, and a "no" is not taken back by a "yes"
   */
  take(asked: NumberAsk | undefined, { transactionId, number, said }: NumberAnswerInput): boolean {
    const before = this.find(transactionId);
    if (before?.said === said && before.number === number) return true;
    const isAsked = asked?.transactionId === transactionId && asked.number === number;
    if (!isAsked || before?.said === "NO") return false;
    this.#kept.delete(transactionId);
    this.#kept.set(transactionId, { number, said, at: this.#clock.now() });
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > MOST_KEPT) this.#kept.delete(oldest);
    return true;
  }

  find(transactionId: string): Answer | undefined {
    const answer = this.#kept.get(transactionId);
    const isOver = answer !== undefined && this.#clock.now() - answer.at >= COUNTS_MS;
    return isOver ? undefined : answer;
  }

  clear(): void {
    this.#kept.clear();
  }
}
