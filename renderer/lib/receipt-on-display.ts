import { useSyncExternalStore } from "react";

/** What of a receipt the customer's display shows, and whether there is one. */
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

/** Shows the customer the QR code of a receipt; without a link no more. */
export function showReceiptOnDisplay(link: string | undefined): void {
  change({ link });
}

/** The till has a customer's display, or has none any more. */
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
