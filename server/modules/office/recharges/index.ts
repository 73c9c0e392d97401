import { sql } from "kysely";
import type { ScopedAuthor } from "../../../contract/pos/actor.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import { Problem } from "../../../contract/problem.ts";
import { businessTime } from "../../../db/business-time.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inserted } from "../../../db/engine-words.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import type { App } from "../../../http/app-types.ts";
import { placeOf, setDeviceCookie } from "../../../http/device-cookie.ts";
import { handle } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { describeAmount, Exact } from "../../../lib/money.ts";
import { recordAudit, whatChanged } from "../../books/audit-trail/index.ts";
import {
  createTransaction,
  type TransactionRef,
  transition,
} from "../../books/transactions/index.ts";
import { type Balances, getBalances, getWalletUnit, recharge } from "../../books/wallet/index.ts";
import type { Base, Module } from "../../module.ts";
import { readTerms } from "../../shop/shop/index.ts";
import type { SessionService } from "../../shop/staff/index.ts";

type RechargeServiceDeps = Pick<Base, "transactor" | "clock" | "ids">;

interface RechargeNotes {
  /** Id created by the screen. Without an id, a repeated request books twice. */
  rechargeId?: string | undefined;
  /** Searchable text, such as the number of a bank transfer. */
  reference?: string | undefined;
  /** Price in minor units of the shop's currency. */
  paid?: number | undefined;
  /** Whether the owner confirmed a reference that another recharge also has. */
  isSure?: boolean | undefined;
}

interface Reversal {
  rechargeId: string;
  reversalId: string;
  reason: string;
}

/** Books recharges of the wallet (rules#wallet-recharge). */
export class RechargeService {
  readonly #deps: RechargeServiceDeps;

  constructor(deps: RechargeServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Sets the spendable balance of the test wallet to `available` minor units, with a CREDIT or
   * DEBIT of the difference and an audit entry.
   * @throws Problem INVALID_REQUEST in the live environment, whose wallet holds real money
   */
  async setTestWallet(author: ScopedAuthor, available: number): Promise<Balances> {
    const { accountId, environment, staffId } = author;
    const scope = { accountId, environment };
    if (scope.environment !== "test") {
      throw new Problem("INVALID_REQUEST", "Only the test wallet can be set to an amount.", {
        environment: "must be test",
      });
    }
    return this.#deps.transactor.transact(accountId, async (tx) => {
      const { available: was, currency, currencyDivisor } = await getBalances(tx, scope);
      if (available === was) return getBalances(tx, scope);
      await this.rechargeSandbox(tx, scope, available - was);
      const changed = whatChanged({ available: was }, { available });
      const detail = { environment, ...changed, currency, currencyDivisor };
      const entry = { action: "wallet.set", subject: environment, detail } as const;
      await recordAudit(tx, { accountId, staffId, ...entry, at: this.#deps.clock.now() });
      return getBalances(tx, scope);
    });
  }

  /**
   * Books that the owner funded the wallet (rules#wallet-recharge). Live recharges have the type of
   * a card payment, the closest of the specified types. A repeated request books nothing.
   * @param amount minor units of the wallet's currency
   * @throws Problem ID_TAKEN; REFERENCE_USED unless confirmed, with amount and rechargedAt of the
   * newest recharge with the reference in `fields`
   */
  async recharge(
    author: ScopedAuthor,
    amount: number,
    input: RechargeNotes = {},
  ): Promise<Balances> {
    const { accountId, environment, staffId } = author;
    const scope = { accountId, environment };
    const { paid, isSure = false } = input;
    const reference = input.reference === undefined ? "" : tidyName(input.reference);
    return this.#deps.transactor.transact(accountId, async (tx) => {
      const transactionId = input.rechargeId ?? this.#deps.ids.uuid();
      const ref = { ...scope, transactionId };
      if (await isBookedAlready(tx, ref, { amount, paid, reference })) {
        return getBalances(tx, scope);
      }
      if (reference !== "" && !isSure) await requireNewReference(tx, scope, reference);
      const at = await businessTime(tx, scope, this.#deps.clock.now());
      const { available: was, held } = await getBalances(tx, scope);
      const shop = await readTerms(tx, accountId);
      await this.#book(tx, scope, amount, transactionId);
      if (paid !== undefined) {
        const payment = { paid, currency: shop.currency, amount, balance: was + held, at };
        await keepPayment(tx, ref, payment);
      }
      if (reference !== "") await noteReference(tx, ref, reference);
      const { available, currency, currencyDivisor } = await getBalances(tx, scope);
      const changed = whatChanged({ available: was }, { available });
      const detail = {
        environment,
        amount,
        ...(reference !== "" && { reference }),
        ...(paid !== undefined && { paid: describeAmount(paid, shop) }),
        ...changed,
        currency,
        currencyDivisor,
      };
      const entry = { action: "wallet.recharge", subject: environment, detail } as const;
      await recordAudit(tx, { accountId, staffId, ...entry, at });
      return getBalances(tx, scope);
    });
  }

