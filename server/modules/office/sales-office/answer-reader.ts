import type { Actor } from "../../../contract/pos/actor.ts";
import type { RawAnswer } from "../../../contract/pos/transaction-office.ts";
import { Problem } from "../../../contract/problem.ts";
import { inScope } from "../../../db/scope-filters.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { findRawAnswer } from "../../purchases/purchases/index.ts";

interface AnswerReaderDeps {
  transactor: Transactor;
  clock: Clock;
}

/** Shows raw provider responses (rules#provider-answer-read). */
export class AnswerReader {
  readonly #deps: AnswerReaderDeps;

  constructor(deps: AnswerReaderDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_FOUND */
  async read(reader: Actor, transactionId: string): Promise<RawAnswer> {
    const { transactor, clock } = this.#deps;
    const { accountId, environment, staffId, rights } = reader;
    const masked = !rights.reveal;
    return transactor.transact(accountId, async (tx) => {
      const answer = await findRawAnswer(tx, { accountId, environment }, transactionId);
      if (!answer) {
        throw new Problem("NOT_FOUND", "No answer of the provider is kept of this sale.");
      }
      const at = toTimestamp(answer.at);
      if (answer.text === undefined) return { state: "ERASED", at };
      if (answer.text === null) return { state: "UNREADABLE", at };
      const sold = await tx
        .selectFrom("sale_lines")
        .select("sale_id")
        .where(inScope({ accountId, environment }))
        .where("transaction_id", "=", transactionId)
        .executeTakeFirst();
      await recordAudit(tx, {
        accountId,
        staffId,
        action: "sale.provider-answer",
        subject: sold?.sale_id ?? transactionId,
        detail: { environment, transactionId, masked },
        at: clock.now(),
      });
      const text = masked ? maskAnswer(answer.text) : answer.text;
      return { state: "KEPT", at, text, masked };
    });
  }
}

const MASK = "•••";

const SHOWN_FIELDS = new Set([
  "transactionId",
  "status",
  "errorCode",
  "productType",
  "createdAt",
  "updatedAt",
]);
const PLAIN = /^(?:[A-Z]+(?:_[A-Z]+)*|\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

/**
 * Masks values that may be a PIN or a code. Any field of a deviating response may contain a PIN or
 * a code, so only known fields with values of a known form stay visible.
 */
function maskAnswer(text: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return MASK;
  }
  return JSON.stringify(mask(answer), undefined, 2);
}

function mask(value: unknown, field = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => mask(one, field));
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value);
    return Object.fromEntries(fields.map(([name, one]) => [name, mask(one, name)]));
  }
  if (value === null || typeof value === "boolean" || value === "") return value;
  const isPlain = typeof value === "string" && PLAIN.test(value);
  const isShown = field === "transactionId" || (SHOWN_FIELDS.has(field) && isPlain);
  return isShown ? value : MASK;
}
