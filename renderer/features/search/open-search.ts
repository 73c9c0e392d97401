const listeners = new Set<() => void>();

/** The same as Ctrl+K, for a finger. */
export function openSearch(): void {
  for (const listener of listeners) {
    listener();
  }
}

/** Tells when the search is asked for, until the returned function is called. */
export function listenForSearch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
