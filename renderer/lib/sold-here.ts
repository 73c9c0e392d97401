import type { Sale } from "../../server/contract/pos/sales.ts";

type Listener = (sale: Sale) => void;

const listeners = new Set<Listener>();

/** Notifies that this till made the sale, not another till. */
export function notifySoldHere(sale: Sale): void {
  for (const listener of listeners) {
    listener(sale);
  }
}

export function listenSoldHere(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
