/** Letters, digits and signs that act by themselves, as people with other ways to type may not want. */
import { useLayoutEffect, useSyncExternalStore } from "react";

const STORAGE_KEY = "tillgate.single-keys-off";

/** Marks what takes single keys for the screen it is on though it has the focus: tiles, rows, tabs. */
export const OWN_KEYS = { "data-own-keys": true } as const;

/** Whether single keys act for the person at this till (rules#key-single-keys). */
export function areSingleKeysOn(): boolean {
  return document.documentElement.dataset.singleKeys !== "off";
}

const listeners = new Set<() => void>();

function subscribeChoices(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

/** What this person has chosen on this till, and how it is changed. */
export function useSingleKeys(staffId: string): readonly [boolean, (on: boolean) => void] {
  const storageKey = `${STORAGE_KEY}.${staffId}`;
  const isOn = useSyncExternalStore(
    subscribeChoices,
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
    for (const onChange of listeners) {
      onChange();
    }
  }
  return [isOn, choose];
}

/** Whether the focus is where text is typed. */
export function takesText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches(TEXT_FIELDS);
}

const TEXT_FIELDS =
  "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=button], [type=submit])";

/** Whether the focus is on something with keys of its own, which the screen leaves alone. */
export function isOnControl(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("button, a[href], summary, [role=tab], [role=switch]") !== null &&
    target.closest("[data-own-keys]") === null
  );
}
