import type { CSSProperties } from "react";
import { withoutIsolates } from "../lib/direction.ts";
import classes from "./fit-text.module.css";

const MOST_LETTERS = 32;

/** One line of large type, such as an amount, that shrinks instead of being cut. */
export function FitText({ children: text }: { readonly children: string }) {
  const { length } = withoutIsolates(text);
  const letters = { "--letters": Math.max(1, length) } as CSSProperties;
  return (
    <span className="block w-full container">
      <span className={classes.text} data-long={length > MOST_LETTERS} style={letters}>
        <bdi>{text}</bdi>
      </span>
    </span>
  );
}
