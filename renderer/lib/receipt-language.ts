import { useSyncExternalStore } from "react";
import type { Language } from "../../server/contract/pos/setup.ts";

/**
 * The customer's language, where a clerk chose another than the shop's for the receipt of one sale.
 * In memory: the next customer's receipt is in the shop's language again.
 */
const chosen = new Map<string, Language>();
const listeners = new Set<() => void>();

export function getReceiptLanguage(saleId: string): Language | undefined {
  return chosen.get(saleId);
}

export function chooseReceiptLanguage(saleId: string, language: Language): void {
  chosen.set(saleId, language);
  for (const listener of listeners) {
    listener();
  }
}

export function useReceiptLanguage(saleId: string): Language | undefined {
  return useSyncExternalStore(subscribe, () => getReceiptLanguage(saleId));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
