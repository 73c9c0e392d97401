import type { Transactor } from "../../../db/transactor.ts";
import { subjectOf } from "../../books/transactions/index.ts";
import type { StoredPurchase } from "./purchase-store.ts";

/**
 * Maximum number of purchases kept in memory, of some hundred bytes each. Another process may have
 * taken their jobs.
 */
const MAX_KEPT = 1_000;

/** The note of a transaction that accepted a purchase. */
export class AcceptedNote {
  readonly purchase: StoredPurchase;

  constructor(purchase: StoredPurchase) {
    this.purchase = purchase;
  }
}

/**
 * Purchases that this process has accepted and not yet advanced, as they were committed: their first step does not
 * read them. If a purchase has changed since, the guards of its rows detect it (StaleTransition), and it is read.
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
