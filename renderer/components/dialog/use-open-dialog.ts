import { type RefObject, useEffectEvent, useLayoutEffect } from "react";
import { openDialog } from "../../lib/open-dialogs.ts";

/** Makes what is shown a dialog over the screen for as long as it is open. */
export function useOpenDialog(
  opened: boolean,
  onClose: () => void,
  content: RefObject<HTMLElement | null>,
): void {
  const close = useEffectEvent(onClose);
  useLayoutEffect(
    () =>
      opened
        ? openDialog({
            node: () => content.current?.closest<HTMLElement>("[role=dialog]") ?? null,
            close: () => close(),
          })
        : undefined,
    [opened, content],
  );
}
