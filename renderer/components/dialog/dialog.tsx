import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from "react";
import { late } from "../../lib/late.tsx";
import { openDialog } from "../../lib/open-dialogs.ts";
import type { DialogLayerProps } from "./dialog-layer.tsx";

/** No first screen is a dialog. */
const LateLayer = late(async () => (await import("./dialog-layer.tsx")).DialogLayer);

export const fetchDialogs = LateLayer.load;

/**
 * A layer over the screen that has to be answered or left. While it is open no key acts on the screen
 * below, Escape closes it and nothing else, the focus stays inside, and returns to where it was
 * (rules#key-dialog-first). That holds also while its script is still being fetched: what is typed then goes into its
 * field once it is drawn.
 */
export function Dialog(props: Omit<DialogLayerProps, "content">) {
  const content = useRef<HTMLDivElement>(null);
  useOpenDialog(props.opened, props.onClose, content);
  return <LateLayer {...props} content={content} />;
}

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
