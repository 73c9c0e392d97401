import { useSyncExternalStore } from "react";
import type { PaperWidthMm } from "../../../electron/ipc/ipc-map.ts";

/** The rolls that shops' printers take. */
export type PaperWidth = `${PaperWidthMm}mm`;

const KEY = "tillgate.paper-width";
const DEFAULT: PaperWidth = "80mm";

const listeners = new Set<() => void>();

/** The paper of the printer at this device, not of the shop: another till may have another. */
export function getPaperWidth(): PaperWidth {
  try {
    return localStorage.getItem(KEY) === "58mm" ? "58mm" : DEFAULT;
  } catch {
    // A browser that keeps nothing: the usual paper.
    return DEFAULT;
  }
}

export function setPaperWidth(paper: PaperWidth): void {
  try {
    localStorage.setItem(KEY, paper);
  } catch {
    return;
  }
  for (const listener of listeners) {
    listener();
  }
}

export function usePaperWidth(): [PaperWidth, (paper: PaperWidth) => void] {
  return [useSyncExternalStore(subscribe, getPaperWidth), setPaperWidth];
}

/** Another tab of this device may change it, too: the browser tells by the storage event. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

export function widthMm(paper: PaperWidth): PaperWidthMm {
  return paper === "58mm" ? 58 : 80;
}
