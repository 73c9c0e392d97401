import { sql } from "kysely";
import { FAMILIES } from "../../../contract/pos/families.ts";
import type { Deviation } from "../../../contract/pos/provider-answers.ts";
import { outcomeTime, readTimeAhead } from "../../../db/business-time.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readAhead } from "../../../db/group-memory.ts";
import { markReturned } from "../../../db/returned-lines.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { openedText, sealedText } from "../../../db/sealed-text.ts";
import { noteInTransaction } from "../../../db/transaction-scope.ts";
import { cancelJob, enqueueJob } from "../../../jobs/job-store.ts";
import type { Log } from "../../../lib/log.ts";
import { addDeviations } from "../../../providers/deviation-store.ts";
import type { Deviating } from "../../../providers/provider.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import {
  afterSteps,
  createTransaction,
  isFinal,
  type NewTransaction,
  type StoredTransaction,
  subjectOf,
  type Transition,
  transition,
} from "../../books/transactions/index.ts";
import { capture, hold, InsufficientFunds, release } from "../../books/wallet/index.ts";
import { releaseLoss } from "../../catalog/prices/index.ts";
import { enqueueMessage, listEndpointsOfKind } from "../../messages/webhooks/index.ts";
import { recordEsim } from "../esims/index.ts";
import { noteAnswer, noteFailure, readBrandAhead } from "./brand-pauses.ts";
import { decide } from "./decide.ts";
import {
  insufficientFunds,
  type PurchaseEvent,
  SHORT_AT_PROVIDER,
  type Step,
  type Write,
} from "./decision.ts";
import { toRecord } from "./families/index.ts";
import { writeMove } from "./next-providers.ts";
import { findPurchase, readDeviations, type StoredPurchase } from "./purchase-store.ts";
import {
  ADVANCE_JOB,
  createPurchase,
  type NewPurchase,
  updateAttempt,
  updateNextAttempt,
} from "./purchase-writes.ts";
import { SENDING_MS } from "./retry-policy.ts";

/**
 * Writes a decision within the caller's transaction: status and log, ledger, attempt, next job, and
 * the webhooks of an ended purchase (rules#webhook-outbox).
 * @param sender the process that sends attempts; undefined if no other process uses the database
 * @returns the updated purchase
 * @throws StaleTransition if the purchase has changed; InsufficientFunds for a move
 */
export async function commitDecision(
  tx: Tx,
  purchase: StoredPurchase,
  write: Write,
  { now, sender }: { now: number; sender: string | undefined },
): Promise<StoredPurchase> {
  const { transaction } = purchase;
  const end = write.steps.find(({ to }) => isFinal(to))?.to;
  const isOutcome = end !== undefined || write.ledger === "move";
  const at = isOutcome ? await outcomeTime(tx, transaction, now) : now;
  const steps = toTransitions(transaction, write.steps, at);
  const [first, ...others] = steps;
  if (first) await transition(tx, transaction, first, ...others);
  const held = movementOf(purchase, at);
  if (write.ledger === "capture") await capture(tx, held);
  if (write.ledger === "release") await release(tx, held);
  const { following } = write;
  const moved = following && (await writeMove(tx, purchase, { following, held }));
  await writeAttempt(tx, purchase, write, { at, sender });
  if (end) {
    if (end === "FAILED" && !transaction.training) {
      await releaseLoss(tx, transaction);
      await markReturned(tx, transaction, at);
    }
    await conclude(tx, transaction, now);
  } else if (write.lookAt !== undefined) {
    // The job runs before the deadline, because the claim shows whether the sender is alive.
    const isClaimed = sender !== undefined && ["BEGINS", "HERE"].includes(write.sending ?? "");
    const runAt = isClaimed ? Math.min(write.lookAt, now + SENDING_MS) : write.lookAt;
    await enqueueJob(tx, { kind: ADVANCE_JOB, subject: subjectOf(transaction), runAt });
  }
  if (write.brand) await (write.brand === "FAILED" ? noteFailure : noteAnswer)(tx, purchase, now);
  const after = { ...purchase, ...write.attempt, ...moved };
  return { ...after, transaction: afterSteps(after.transaction, steps) };
}

/** A purchase whose first attempt was stored with its acceptance, and is not sent yet. */
export class StartedNote {
  readonly purchase: StoredPurchase;

  constructor(purchase: StoredPurchase) {
    this.purchase = purchase;
  }
}

/**
 * Writes a new purchase with its hold and its first attempt, and notes that the attempt must be
 * sent.
 * @param accepted the purchase as it would be stored without its first step
 * @returns whether the wallet covers the purchase; if not, nothing is written
 */
