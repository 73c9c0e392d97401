/** Single-key shortcuts, which people with other input methods can turn off. */
import { useLayoutEffect, useSyncExternalStore } from "react";
import { Listeners } from "./listeners.ts";

const STORAGE_KEY = "tillgate.single-keys-off";

/** Marks a focused element that leaves single keys to its screen, such as a tile, row or tab. */
export const OWN_KEYS = { "data-own-keys": true } as const;

/** Returns whether the person at this till has single-key shortcuts on (rules#key-single-keys). */
export function areSingleKeysOn(): boolean {
  return document.documentElement.dataset.singleKeys !== "off";
}

const listeners = new Listeners();

export function useSingleKeys(staffId: string): readonly [boolean, (on: boolean) => void] {
  const storageKey = `${STORAGE_KEY}.${staffId}`;
  const isOn = useSyncExternalStore(
    listeners.subscribe,
    () => localStorage.getItem(storageKey) === null,
  );
  useLayoutEffect(() => {
    document.documentElement.dataset.singleKeys = isOn ? "on" : "off";
    return () => {
      delete document.documentElement.dataset.singleKeys;
    };
  }, [isOn]);
  function choose(on: boolean) {
    if (on) {
      localStorage.removeItem(storageKey);
    } else {
      localStorage.setItem(storageKey, "off");
    }
    listeners.notify();
  }
  return [isOn, choose];
}

export function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches(TEXT_FIELDS);
}

const TEXT_FIELDS =
  "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=button], [type=submit])";

/**
 * Returns whether the focus is on a control that handles keys itself. The screen ignores these
 * keys.
 */
export function isOnControl(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("button, a[href], summary, [role=tab], [role=switch]") !== null &&
    target.closest("[data-own-keys]") === null
  );
}
