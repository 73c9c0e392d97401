import type { Sale } from "../../server/contract/pos/sales.ts";

type Listener = (sale: Sale) => void;

const listeners = new Set<Listener>();

/** Notifies listeners that this till, not another till, made the sale. */
export function notifySoldHere(sale: Sale): void {
  for (const listener of listeners) {
    listener(sale);
  }
}

export function listenSoldHere(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
