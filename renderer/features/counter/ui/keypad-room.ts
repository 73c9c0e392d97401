import { useSyncExternalStore } from "react";

let room: HTMLElement | null = null;
const listeners = new Set<() => void>();

/** A `ref` to the element above the primary button that holds a phone's keypad. */
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
