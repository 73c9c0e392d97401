import type { ReactNode } from "react";
import classes from "./key-cap.module.css";

interface KeyCapProps {
  readonly children: ReactNode;
  /**
   * True if the key chooses a tile. Such a key is visible while a keyboard is used; other keys only
   * while Alt is held.
   */
  readonly chooses?: boolean;
}

/** The shortcut of the surrounding control. Hidden from screen readers: the control has a name. */
export function KeyCap({ children, chooses = false }: KeyCapProps) {
  return (
    <span
      className={classes.key}
      data-key={chooses ? "chooses" : "true"}
      data-single={isSingle(children)}
      aria-hidden="true"
    >
      {/* Only the text is left to right: the cap itself is at the end of its control in both directions. */}
      <bdi dir="ltr">{children}</bdi>
    </span>
  );
}

function isSingle(key: ReactNode): boolean {
  return typeof key === "number" || (typeof key === "string" && /^[\p{L}\d+]$/u.test(key));
}
