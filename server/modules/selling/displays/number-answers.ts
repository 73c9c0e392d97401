import type { NumberAnswerInput, NumberAsk, Said } from "../../../contract/pos/displays.ts";
import { MINUTE } from "../../../lib/clock.ts";

/** A sale is paid within this time of what its customer said, or the customer is asked again. */
const COUNTS_MS = 10 * MINUTE;
/** More than a sale has lines. */
const MOST_KEPT = 50;

/** What a customer said of the number of a line, which is sold once. */
export interface Answer extends Omit<NumberAnswerInput, "said"> {
  readonly said: Said;
  readonly at: number;
}

/**
 * What customers said of their numbers on one display, with one answer more.
 * @param asked what is shown to the customer
 * @returns the same list where it is not new: it arrived before, or is not taken
 */
export function addAnswer(
  answers: readonly Answer[],
  asked: NumberAsk | undefined,
  { transactionId, number, said }: NumberAnswerInput,
  at: number,
): { answers: readonly Answer[]; taken: boolean } {
  const before = findAnswer(answers, transactionId, at);
  if (before?.said === said && before.number === number) return { answers, taken: true };
  const isAsked = asked?.transactionId === transactionId && asked.number === number;
  // A "no" is not taken back by a "yes".
  if (!isAsked || before?.said === "NO") return { answers, taken: false };
  const others = answers.filter((answer) => answer.transactionId !== transactionId);
  const kept = [...others, { transactionId, number, said, at }].slice(-MOST_KEPT);
  return { answers: kept, taken: true };
}

export function findAnswer(
  answers: readonly Answer[],
  transactionId: string,
  now: number,
): Answer | undefined {
  const answer = answers.find((one) => one.transactionId === transactionId);
  return answer && now - answer.at < COUNTS_MS ? answer : undefined;
}
