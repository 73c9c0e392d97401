import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Answer } from "../../suppliers/supplier.ts";
import { noteAnswer, noteFailure } from "./brand-breaker.ts";
import { failure } from "./purchase-failures.ts";
import type { StoredPurchase } from "./purchase-store.ts";
import { complete, fail, keepChecking, postpone } from "./purchase-transitions.ts";

export interface AnswerDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  /** Whether recoverable errors are retried (rules#purchase-retry). */
  isQueueEnabled(db: Db, scope: Scope): Promise<boolean>;
}

/** Whether an answer ends the purchase, whatever else is decided. */
export function isLast({ kind }: Answer): boolean {
  return kind === "fulfilled" || kind === "rejected";
}

/**
 * Writes what the provider said of a purchase, with what it means for its brand, in one transaction.
 * @throws StaleTransition when the purchase has moved meanwhile
 */
export async function recordAnswer(
  { db, transactor, clock, log, isQueueEnabled }: AnswerDeps,
  purchase: StoredPurchase,
  answer: Answer,
): Promise<void> {
  const { environment, transactionId } = purchase.transaction;
  const { attempts } = purchase;
  log.info({ transactionId, environment, attempts, answer: answer.kind }, "a provider answered");
  const isQueued =
    answer.kind === "recoverable" && (await isQueueEnabled(db, purchase.transaction));
  await transactor.transact(purchase.transaction.accountId, async (tx) => {
    const now = clock.now();
    switch (answer.kind) {
      case "fulfilled":
        await complete(tx, purchase, now, answer.fulfilment);
        return noteAnswer(tx, purchase, now);
      case "rejected":
        await fail(tx, purchase, now, failure(answer.code, answer.message));
        return noteAnswer(tx, purchase, now);
      case "working":
        return keepChecking(tx, purchase, now, answer.checkAgainAt);
      case "recoverable": {
        const reason = failure("PROVIDER_UNAVAILABLE", `Failed: ${answer.message}.`);
        if (isQueued) {
          await postpone(tx, purchase, now, { reason: answer.message, state: "FAILED" });
        } else await fail(tx, purchase, now, reason);
        return noteFailure(tx, purchase, now);
      }
    }
  });
}
