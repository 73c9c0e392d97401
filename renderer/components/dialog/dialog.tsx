import { late } from "../../lib/late.tsx";
import { useOnceTrue } from "../../lib/use-once-true.ts";
import type { DialogProps } from "./dialog-window.tsx";

/** Every dialog, to be fetched ahead of the first. */
export const LateDialog = late<DialogProps>(
  async () => (await import("./dialog-window.tsx")).DialogWindow,
);

/**
 * A layer over the screen that has to be answered or left. While it is open no key acts on the screen
 * below, Escape closes it and nothing else, the focus stays inside, and returns to where it was
 * (rules#key-dialog-first).
 */
export function Dialog(props: DialogProps) {
  // Closed, it is there for its way out only.
  return useOnceTrue(props.opened) ? <LateDialog {...props} /> : null;
}
