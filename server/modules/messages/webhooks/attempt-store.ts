import { type RawBuilder, sql } from "kysely";
import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { openedText, sealedText } from "../../../db/sealed-text.ts";
import type { DeliveryRef } from "./delivery-store.ts";
import type { Attempt } from "./webhook-sender.ts";

/** The error of an attempt that was cut off and has no outcome on record. */
const CUT_OFF = "It was cut off before its answer was on record.";

/** The number of an attempt among those of its delivery. */
export interface AttemptRef extends DeliveryRef {
  position: number;
}

/**
 * Records that an attempt is about to be made: until its end is written it has neither a status nor an
 * error (rules#webhook-attempts-kept). An attempt of the same delivery that is still open was cut off.
 */
export async function beginAttempt(tx: Tx, ref: DeliveryRef, beganAt: number): Promise<AttemptRef> {
  await closeOpenAttempt(tx, ref);
  const { position } = await tx
    .insertInto("webhook_attempts")
    .values({
      account_id: ref.accountId,
      environment: ref.environment,
      delivery_id: ref.deliveryId,
      position: sql<number>`(
        select count(*) from webhook_attempts where account_id = ${ref.accountId}
        and environment = ${ref.environment} and delivery_id = ${ref.deliveryId})`,
      began_at: beganAt,
      ended_at: beganAt,
      status: null,
      answer: null,
      error: null,
    })
    .returning("position")
    .executeTakeFirstOrThrow();
  return { ...ref, position };
}

/** Writes the outcome of an attempt. */
export async function endAttempt(tx: Tx, ref: AttemptRef, attempt: Attempt): Promise<void> {
  await tx
    .updateTable("webhook_attempts")
    .set({
      began_at: attempt.beganAt,
      ended_at: attempt.endedAt,
      status: attempt.status ?? null,
      // A receiver that repeats what it was sent repeats PINs and codes.
      answer: attempt.answer === undefined ? null : sealedText(attempt.answer),
      error: attempt.error ?? null,
    })
    .where(inScope(ref))
    .where("delivery_id", "=", ref.deliveryId)
    .where("position", "=", ref.position)
    .execute();
}

/** Marks an attempt of a delivery that has no end as cut off. */
async function closeOpenAttempt(tx: Tx, ref: DeliveryRef): Promise<void> {
  await tx
    .updateTable("webhook_attempts")
    .set({ error: CUT_OFF })
    .where("status", "is", null)
    .where("error", "is", null)
    .where(inScope(ref))
    .where("delivery_id", "=", ref.deliveryId)
    .execute();
}

/** Holds for rows of `webhook_deliveries` that other processes are sending; undefined where there are none. */
type IsElsewhere = RawBuilder<boolean> | undefined;

/** Whose attempts have no end, and were cut off. */
export function listCutOff(db: Db, isElsewhere: IsElsewhere): Promise<{ account_id: string }[]> {
  return db
    .selectFrom("webhook_attempts")
    .select("account_id")
    .distinct()
    .where("status", "is", null)
    .where("error", "is", null)
    .where(isSentNowhere(isElsewhere))
    .execute();
}

/** Marks those of an account as that. */
export async function closeCutOff(
  tx: Tx,
  accountId: string,
  isElsewhere: IsElsewhere,
): Promise<void> {
  await tx
    .updateTable("webhook_attempts")
    .set({ error: CUT_OFF })
    .where("account_id", "=", accountId)
    .where("status", "is", null)
    .where("error", "is", null)
    .where(isSentNowhere(isElsewhere))
    .execute();
}

function isSentNowhere(isElsewhere: IsElsewhere): RawBuilder<boolean> {
  if (!isElsewhere) return sql<boolean>`true`;
  return sql<boolean>`not exists (
    select 1 from webhook_deliveries
    where webhook_deliveries.account_id = webhook_attempts.account_id
      and webhook_deliveries.environment = webhook_attempts.environment
      and webhook_deliveries.delivery_id = webhook_attempts.delivery_id
      and ${isElsewhere})`;
}

/** The attempts of these deliveries, by id, each in order. */
export async function attemptsOf(
  db: Db | Tx,
  accountId: string,
  deliveryIds: string[],
): Promise<Map<string, Attempt[]>> {
  if (deliveryIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("webhook_attempts")
    .select(["delivery_id", "began_at", "ended_at", "status", "error"])
    .select(openedText("answer").as("answer"))
    .where("account_id", "=", accountId)
    // Their index begins with it.
    .where("environment", "in", ENVIRONMENTS)
    .where("delivery_id", "in", deliveryIds)
    .orderBy("delivery_id")
    .orderBy("position")
    .execute();
  const attempts = new Map<string, Attempt[]>();
  for (const row of rows) {
    const list = attempts.get(row.delivery_id) ?? [];
    list.push({
      beganAt: row.began_at,
      endedAt: row.ended_at,
      status: row.status ?? undefined,
      answer: row.answer ?? undefined,
      error: row.error ?? undefined,
    });
    attempts.set(row.delivery_id, list);
  }
  return attempts;
}
