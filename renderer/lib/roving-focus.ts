import type { FocusEvent } from "react";

/**
 * One of many is where Tab stops, and the arrows go on from there: what they went to, else the first.
 * @param chosen the index of what the arrows went to; below 0 where they went nowhere
 */
export function tabStop(index: number, chosen: number): 0 | -1 {
  return index === Math.max(chosen, 0) ? 0 : -1;
}

/** Whether the focus came by the keyboard, and not with a finger or the mouse. */
export function isKeyboardFocus({ currentTarget }: FocusEvent): boolean {
  return currentTarget.matches(":focus-visible");
}

/** Where an arrow, Home or End leads in a list of so many, without going around; undefined of another key. */
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
