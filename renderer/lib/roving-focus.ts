import type { FocusEvent } from "react";

/**
 * Returns the tabindex of a list's item: 0 only for the item last reached by arrow keys, or else
 * for the first item.
 * @param chosen index of the item last reached; negative if none
 */
export function tabStop(index: number, chosen: number): 0 | -1 {
  return index === Math.max(chosen, 0) ? 0 : -1;
}

export function isKeyboardFocus({ currentTarget }: FocusEvent): boolean {
  return currentTarget.matches(":focus-visible");
}

/**
 * Returns the target of an arrow key, Home or End in a list, without wrapping; undefined for other
 * keys.
 */
export function arrowTarget(key: string, at: number, count: number): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.min(Math.max(target, 0), count - 1);
}
