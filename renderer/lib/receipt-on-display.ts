import { useSyncExternalStore } from "react";

interface ReceiptOnDisplay {
  readonly hasDisplay: boolean;
  readonly link: string | undefined;
}

let state: ReceiptOnDisplay = { hasDisplay: false, link: undefined };
const listeners = new Set<() => void>();

function change(next: Partial<ReceiptOnDisplay>): void {
  state = { ...state, ...next };
  for (const listener of listeners) {
    listener();
  }
}

export function showReceiptOnDisplay(link: string | undefined): void {
  change({ link });
}

export function noteDisplay(hasDisplay: boolean): void {
  change({ hasDisplay });
}

export function useReceiptOnDisplay(): ReceiptOnDisplay {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
