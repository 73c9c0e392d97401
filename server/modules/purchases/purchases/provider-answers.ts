import { sql } from "kysely";
import type { Deviation } from "../../../contract/pos/provider-answers.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { openedText, sealedText } from "../../../db/sealed-text.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { addDeviations } from "../../../suppliers/deviation-store.ts";
import type { Deviating, ProviderAnswer, SupplierOf } from "../../../suppliers/supplier.ts";
import { noteAnswer, noteFailure } from "./brand-breaker.ts";
import { failure } from "./purchase-failures.ts";
import { readDeviations, type StoredPurchase } from "./purchase-store.ts";
import { complete, fail, keepChecking, postpone } from "./purchase-transitions.ts";
import { followsProvider, strongerDoubt } from "./retry-policy.ts";
import { writeFor } from "./write-for.ts";

export interface AnswerDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  log: Log;
  supplierOf: SupplierOf;
  /** Whether recoverable errors are retried (rules#purchase-retry). */
  isQueueEnabled(db: Db, scope: Scope): Promise<boolean>;
}

/** An answer that moves a purchase. */
export type ClearAnswer = Exclude<ProviderAnswer, { kind: "not-received" | "unreadable" }>;

/** Whether an answer ends the purchase, whatever else is decided. */
export function isLast({ kind }: ProviderAnswer): boolean {
  return kind === "fulfilled" || kind === "rejected";
}

/**
 * Writes a transition together with the deviations of the answer that led to it.
 * @throws StaleTransition when the purchase has moved meanwhile
 */
export async function writeAnswered(
  deps: AnswerDeps,
  purchase: StoredPurchase,
  answer: ProviderAnswer,
  work: (tx: Tx, now: number) => Promise<void>,
): Promise<void> {
  const provider = (await deps.supplierOf(purchase.transaction))?.name;
  await writeFor(deps, purchase, async (tx, now) => {
    await work(tx, now);
    await recordDeviations(tx, purchase, answer, { provider, at: now, log: deps.log });
  });
}

/**
 * Writes what the provider said of a purchase, with what it means for its brand, in one transaction.
 * @param isDoubtful whether a refusal contradicts what the provider said before: the owner reconciles
 * @throws StaleTransition when the purchase has moved meanwhile
 */
export async function recordAnswer(
  deps: AnswerDeps,
  purchase: StoredPurchase,
  answer: ClearAnswer,
  isDoubtful = false,
): Promise<void> {
  const { db, log, isQueueEnabled } = deps;
  const { environment, transactionId } = purchase.transaction;
  const { attempts } = purchase;
  log.info({ transactionId, environment, attempts, answer: answer.kind }, "a provider answered");
  const isQueued =
    answer.kind === "recoverable" && (await isQueueEnabled(db, purchase.transaction));
  await writeAnswered(deps, purchase, answer, async (tx, now) => {
    switch (answer.kind) {
      case "fulfilled":
        await complete(tx, purchase, now, answer.fulfilment);
        return noteAnswer(tx, purchase, now);
      case "rejected":
        await fail(tx, purchase, now, failure(answer.code, answer.message), isDoubtful);
        return noteAnswer(tx, purchase, now);
      case "working": {
        const { checkAgainAt } = answer;
        const doubt = answer.isBooked ? "BOOKED" : "ACCEPTED";
        return keepChecking(tx, purchase, now, { checkAgainAt, doubt });
      }
      case "recoverable": {
        const { message, mayBeBooked = false, retryAfter_ms } = answer;
        if (!isQueued) {
          const reason = failure("PROVIDER_UNAVAILABLE", `Failed: ${message}.`);
          await fail(tx, purchase, now, reason, isDoubtful);
          return noteFailure(tx, purchase, now);
        }
        const doubt = strongerDoubt(purchase, mayBeBooked ? "LOST" : "NONE");
        await postpone(tx, purchase, now, {
          reason: message,
          state: "FAILED",
          retryAfter_ms,
          doubt,
        });
        // A provider that asks for a short wait is busy, and its brand is not out of order.
        if (!followsProvider(purchase, retryAfter_ms)) await noteFailure(tx, purchase, now);
      }
    }
  });
}

/**
 * Stores the deviations of an answer with its purchase, and adds them to those of the provider. The
 * answer itself is encrypted, as delivered details are.
 */
async function recordDeviations(
  tx: Tx,
  { transaction }: StoredPurchase,
  { deviations = [], rawAnswer }: Deviating,
  { provider, at, log }: { provider: string | undefined; at: number; log: Log },
): Promise<void> {
  if (deviations.length === 0) return;
  const { transactionId, accountId, environment } = transaction;
  const scope = { accountId, environment };
  const stored = await tx
    .selectFrom("purchases")
    .select("deviations_json")
    .where(inScope(scope))
    .where("transaction_id", "=", transactionId)
    .executeTakeFirstOrThrow();
  const known = readDeviations(transactionId, stored.deviations_json);
  const fresh = deviations.filter((one) => !known.some((other) => isSame(one, other)));
  if (fresh.length === 0) return;
  const purchase = tx
    .updateTable("purchases")
    .where(inScope(scope))
    .where("transaction_id", "=", transactionId);
  await purchase.set({ deviations_json: JSON.stringify([...known, ...fresh]) }).execute();
  if (rawAnswer !== undefined) {
    const answer = { answer_sealed: sealedText(rawAnswer), answer_at: at };
    // An outcome never depends on the key: without it the answer is not kept.
    await purchase
      .set(answer)
      .execute()
      .catch((error: unknown) => {
        log.error({ err: error, transactionId }, "could not encrypt a provider's answer");
      });
  }
  const reference = {
    ...scope,
    provider,
    operation: "PURCHASE",
    reference: transactionId,
  } as const;
  if (!transaction.training) await addDeviations(tx, { ...reference, at }, fresh);
}

interface StoredAnswer {
  at: number;
  /** Undefined once it is erased; null where its key is missing. */
  text: string | null | undefined;
}

/** The latest answer of a purchase that deviated; undefined where none was stored. */
export async function findRawAnswer(
  db: Db | Tx,
  scope: Scope,
  transactionId: string,
): Promise<StoredAnswer | undefined> {
  const row = await db
    .selectFrom("purchases")
    .select(["answer_at", sql<number>`answer_sealed is null`.as("erased")])
    .select(openedText("answer_sealed").as("text"))
    .where(inScope(scope))
    .where("transaction_id", "=", transactionId)
    .executeTakeFirst();
  if (!row || row.answer_at === null) return undefined;
  return { at: row.answer_at, text: row.erased ? undefined : row.text };
}

function isSame(one: Deviation, other: Deviation): boolean {
  return one.field === other.field && one.kind === other.kind;
}