  /**
   * Reverses a recharge once, and removes it from the average price. A repeated request books
   * nothing.
   * @throws Problem NOT_FOUND, ID_TAKEN, RECHARGE_REVERSED, RECHARGE_SPENT if the balance is too
   * low
   */
  async reverse(author: ScopedAuthor & { staffId: string }, input: Reversal): Promise<Balances> {
    const { accountId, environment, staffId } = author;
    const { rechargeId, reversalId } = input;
    const scope = { accountId, environment };
    const reason = tidyName(input.reason);
    return this.#deps.transactor.transact(accountId, async (tx) => {
      const earlier = await findReversal(tx, scope, rechargeId);
      if (earlier?.transaction_id === reversalId && earlier.reason === reason) {
        return getBalances(tx, scope);
      }
      if (earlier) throw new Problem("RECHARGE_REVERSED", "This recharge was taken back already.");
      const recharge = await findRecharge(tx, { ...scope, transactionId: rechargeId });
      if (!recharge) throw new Problem("NOT_FOUND", "There is no such recharge.");
      if (await hasTransaction(tx, { ...scope, transactionId: reversalId })) throw idTaken();
      const { available: was, held } = await getBalances(tx, scope);
      if (was < recharge.amount) {
        throw new Problem(
          "RECHARGE_SPENT",
          "The wallet holds less than this recharge: nothing was taken back.",
          { rechargeId: "is spent" },
        );
      }
      const at = await businessTime(tx, scope, this.#deps.clock.now());
      await this.#book(tx, scope, -recharge.amount, reversalId);
      const reversal = { ...scope, transactionId: reversalId };
      await dropPayment(tx, reversal, { rechargeId, balance: was + held, at });
      const reversed = { reversed_transaction_id: rechargeId, reason, staff_id: staffId };
      await tx
        .insertInto("recharges")
        .values({ ...rechargeKey(reversal), ...reversed })
        .onConflict((conflict) => conflict.columns(RECHARGE_KEY).doUpdateSet(reversed))
        .execute();
      const { available, currency, currencyDivisor } = await getBalances(tx, scope);
      const detail = {
        environment,
        amount: -recharge.amount,
        reason,
        ...whatChanged({ available: was }, { available }),
        currency,
        currencyDivisor,
      };
      const entry = { action: "wallet.recharge-reverse", subject: environment, detail } as const;
      await recordAudit(tx, { accountId, staffId, ...entry, at });
      return getBalances(tx, scope);
    });
  }

  /**
   * Corrects a wallet after an event outside the gateway. A positive amount is a CREDIT, and a
   * negative amount a DEBIT.
   * @returns the id of the new transaction
   * @throws InsufficientFunds
   */
  adjust(tx: Tx, scope: Scope, amount: number): Promise<string> {
    return this.#book(tx, scope, amount);
  }

  /** Recharges the test wallet; a negative amount reduces the balance. */
  async rechargeSandbox(tx: Tx, scope: Scope, amount: number): Promise<void> {
    await this.#book(tx, scope, amount);
  }

  async #book(
    tx: Tx,
    scope: Scope,
    amount: number,
    transactionId = this.#deps.ids.uuid(),
  ): Promise<string> {
    const { clock } = this.#deps;
    const productType =
      scope.environment === "live" ? "RECHARGE_WITH_CREDIT_CARD" : "RECHARGE_SANDBOX";
    const at = await businessTime(tx, scope, clock.now());
    await createTransaction(tx, {
      ...scope,
      transactionId,
      type: amount >= 0 ? "CREDIT" : "DEBIT",
      productType,
      amount: Math.abs(amount),
      unit: await getWalletUnit(tx, scope.accountId),
      at,
    });
    await recharge(tx, { ...scope, transactionId, amount, at });
    await transition(
      tx,
      { ...scope, transactionId },
      { from: "ACCEPTED", to: "DONE", at, message: "Completed" },
    );
    return transactionId;
  }
}

