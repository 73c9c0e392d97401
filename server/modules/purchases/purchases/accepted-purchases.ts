import type { Transactor } from "../../../db/transactor.ts";
import { subjectOf } from "../../books/transactions/index.ts";
import type { StoredPurchase } from "./purchase-store.ts";

/** Purchases kept in memory, of some hundred bytes each. Another process may have taken their jobs. */
const MAX_KEPT = 1_000;

/** A transaction has accepted a purchase. */
export class AcceptedNote {
  readonly purchase: StoredPurchase;

  constructor(purchase: StoredPurchase) {
    this.purchase = purchase;
  }
}

/**
 * Purchases that this process has accepted and not yet taken on, as they were committed: the first step need not read
 * them. A purchase that has moved since is found out by the guards of its rows (StaleTransition), and read then.
 */
export class AcceptedPurchases {
  readonly #kept = new Map<string, StoredPurchase>();

  constructor(transactor: Transactor) {
    transactor.onCommit((_written, notes) => {
      for (const note of notes) {
        if (note instanceof AcceptedNote) this.#keep(note.purchase);
      }
    });
  }

  /** Returns the purchase of a job, once. */
  take(subject: string): StoredPurchase | undefined {
    const purchase = this.#kept.get(subject);
    this.#kept.delete(subject);
    return purchase;
  }

  #keep(purchase: StoredPurchase): void {
    this.#kept.set(subjectOf(purchase.transaction), purchase);
    if (this.#kept.size <= MAX_KEPT) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}
