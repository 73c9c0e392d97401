import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import type { Transactor, Tx } from "../../db/database.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import { createTransaction, transition } from "../transactions/index.ts";
import { type Balances, getBalances, getWalletUnit, recharge } from "../wallet/index.ts";

interface Parts {
  transactor: Transactor;
  clock: Clock;
  ids: Ids;
}

/** Money that enters or leaves a wallet from outside (decisions §5). */
export class RechargeService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Sets what can be spent in the test wallet to `available` minor units, by a recharge (CREDIT) or
   * its opposite (DEBIT) of the difference, with an id of its own.
   * @throws Problem INVALID_REQUEST in the live environment, whose wallet holds real money.
   */
  async setTestWallet(scope: Scope, available: number): Promise<Balances> {
    if (scope.environment !== "test") {
      throw new Problem("INVALID_REQUEST", "Only the test wallet can be set to an amount.", {
        environment: "must be test",
      });
    }
    return this.#parts.transactor.transact(async (tx) => {
      const balances = await getBalances(tx, scope);
      if (available !== balances.available) {
        await this.rechargeSandbox(tx, scope, available - balances.available);
      }
      return getBalances(tx, scope);
    });
  }

  /** Books a recharge of the test wallet; a negative amount takes off it. */
  async rechargeSandbox(tx: Tx, scope: Scope, amount: number): Promise<void> {
    const { clock, ids } = this.#parts;
    const transactionId = ids.uuid();
    const at = clock.now();
    await createTransaction(tx, {
      ...scope,
      transactionId,
      type: amount >= 0 ? "CREDIT" : "DEBIT",
      productType: "RECHARGE_SANDBOX",
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
  }
}
