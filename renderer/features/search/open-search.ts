const listeners = new Set<() => void>();

export function openSearch(): void {
  for (const listener of listeners) {
    listener();
  }
}

export function listenForSearch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