export async function createStarted(
  tx: Tx,
  purchase: NewPurchase,
  { transaction, accepted, now }: NewStart,
): Promise<boolean> {
  const { write } = decide(accepted, { kind: "funds-held", now });
  const { attempt, lookAt = now, steps = [] } = write ?? {};
  const { at } = transaction;
  const transitions = toTransitions(accepted.transaction, steps, at);
  try {
    await hold(tx, movementOf(accepted, at), async () => {
      await createTransaction(tx, transaction, transitions);
      await createPurchase(tx, purchase, attempt);
    });
  } catch (error) {
    if (error instanceof InsufficientFunds) return false;
    throw error;
  }
  const subject = subjectOf(accepted.transaction);
  await enqueueJob(tx, { kind: ADVANCE_JOB, subject, runAt: lookAt });
  const started = { ...accepted, ...attempt };
  noteInTransaction(
    new StartedNote({ ...started, transaction: afterSteps(accepted.transaction, transitions) }),
  );
  return true;
}

interface NewStart {
  transaction: NewTransaction;
  accepted: StoredPurchase;
  now: number;
}

function toTransitions({ status }: StoredTransaction, steps: readonly Step[], at: number) {
  let from = status;
  return steps.map((step): Transition => {
    const left = from;
    from = step.to;
    return { ...step, from: left, at };
  });
}

/** Starts the reads of `commitDecision`. */
export function readForDecision(tx: Tx, purchase: StoredPurchase, write: Write): void {
  const { transaction } = purchase;
  if (write.steps.some(({ to }) => isFinal(to))) {
    readAhead(readTimeAhead(tx, transaction));
    const family = familyOf(transaction);
    if (family && !transaction.training) readAhead(listEndpointsOfKind(tx, transaction, family));
  }
  if (write.brand) readAhead(readBrandAhead(tx, purchase));
}

function familyOf({ productType }: StoredTransaction) {
  return FAMILIES.find((family) => family === productType);
}

async function writeAttempt(
  tx: Tx,
  purchase: StoredPurchase,
  { attempt, sending }: Write,
  { at, sender }: { at: number; sender: string | undefined },
): Promise<void> {
  if (!attempt) return;
  if (sending === "HERE" || sending === "KEPT") return updateNextAttempt(tx, purchase, attempt);
  const { fulfilment } = attempt;
  await updateAttempt(tx, purchase, {
    ...attempt,
    ...(fulfilment && { finishedAt: at }),
    sender: sending === "BEGINS" ? sender : undefined,
  });
  const { iccid = "" } = fulfilment?.esim ?? {};
  if (iccid === "") return;
  const { transactionId } = purchase.transaction;
  await recordEsim(tx, purchase.transaction, { iccid, transactionId, at });
}

/**
 * Holds the cost in the wallet. A training sale holds nothing.
 * @param start `moved`: reason of the move to the present provider
 * @returns the event that states whether the wallet covers the cost
 * @throws InsufficientFunds if only the provider's part of the wallet is too small
 */
export async function holdCost(
  tx: Tx,
  purchase: StoredPurchase,
  { now, moved }: { now: number; moved: string | undefined },
): Promise<PurchaseEvent> {
  const { transaction } = purchase;
  if (transaction.training) return { kind: "funds-held", now };
  try {
    await hold(tx, movementOf(purchase, await outcomeTime(tx, transaction, now)));
    return { kind: "funds-held", now, ...(moved !== undefined && { moved }) };
  } catch (error) {
    if (!(error instanceof InsufficientFunds) || error.providerId !== undefined) throw error;
    return fundsShort(purchase, now, { short: error });
  }
}

/**
 * @param short the missing amount; by default, the amount that an empty wallet lacks
 * @param provider name of the provider whose part of the wallet is too small
 */
export function fundsShort(
  { transaction }: StoredPurchase,
  now: number,
  { short, provider }: { short?: InsufficientFunds; provider?: string } = {},
): PurchaseEvent {
  const missing = short ?? new InsufficientFunds(0, transaction.amount);
  const { shortBy, available } = missing;
  const figures = { shortBy, available, ...(provider !== undefined && SHORT_AT_PROVIDER) };
  const reason = insufficientFunds(missing, transaction, provider);
  return { kind: "funds-short", now, reason, figures };
}

function movementOf({ transaction, refusedBy, supply }: StoredPurchase, at: number) {
  const { accountId, environment, transactionId, amount } = transaction;
  // A purchase never returns to a provider.
  const leg = new Set(refusedBy).size + 1;
  const { providerId = FIRST_PROVIDER } = supply ?? {};
  return { accountId, environment, transactionId, amount, at, leg, providerId };
}

async function conclude(tx: Tx, transaction: StoredTransaction, now: number): Promise<void> {
  await cancelJob(tx, ADVANCE_JOB, subjectOf(transaction));
  if (transaction.training) return;
  const { accountId, environment, transactionId } = transaction;
  const kind = familyOf(transaction);
  if (!kind) return;
  const message = { accountId, environment, kind, subject: transactionId, at: now };
  await enqueueMessage(tx, message, async () => {
    const ended = await findPurchase(tx, transaction);
    return ended && toRecord(ended);
  });
}

/**
 * Stores deviations from the API with the purchase and with the provider. The answer itself is
 * encrypted like delivered details.
 */
export async function recordDeviations(
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
    // Without the key, the outcome is still stored, but not the answer.
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
  /** Undefined after erasure; null if the encryption key is missing. */
  text: string | null | undefined;
}

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
