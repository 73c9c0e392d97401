import { useSyncExternalStore } from "react";
import type { Language } from "../../server/contract/pos/setup.ts";
import { Listeners } from "./listeners.ts";

/**
 * Languages of receipts by sale, if the clerk chose a language other than the shop's. In memory
 * only: the next customer's receipt is in the shop's language.
 */
const chosen = new Map<string, Language>();
const listeners = new Listeners();

export function getReceiptLanguage(saleId: string): Language | undefined {
  return chosen.get(saleId);
}

export function chooseReceiptLanguage(saleId: string, language: Language): void {
  chosen.set(saleId, language);
  listeners.notify();
}

export function useReceiptLanguage(saleId: string): Language | undefined {
  return useSyncExternalStore(listeners.subscribe, () => getReceiptLanguage(saleId));
}
