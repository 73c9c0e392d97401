import { useEffect, useEffectEvent } from "react";

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
  readonly enabled?: boolean;
  readonly isFirst?: boolean;
}

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

export function runScreenCommand(command: ScreenCommand): void {
  const all = entriesOf(command);
  const entry = all.find(({ isFirst }) => isFirst) ?? all[0];
  entry?.run();
}

export function hasScreenCommand(command: ScreenCommand): boolean {
  return entriesOf(command).length > 0;
}
