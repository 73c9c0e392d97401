import type { CSSProperties } from "react";
import { withoutIsolates } from "../lib/direction.ts";
import classes from "./fit-text.module.css";

/** One line of large type that gets smaller rather than being cut: an amount, a number. */
export function FitText({ children: text }: { readonly children: string }) {
  const letters = { "--letters": Math.max(1, withoutIsolates(text).length) } as CSSProperties;
  return (
    <span className={classes.box}>
      <span className={classes.text} style={letters}>
        <bdi>{text}</bdi>
      </span>
    </span>
  );
}
