import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inserted } from "../../../db/engine-words.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { Exact } from "../../../lib/money.ts";
import type { TransactionRef } from "../../books/transactions/index.ts";

/** Average price of the wallet's money, valid from `at` until the next recharge with a price. */
export interface RechargeRate {
  at: number;
  /** Minor units of the shop's currency per minor unit of the wallet's currency. */
  average: string;
}

interface Payment {
  /** Amount in minor units of `currency`, the shop's currency. */
  paid: number;
  currency: string;
  /** Amount in minor units of the wallet's currency. */
  amount: number;
  /** Balance before the recharge, in minor units. */
  balance: number;
  at: number;
}

const DECIMALS = 18;

/** Stores a payment, and the new average price of the wallet's money (rules#figure-fx). */
export async function keepPayment(
  tx: Tx,
  ref: TransactionRef,
  { paid, currency, amount, balance, at }: Payment,
): Promise<void> {
  const { accountId, environment, transactionId } = ref;
  const rates = await listRechargeRates(tx, { accountId, environment, currency }, at);
  // Without an average, the price of the money in the wallet is unknown, so only the new money
  // counts.
  const held = rates.length > 0 ? Math.max(0, balance) : 0;
  const cost = getAverage(rates).mul(held).add(paid);
  await tx
    .insertInto("recharges")
    .values({
      account_id: accountId,
      environment,
      transaction_id: transactionId,
      paid,
      currency,
      average: cost
        .div(held + amount)
        .toDecimalPlaces(DECIMALS)
        .toFixed(),
      recharged_at: at,
    })
    .execute();
}

/**
 * Removes a reversed recharge from the average price. If no money with a price remains, the earlier
 * average applies again.
 */
export async function dropPayment(
  tx: Tx,
  { accountId, environment, transactionId }: TransactionRef,
  { rechargeId, balance, at }: { rechargeId: string; balance: number; at: number },
): Promise<void> {
  const payment = await tx
    .selectFrom("recharges as p")
    .innerJoin("transactions as t", inSameScope("t", "p", "transaction_id"))
    .select(["p.paid", "p.currency", "p.recharged_at", "t.amount"])
    .where(inScope({ accountId, environment }, "p"))
    .where("p.transaction_id", "=", rechargeId)
    .where("p.paid", "is not", null)
    .$narrowType<{ paid: number; currency: string; recharged_at: number }>()
    .executeTakeFirst();
  if (!payment) return;
  const { paid, currency, recharged_at, amount } = payment;
  const rates = await listRechargeRates(tx, { accountId, environment, currency }, at);
  const last = getAverage(rates);
  const before = rates.findLast((rate) => rate.at < recharged_at)?.average;
  const left = balance - amount;
  const cost = last.mul(Math.max(0, balance)).sub(paid);
  const average =
    left > 0 && cost.gt(0) ? cost.div(left).toDecimalPlaces(DECIMALS).toFixed() : before;
  await tx
    .insertInto("recharges")
    .values({
      account_id: accountId,
      environment,
      transaction_id: transactionId,
      paid,
      currency,
      average: average ?? last.toFixed(),
      recharged_at: at,
    })
    .execute();
}

function getAverage(rates: readonly RechargeRate[]): Exact {
  return new Exact(rates.at(-1)?.average ?? 0);
}

export async function listRechargeRates(
  db: Db | Tx,
  scope: Scope & { currency: string },
  until: number,
): Promise<RechargeRate[]> {
  return db
    .selectFrom("recharges")
    .select(["recharged_at as at", "average"])
    .where(inScope(scope))
    .where("currency", "=", scope.currency)
    .where("recharged_at", "<=", until)
    .orderBy("recharged_at")
    .orderBy(inserted)
    .$narrowType<{ at: number; average: string }>()
    .execute();
}
