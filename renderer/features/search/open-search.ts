const listeners = new Set<() => void>();

/** Opens the search, like Ctrl+K. */
export function openSearch(): void {
  for (const listener of listeners) {
    listener();
  }
}

/** Calls the listener when the search opens, until the returned function is called. */
export function listenForSearch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