const RECHARGE_KEY = ["account_id", "environment", "transaction_id"] as const;

function rechargeKey({ accountId, environment, transactionId }: TransactionRef) {
  return { account_id: accountId, environment, transaction_id: transactionId };
}

async function noteReference(tx: Tx, ref: TransactionRef, reference: string): Promise<void> {
  await tx
    .insertInto("recharges")
    .values({ ...rechargeKey(ref), reference })
    .onConflict((conflict) => conflict.columns(RECHARGE_KEY).doUpdateSet({ reference }))
    .execute();
}

/** @throws Problem ID_TAKEN */
async function isBookedAlready(
  tx: Tx,
  ref: TransactionRef,
  { amount, paid, reference }: { amount: number; paid: number | undefined; reference: string },
): Promise<boolean> {
  const earlier = await findRecharge(tx, ref);
  if (!earlier) {
    if (await hasTransaction(tx, ref)) throw idTaken();
    return false;
  }
  const isSame =
    earlier.amount === amount &&
    (earlier.paid ?? undefined) === paid &&
    (earlier.reference ?? "") === reference;
  if (!isSame) throw idTaken();
  return true;
}

function idTaken(): Problem {
  return new Problem("ID_TAKEN", "Another entry has this id.", { rechargeId: "is taken" });
}

async function requireNewReference(tx: Tx, scope: Scope, reference: string): Promise<void> {
  const other = await findReference(tx, scope, reference);
  if (!other) return;
  throw new Problem("REFERENCE_USED", "A recharge with this reference is booked already.", {
    reference: "is used already",
    amount: String(other.amount),
    rechargedAt: toTimestamp(other.created_at),
  });
}

interface RechargeRow {
  amount: number;
  created_at: number;
  reference: string | null;
  paid: number | null;
}

/** Selects recharges that raised a balance. Other entries are DEBIT or have no client id. */
function recharges({ accountId, environment }: Scope) {
  return sql`select t.amount, t.created_at, r.reference, r.paid
    from transactions t
    left join recharges r on r.account_id = t.account_id
      and r.environment = t.environment and r.transaction_id = t.transaction_id
    where t.account_id = ${accountId} and t.environment = ${environment} and t.type = 'CREDIT'
      and t.product_type in ('RECHARGE_SANDBOX', 'RECHARGE_WITH_CREDIT_CARD')`;
}

async function findRecharge(
  tx: Tx,
  { transactionId, ...scope }: TransactionRef,
): Promise<RechargeRow | undefined> {
  const { rows } = await sql<RechargeRow>`${recharges(scope)}
    and t.transaction_id = ${transactionId}`.execute(tx);
  return rows[0];
}

/** Returns the newest unreversed recharge with a reference, ignoring case. */
async function findReference(
  tx: Tx,
  scope: Scope,
  reference: string,
): Promise<RechargeRow | undefined> {
  const { rows } = await sql<RechargeRow>`${recharges(scope)}
    and lower(r.reference) = lower(${reference})
    and not exists (select 1 from recharges v where v.account_id = t.account_id
      and v.environment = t.environment and v.reversed_transaction_id = t.transaction_id)
    order by t.created_at desc limit 1`.execute(tx);
  return rows[0];
}

