import { useSyncExternalStore } from "react";
import type { Language } from "../../server/contract/pos/setup.ts";

/**
 * Languages of receipts by sale, if the clerk chose a language other than the shop's. In memory
 * only: the next customer's receipt is in the shop's language.
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
