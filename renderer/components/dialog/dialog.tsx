import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from "react";
import { late } from "../../lib/late.tsx";
import { openDialog } from "../../lib/open-dialogs.ts";
import type { DialogLayerProps } from "./dialog-layer.tsx";

/** Loaded late: no first screen has a dialog. */
const LateLayer = late(async () => (await import("./dialog-layer.tsx")).DialogLayer);

export const fetchDialogs = LateLayer.load;

/**
 * A layer over the screen, which a person must answer or close. While it is open, no key acts on
 * the screen below, Escape closes only this layer, and the focus stays inside; afterwards the focus
 * returns to its former element (rules#key-dialog-first). Keys typed while the layer's script loads
 * go into its first field.
 */
export function Dialog(props: Omit<DialogLayerProps, "content">) {
  const content = useRef<HTMLDivElement>(null);
  useOpenDialog(props.opened, props.onClose, content);
  return <LateLayer {...props} content={content} />;
}

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
