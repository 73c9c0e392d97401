import type { ReactNode } from "react";
import classes from "./key-cap.module.css";

/** The key that does the same as the control it stands in. Not read out: the control has a name. */
export function KeyCap({ children }: { readonly children: ReactNode }) {
  return (
    <span className={classes.key} data-key="true" aria-hidden="true" dir="ltr">
      {children}
    </span>
  );
}