async function findReversal(tx: Tx, scope: Scope, rechargeId: string) {
  return tx
    .selectFrom("recharges")
    .select(["transaction_id", "reason"])
    .where(inScope(scope))
    .where("reversed_transaction_id", "=", rechargeId)
    .executeTakeFirst();
}

async function hasTransaction(tx: Tx, ref: TransactionRef): Promise<boolean> {
  const row = await tx
    .selectFrom("transactions")
    .select("transaction_id")
    .where(inScope(ref))
    .where("transaction_id", "=", ref.transactionId)
    .executeTakeFirst();
  return row !== undefined;
}

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
async function keepPayment(
  tx: Tx,
  ref: TransactionRef,
  { paid, currency, amount, balance, at }: Payment,
): Promise<void> {
  const { accountId, environment } = ref;
  const rates = await listRechargeRates(tx, { accountId, environment, currency }, at);
  // Without an average, the price of the money in the wallet is unknown, so only the new money
  // counts.
  const held = rates.length > 0 ? Math.max(0, balance) : 0;
  const cost = getAverage(rates).mul(held).add(paid);
  const average = toAverage(cost, held + amount);
  const payment = { ...rechargeKey(ref), paid, currency, average, recharged_at: at };
  await tx.insertInto("recharges").values(payment).execute();
}

/**
 * Removes a reversed recharge from the average price. If no money with a price remains, the earlier
 * average applies again.
 */
async function dropPayment(
  tx: Tx,
  ref: TransactionRef,
  { rechargeId, balance, at }: { rechargeId: string; balance: number; at: number },
): Promise<void> {
  const payment = await tx
    .selectFrom("recharges as p")
    .innerJoin("transactions as t", inSameScope("t", "p", "transaction_id"))
    .select(["p.paid", "p.currency", "p.recharged_at", "t.amount"])
    .where(inScope(ref, "p"))
    .where("p.transaction_id", "=", rechargeId)
    .where("p.paid", "is not", null)
    .$narrowType<{ paid: number; currency: string; recharged_at: number }>()
    .executeTakeFirst();
  if (!payment) return;
  const { paid, currency, recharged_at, amount } = payment;
  const { accountId, environment } = ref;
  const rates = await listRechargeRates(tx, { accountId, environment, currency }, at);
  const last = getAverage(rates);
  const before = rates.findLast((rate) => rate.at < recharged_at)?.average;
  const left = balance - amount;
  const cost = last.mul(Math.max(0, balance)).sub(paid);
  const kept = left > 0 && cost.gt(0) ? toAverage(cost, left) : before;
  const average = kept ?? last.toFixed();
  const reversal = { ...rechargeKey(ref), paid, currency, average, recharged_at: at };
  await tx.insertInto("recharges").values(reversal).execute();
}

function toAverage(cost: Exact, amount: number): string {
  return cost.div(amount).toDecimalPlaces(DECIMALS).toFixed();
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

export function createRechargesModule(deps: Base & { sessions: SessionService }) {
  const recharges = new RechargeService(deps);
  return {
    services: { recharges },
    pos: (app) => registerRechargeRoutes(app, recharges, deps.sessions),
  } satisfies Module;
}

async function registerRechargeRoutes(
  app: App,
  recharges: RechargeService,
  sessions: SessionService,
): Promise<void> {
  const { rechargeOperations } = await import("../../../contract/pos/recharges.ts");
  handle(app, rechargeOperations.recharge, async ({ actor, body }) => {
    const { accountId, staffId } = actor;
    const { environment, amount, ...notes } = body;
    const author = { accountId, staffId, environment };
    const recharged = await recharges.recharge(author, amount, notes);
    return { environment, ...recharged };
  });

  handle(app, rechargeOperations.reverseRecharge, async ({ actor, params, body, ...call }) => {
    const { accountId, staffId } = actor;
    const { environment, pin, ...input } = body;
    setDeviceCookie(call.reply, await sessions.confirm(actor, pin, placeOf(call.request)));
    const author = { accountId, staffId, environment };
    const reversed = await recharges.reverse(author, { ...params, ...input });
    return { environment, ...reversed };
  });
}
