import { useSyncExternalStore } from "react";

/** Receipt link on the customer's display, and whether there is a display. */
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

/** Shows the customer the QR code of a receipt; undefined removes it. */
export function showReceiptOnDisplay(link: string | undefined): void {
  change({ link });
}

/** Records whether the till has a customer's display. */
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
