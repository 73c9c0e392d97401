import { createContext, useContext, useSyncExternalStore } from "react";

const INTERVAL_MS = 1_000;

/** Returns whether this browser stores a paid sale of the person that was not sent. */
export const UnsentSaleContext = createContext<() => boolean>(() => false);

export function useHasUnsentSale(): boolean {
  return useSyncExternalStore(subscribe, useContext(UnsentSaleContext));
}

function subscribe(onTick: () => void): () => void {
  const timer = setInterval(onTick, INTERVAL_MS);
  return () => clearInterval(timer);
}
