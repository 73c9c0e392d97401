import { useSyncExternalStore } from "react";

export type Connection = "online" | "reconnecting";

let connection: Connection = "online";
const listeners = new Set<() => void>();

export function setConnection(next: Connection): void {
  if (next !== connection) {
    connection = next;
    for (const listener of listeners) {
      listener();
    }
  }
}

export function subscribeConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useConnection(): Connection {
  return useSyncExternalStore(subscribeConnection, () => connection);
}
