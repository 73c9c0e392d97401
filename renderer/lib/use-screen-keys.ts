import { useEffect, useEffectEvent } from "react";
import { followKeys } from "./key-edge.ts";
import { isOfDialog } from "./open-dialogs.ts";

interface Options {
  /** Includes keys pressed while a dialog is open. */
  readonly inDialogs?: boolean;
  /** Handles keys before other parts of the screen. */
  readonly first?: boolean;
}

/** Handles keys pressed anywhere on the screen, unless they belong to an open dialog. */
export function useScreenKeys(
  onKeyDown: (event: KeyboardEvent) => void,
  { inDialogs = false, first = false }: Options = {},
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (inDialogs || !isOfDialog(event)) {
      onKeyDown(event);
    }
  });
  useEffect(() => {
    followKeys();
    const listener = (event: KeyboardEvent) => onKey(event);
    const place = first ? document : globalThis;
    place.addEventListener("keydown", listener as EventListener);
    return () => place.removeEventListener("keydown", listener as EventListener);
  }, [first]);
}
