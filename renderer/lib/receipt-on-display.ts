import { useSyncExternalStore } from "react";
import { Listeners } from "./listeners.ts";

interface ReceiptOnDisplay {
  readonly hasDisplay: boolean;
  readonly link: string | undefined;
}

let state: ReceiptOnDisplay = { hasDisplay: false, link: undefined };
const listeners = new Listeners();

function change(next: Partial<ReceiptOnDisplay>): void {
  state = { ...state, ...next };
  listeners.notify();
}

export function showReceiptOnDisplay(link: string | undefined): void {
  change({ link });
}

export function noteDisplay(hasDisplay: boolean): void {
  change({ hasDisplay });
}

export function useReceiptOnDisplay(): ReceiptOnDisplay {
  return useSyncExternalStore(listeners.subscribe, () => state);
}
