import { useSyncExternalStore } from "react";

let room: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** Where the keypad stands on a telephone: a `ref` of the place above the primary button. */
export function setKeypadRoom(element: HTMLElement | null): void {
  room = element;
  for (const listener of listeners) {
    listener();
  }
}

export function useKeypadRoom(): HTMLElement | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => room,
  );
}
