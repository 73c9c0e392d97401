import type { ScopedAuthor } from "../../contract/pos/actor.ts";
import { tidyName } from "../../contract/pos/name.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import type { Tx } from "../../db/database.ts";
import type { Transactor } from "../../db/transactor.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import { describeAmount } from "../../lib/money.ts";
import { recordAudit, whatChanged } from "../audit-trail/index.ts";
import { readTerms } from "../shop/index.ts";
import { createTransaction, type TransactionRef, transition } from "../transactions/index.ts";
import { type Balances, getBalances, getWalletUnit, recharge } from "../wallet/index.ts";
import { keepPayment } from "./recharge-payments-store.ts";

interface Deps {
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
}

/** Money that enters or leaves a wallet from outside (rules#wallet-recharge). */
export class RechargeService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Sets what can be spent in the test wallet to `available` minor units, by a recharge (CREDIT) or
   * its opposite (DEBIT) of the difference, with an id of its own; it is in the audit trail.
   * @throws Problem INVALID_REQUEST in the live environment, whose wallet holds real money.
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
   * Books that the owner funded the wallet with `amount` minor units (rules#wallet-recharge), in the live
   * environment the way the account at the provider was funded: by card, of the kinds there are.
   * @param reference what it is found again by, such as the number of a transfer
   * @param paid what it cost, minor units of the shop's currency
   */
  async recharge(
    author: ScopedAuthor,
    amount: number,
    { reference, paid }: { reference?: string; paid?: number } = {},
  ): Promise<Balances> {
    const { accountId, environment, staffId } = author;
    const scope = { accountId, environment };
    return this.#deps.transactor.transact(accountId, async (tx) => {
      const at = this.#deps.clock.now();
      const { available: was, held } = await getBalances(tx, scope);
      const shop = await readTerms(tx, accountId);
      const transactionId = await this.#book(tx, scope, amount);
      if (paid !== undefined) {
        const payment = { paid, currency: shop.currency, amount, balance: was + held, at };
        await keepPayment(tx, { ...scope, transactionId }, payment);
      }
      const noted = reference === undefined ? "" : tidyName(reference);
      if (noted !== "") await noteReference(tx, { ...scope, transactionId }, noted);
      const { available, currency, currencyDivisor } = await getBalances(tx, scope);
      const changed = whatChanged({ available: was }, { available });
      const detail = {
        environment,
        amount,
        ...(noted !== "" && { reference: noted }),
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
   * Corrects a wallet by what happened outside: a positive amount is added to it (CREDIT), a negative
   * one taken off it (DEBIT).
   * @returns the id of the new transaction
   * @throws InsufficientFunds when the wallet does not hold as much
   */
  adjust(tx: Tx, scope: Scope, amount: number): Promise<string> {
    return this.#book(tx, scope, amount);
  }

  /** Books a recharge of the test wallet; a negative amount takes off it. */
  async rechargeSandbox(tx: Tx, scope: Scope, amount: number): Promise<void> {
    await this.#book(tx, scope, amount);
  }

  async #book(tx: Tx, scope: Scope, amount: number): Promise<string> {
    const { clock, ids } = this.#deps;
    const productType =
      scope.environment === "live" ? "RECHARGE_WITH_CREDIT_CARD" : "RECHARGE_SANDBOX";
    const transactionId = ids.uuid();
    const at = clock.now();
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

async function noteReference(
  tx: Tx,
  { accountId, environment, transactionId }: TransactionRef,
  reference: string,
): Promise<void> {
  await tx
    .insertInto("recharge_references")
    .values({
      account_id: accountId,
      environment,
      transaction_id: transactionId,
      reference,
    })
    .execute();
}
