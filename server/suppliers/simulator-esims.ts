import type { EsimPlan } from "../contract/v1/esims.ts";
import type { Tx } from "../db/database.ts";
import { DAY, toTimestamp } from "../lib/clock.ts";
import { fulfilmentOf } from "./simulator-fulfilment.ts";
import type { EsimUsage, Order } from "./supplier.ts";

/** An eSIM whose order ends so is installed at once, and half of its active plan used. */
const INSTALLED = /-9008$/;

/** Adds what the order bought to its eSIM, once. */
export async function addPlan(tx: Tx, order: Order, addedAt: number): Promise<void> {
  const { offer, accountId, transactionId } = order;
  const iccid = fulfilmentOf(order, addedAt).esim?.iccid;
  if (offer.productType !== "ESIM" || iccid === undefined) return;
  const { position } = await tx
    .selectFrom("simulator_plans")
    .select((eb) => eb.fn.countAll<number>().as("position"))
    .where("account_id", "=", accountId)
    .where("iccid", "=", iccid)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("simulator_plans")
    .values({
      account_id: accountId,
      transaction_id: transactionId,
      iccid,
      position,
      offer_id: offer.offerId,
      description: `${offer.brandName} ${offer.shortNotes}`,
      data_gb: offer.dataGB,
      unlimited: offer.dataUnlimited ? 1 : 0,
      duration_days: offer.durationDays,
      added_at: addedAt,
    })
    .onConflict((conflict) => conflict.columns(["account_id", "transaction_id"]).doNothing())
    .execute();
}

/** Takes an order's plan off its eSIM; true when that is too late, the eSIM being installed. */
export async function refundPlan(tx: Tx, order: Order, now: number): Promise<boolean> {
  const { accountId, transactionId } = order;
  const plan = await tx
    .selectFrom("simulator_plans")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("transaction_id", "=", transactionId)
    .executeTakeFirstOrThrow();
  if (plan.refunded_at !== null) return false;
  const { decided } = await readPlans(tx, { accountId, iccid: plan.iccid }, now);
  if (decided?.firstInstalledAt !== undefined) return true;
  await tx
    .updateTable("simulator_plans")
    .set({ refunded_at: now })
    .where("account_id", "=", accountId)
    .where("transaction_id", "=", transactionId)
    .execute();
  return false;
}

/**
 * The plans of an eSIM that are left: the first is active, the others wait. A plan runs from the
 * moment the eSIM is installed, the next from the end of the one before.
 */
export async function readPlans(
  tx: Tx,
  { accountId, iccid }: { accountId: string; iccid: string },
  now: number,
): Promise<EsimUsage> {
  const rows = await tx
    .selectFrom("simulator_plans")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("iccid", "=", iccid)
    .where("added_at", "<=", now)
    .orderBy("position")
    .execute();
  const [first] = rows;
  const firstInstalledAt =
    first && INSTALLED.test(first.transaction_id) ? first.added_at : undefined;
  const plans: EsimPlan[] = [];
  let startsAt = firstInstalledAt;
  for (const row of rows.filter(({ refunded_at }) => refunded_at === null)) {
    const startAt = startsAt === undefined ? undefined : Math.max(startsAt, row.added_at);
    const endAt = startAt === undefined ? undefined : startAt + row.duration_days * DAY;
    startsAt = endAt;
    if (endAt !== undefined && endAt <= now) continue;
    const active = plans.length === 0;
    const used = active && startAt !== undefined ? row.data_gb / 2 : 0;
    const remainingDataGB = row.data_gb - used;
    plans.push({
      description: row.description,
      endAt: active && endAt !== undefined ? toTimestamp(endAt) : "",
      iccid,
      initialDataGB: row.data_gb,
      offerId: row.offer_id,
      reamainingDataGB: remainingDataGB,
      remainingDataGB,
      startAt: active && startAt !== undefined ? toTimestamp(startAt) : "",
      status: active ? "ACTIVE" : "QUEUED",
      unlimited: row.unlimited === 1,
    });
  }
  const isPlanUsed = plans.some(
    ({ unlimited, initialDataGB, remainingDataGB }) =>
      !unlimited && remainingDataGB < initialDataGB,
  );
  return { decided: { firstInstalledAt, isPlanUsed }, details: plans, deviations: [] };
}
