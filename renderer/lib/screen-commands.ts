import { useEffect, useEffectEvent } from "react";

/** What a key does where a button for it is on the screen. */
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
  /** The key is this one's. */
  readonly enabled?: boolean;
  /** Before all others that have the key. */
  readonly isFirst?: boolean;
}

/** Carries a command out as long as the component is on the screen. */
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

/** Carries the command out where something on the screen does, the first of several. */
export function runScreenCommand(command: ScreenCommand): void {
  const all = entriesOf(command);
  const entry = all.find(({ isFirst }) => isFirst) ?? all[0];
  entry?.run();
}

/** Whether anything on the screen carries the command out. */
export function hasScreenCommand(command: ScreenCommand): boolean {
  return entriesOf(command).length > 0;
}
