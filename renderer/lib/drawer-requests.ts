import type { DrawerCause } from "../../server/contract/pos/printers.ts";

type Listener = (cause: DrawerCause) => void;

const listeners = new Set<Listener>();

export function askForDrawer(cause: DrawerCause): void {
  for (const listener of listeners) {
    listener(cause);
  }
}

export function listenForDrawer(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
