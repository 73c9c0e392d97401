import type { Deviation } from "../../contract/pos/provider-answers.ts";
import type { Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";
import { sealedText } from "../../db/sealed-text.ts";
import type { Log } from "../../lib/log.ts";
import { addDeviations } from "../../suppliers/deviation-store.ts";
import type { Deviating } from "../../suppliers/supplier.ts";
import { readDeviations, type StoredPurchase } from "./purchase-store.ts";

/**
 * Stores the deviations of an answer with its purchase, and adds them to those of the provider. The
 * answer itself is encrypted, as delivered details are.
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

function isSame(one: Deviation, other: Deviation): boolean {
  return one.field === other.field && one.kind === other.kind;
}
