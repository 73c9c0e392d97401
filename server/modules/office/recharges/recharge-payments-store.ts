import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inserted } from "../../../db/engine-words.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { Exact } from "../../../lib/money.ts";
import type { TransactionRef } from "../../books/transactions/index.ts";

/** From an instant on: what the wallet's money cost, until the next recharge that says it. */
export interface RechargeRate {
  at: number;
  /** Smallest units of the shop's currency for one of the wallet's, exactly as it was kept. */
  average: string;
}

/** What a recharge was paid with. */
interface Payment {
  /** Minor units of `currency`, which is the shop's. */
  paid: number;
  currency: string;
  /** What was recharged, minor units of the wallet's currency. */
  amount: number;
  /** What the wallet held before, minor units. */
  balance: number;
  at: number;
}

const DECIMALS = 18;

/**
 * Keeps what was paid for a recharge, and what the wallet's money costs from then on: the average of
 * what it held and of what was added (rules#figure-fx).
 */
export async function keepPayment(
  tx: Tx,
  ref: TransactionRef,
  { paid, currency, amount, balance, at }: Payment,
): Promise<void> {
  const { accountId, environment, transactionId } = ref;
  const last = (await listRechargeRates(tx, { accountId, environment, currency }, at)).at(-1);
  // Nobody knows what was paid for money of before.
  const held = last ? Math.max(0, balance) : 0;
  const cost = new Exact(last?.average ?? 0).mul(held).add(paid);
  await tx
    .insertInto("recharge_payments")
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
 * Takes a reversed recharge out of the average price of the wallet's money, from now on. Where nothing is
 * left to average, the price of before it holds again.
 */
export async function dropPayment(
  tx: Tx,
  { accountId, environment, transactionId }: TransactionRef,
  { rechargeId, balance, at }: { rechargeId: string; balance: number; at: number },
): Promise<void> {
  const payment = await tx
    .selectFrom("recharge_payments as p")
    .innerJoin("transactions as t", inSameScope("t", "p", "transaction_id"))
    .select(["p.paid", "p.currency", "p.recharged_at", "t.amount"])
    .where(inScope({ accountId, environment }, "p"))
    .where("p.transaction_id", "=", rechargeId)
    .executeTakeFirst();
  if (!payment) return;
  const { paid, currency, recharged_at, amount } = payment;
  const rates = await listRechargeRates(tx, { accountId, environment, currency }, at);
  const last = new Exact(rates.at(-1)?.average ?? 0);
  const before = rates.findLast((rate) => rate.at < recharged_at)?.average;
  const left = balance - amount;
  const cost = last.mul(Math.max(0, balance)).sub(paid);
  const average =
    left > 0 && cost.gt(0) ? cost.div(left).toDecimalPlaces(DECIMALS).toFixed() : before;
  await tx
    .insertInto("recharge_payments")
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

/** What the wallet's money cost, recharge by recharge until an instant, the oldest first. */
export async function listRechargeRates(
  db: Db | Tx,
  scope: Scope & { currency: string },
  until: number,
): Promise<RechargeRate[]> {
  return db
    .selectFrom("recharge_payments")
    .select(["recharged_at as at", "average"])
    .where(inScope(scope))
    .where("currency", "=", scope.currency)
    .where("recharged_at", "<=", until)
    .orderBy("recharged_at")
    .orderBy(inserted)
    .execute();
}
