import { useEffect, useEffectEvent } from "react";

/** Commands of keys for which the screen may have a button. */
export type ScreenCommand =
  | "print"
  | "next-language"
  | "send-receipt"
  | "customer-refund"
  | "name-number"
  | "tender-reference"
  | "why-price";

interface Entry {
  readonly run: () => void;
  readonly isFirst: boolean;
}

const entries = new Map<ScreenCommand, readonly Entry[]>();

function entriesOf(command: ScreenCommand): readonly Entry[] {
  return entries.get(command) ?? [];
}

interface Options {
  /** False if the component does not handle the key now. */
  readonly enabled?: boolean;
  /** Has precedence over other components. */
  readonly isFirst?: boolean;
}

/** Handles a command while the component is mounted. */
export function useScreenCommand(
  command: ScreenCommand,
  run: () => void,
  { enabled = true, isFirst = false }: Options = {},
): void {
  const runNow = useEffectEvent(run);
  useEffect(() => {
    if (!enabled) {
      return undefined;
    }
    const entry: Entry = { run: () => runNow(), isFirst };
    entries.set(command, [...entriesOf(command), entry]);
    return () => {
      entries.set(
        command,
        entriesOf(command).filter((one) => one !== entry),
      );
    };
  }, [command, enabled, isFirst]);
}

/** Runs the command by the first component that handles it, if any. */
export function runScreenCommand(command: ScreenCommand): void {
  const all = entriesOf(command);
  const entry = all.find(({ isFirst }) => isFirst) ?? all[0];
  entry?.run();
}

/** Returns whether any component handles the command. */
export function hasScreenCommand(command: ScreenCommand): boolean {
  return entriesOf(command).length > 0;
}
