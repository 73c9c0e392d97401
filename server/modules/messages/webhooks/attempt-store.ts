import { type RawBuilder, sql } from "kysely";
import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { openedText, sealedText } from "../../../db/sealed-text.ts";
import type { DeliveryRef } from "./delivery-store.ts";
import type { Attempt } from "./webhook-sender.ts";

const CUT_OFF = "It was cut off before its answer was on record.";

export interface AttemptRef extends DeliveryRef {
  position: number;
}

/**
 * Stores an attempt before its request is sent. The attempt is open until it has a status or an
 * error (rules#webhook-attempts-kept). Closes an earlier open attempt, which was interrupted.
 */
export async function startAttempt(tx: Tx, ref: DeliveryRef, beganAt: number): Promise<AttemptRef> {
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

export async function endAttempt(tx: Tx, ref: AttemptRef, attempt: Attempt): Promise<void> {
  await tx
    .updateTable("webhook_attempts")
    .set({
      began_at: attempt.beganAt,
      ended_at: attempt.endedAt,
      status: attempt.status ?? null,
      // The response may repeat PINs and codes.
      answer: attempt.answer === undefined ? null : sealedText(attempt.answer),
      error: attempt.error ?? null,
    })
    .where(inScope(ref))
    .where("delivery_id", "=", ref.deliveryId)
    .where("position", "=", ref.position)
    .execute();
}

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

/** Matches deliveries that other processes are sending; undefined for a single process. */
type ClaimedElsewhere = RawBuilder<boolean> | undefined;

export function listCutOff(
  db: Db,
  isElsewhere: ClaimedElsewhere,
): Promise<{ account_id: string }[]> {
  return db
    .selectFrom("webhook_attempts")
    .select("account_id")
    .distinct()
    .where("status", "is", null)
    .where("error", "is", null)
    .where(isSentNowhere(isElsewhere))
    .execute();
}

export async function closeCutOff(
  tx: Tx,
  accountId: string,
  isElsewhere: ClaimedElsewhere,
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

function isSentNowhere(isElsewhere: ClaimedElsewhere): RawBuilder<boolean> {
  if (!isElsewhere) return sql<boolean>`true`;
  return sql<boolean>`not exists (
    select 1 from webhook_deliveries
    where webhook_deliveries.account_id = webhook_attempts.account_id
      and webhook_deliveries.environment = webhook_attempts.environment
      and webhook_deliveries.delivery_id = webhook_attempts.delivery_id
      and ${isElsewhere})`;
}

export async function listAttempts(
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
    // The index needs a condition on its first column, the environment.
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
