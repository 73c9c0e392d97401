import type { BillPayOffer } from "../../contract/v1/offers.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db, Tx } from "../../db/database.ts";
import { inScope } from "../../db/scope-filters.ts";

/** A bill that was retrieved: what was due, minor units of the offer's send currency. */
export interface RetrievedBill {
  amountDue: number;
  retrievedAt: number;
}

/** What identifies a bill: values of the fields that the biller wants, by name. */
export type BillFields = Readonly<Record<string, string>>;

/** Keeps the latest answer for a bill. */
export async function recordBill(
  tx: Tx,
  scope: Scope,
  bill: RetrievedBill & { offer: BillPayOffer; fields: BillFields },
): Promise<void> {
  const answer = { amount_due: bill.amountDue, retrieved_at: bill.retrievedAt };
  await tx
    .insertInto("retrieved_bills")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      offer_id: bill.offer.offerId,
      bill_key: keyOf(bill.offer, bill.fields),
      ...answer,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "environment", "offer_id", "bill_key"]).doUpdateSet(answer),
    )
    .execute();
}

export async function findBill(
  db: Db | Tx,
  scope: Scope,
  offer: BillPayOffer,
  fields: BillFields,
): Promise<RetrievedBill | undefined> {
  const row = await db
    .selectFrom("retrieved_bills")
    .select(["amount_due", "retrieved_at"])
    .where(inScope(scope))
    .where("offer_id", "=", offer.offerId)
    .where("bill_key", "=", keyOf(offer, fields))
    .executeTakeFirst();
  return row && { amountDue: row.amount_due, retrievedAt: row.retrieved_at };
}

function keyOf(offer: BillPayOffer, fields: BillFields): string {
  return JSON.stringify(offer.billRetrievalRequiredFields.map((name) => fields[name] ?? ""));
}
