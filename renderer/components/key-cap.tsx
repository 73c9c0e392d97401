import type { ReactNode } from "react";
import classes from "./key-cap.module.css";

interface KeyCapProps {
  readonly children: ReactNode;
  /** It chooses what it stands on: shown as long as a keyboard is used, and not only while Alt is held. */
  readonly chooses?: boolean;
}

/** The key that does the same as the control it stands in. Not read out: the control has a name. */
export function KeyCap({ children, chooses = false }: KeyCapProps) {
  return (
    <span
      className={classes.key}
      data-key={chooses ? "chooses" : "true"}
      data-single={isSingle(children)}
      aria-hidden="true"
      dir="ltr"
    >
      {children}
    </span>
  );
}

/** A letter, a digit or a sign, which does nothing for people who have turned single keys off. */
function isSingle(key: ReactNode): boolean {
  return typeof key === "number" || (typeof key === "string" && /^[\p{L}\d+]$/u.test(key));
}
