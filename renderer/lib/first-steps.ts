import { useSyncExternalStore } from "react";

const STORAGE_KEY = "tillgate.first-steps";

const listeners = new Set<() => void>();

/** Shows the first steps at the till where the shop was set up, until they are dismissed. */
export function showFirstSteps(): void {
  localStorage.setItem(STORAGE_KEY, "shown");
  tell();
}

export function dismissFirstSteps(): void {
  localStorage.removeItem(STORAGE_KEY);
  tell();
}

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
