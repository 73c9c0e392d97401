import { useSyncExternalStore } from "react";
import { Listeners } from "./listeners.ts";

export type Connection = "online" | "reconnecting";

let connection: Connection = "online";
const listeners = new Listeners();

export function setConnection(next: Connection): void {
  if (next !== connection) {
    connection = next;
    listeners.notify();
  }
}

export const subscribeConnection = listeners.subscribe;

export function useConnection(): Connection {
  return useSyncExternalStore(subscribeConnection, () => connection);
}
