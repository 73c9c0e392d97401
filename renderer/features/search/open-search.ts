const listeners = new Set<() => void>();

/** The same as Ctrl+K, for a finger. */
export function openSearch(): void {
  for (const listener of listeners) {
    listener();
  }
}

/** Calls back when the search is opened, until the returned function is called. */
export function listenForSearch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
