import type { Transactor } from "../../../db/transactor.ts";
import { subjectOf } from "../../books/transactions/index.ts";
import type { StoredPurchase } from "./purchase-store.ts";

/**
 * Maximum number of purchases, of some hundred bytes each. The limit removes purchases that other
 * processes advance.
 */
const MAX_KEPT = 4_000;

export class AcceptedNote {
  readonly purchase: StoredPurchase;

  constructor(purchase: StoredPurchase) {
    this.purchase = purchase;
  }
}

/**
 * Purchases that this process accepted or advanced a moment ago, so that their next step needs no
 * database read. If a row has changed, the write of the step fails (StaleTransition).
 */
export class AcceptedPurchases {
  readonly #kept = new Map<string, StoredPurchase>();

  constructor(transactor: Transactor) {
    transactor.onCommit((_written, notes) => {
      for (const note of notes) {
        if (note instanceof AcceptedNote) this.keep(note.purchase);
      }
    });
  }

  take(subject: string): StoredPurchase | undefined {
    const purchase = this.#kept.get(subject);
    this.#kept.delete(subject);
    return purchase;
  }

  keep(purchase: StoredPurchase): void {
    this.#kept.set(subjectOf(purchase.transaction), purchase);
    if (this.#kept.size <= MAX_KEPT) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }
}
