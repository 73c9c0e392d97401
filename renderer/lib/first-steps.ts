import { useSyncExternalStore } from "react";
import { Listeners } from "./listeners.ts";

const STORAGE_KEY = "tillgate.first-steps";

const listeners = new Listeners();

/** Shows the first steps at the till where the shop was set up, until they are dismissed. */
export function showFirstSteps(): void {
  localStorage.setItem(STORAGE_KEY, "shown");
  listeners.notify();
}

export function dismissFirstSteps(): void {
  localStorage.removeItem(STORAGE_KEY);
  listeners.notify();
}

export function useFirstSteps(): boolean {
  return useSyncExternalStore(
    listeners.subscribe,
    () => localStorage.getItem(STORAGE_KEY) !== null,
  );
}
