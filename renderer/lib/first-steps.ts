import { useSyncExternalStore } from "react";

const STORAGE_KEY = "tillgate.first-steps";

const listeners = new Set<() => void>();

/** The shop was set up at this till: what to try first is shown until it was read. */
export function showFirstSteps(): void {
  localStorage.setItem(STORAGE_KEY, "shown");
  tell();
}

export function dismissFirstSteps(): void {
  localStorage.removeItem(STORAGE_KEY);
  tell();
}

/** Whether what to try first is shown at this till. */
export function useFirstSteps(): boolean {
  return useSyncExternalStore(subscribe, () => localStorage.getItem(STORAGE_KEY) !== null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
