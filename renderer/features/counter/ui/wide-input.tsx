import type { ComponentProps, CSSProperties } from "react";
import { withoutIsolates } from "../../../lib/direction.ts";
import classes from "./wide-input.module.css";

interface WideInputProps extends Omit<ComponentProps<"input">, "className" | "style" | "value"> {
  readonly value: string;
  /** In the panel beside the step, where less is large. */
  readonly inPanel?: boolean;
}

/** The one large field of a step: its type gets smaller before a letter is out of sight. */
export function WideInput({ value, inPanel = false, ...rest }: WideInputProps) {
  const letters = { "--letters": Math.max(1, withoutIsolates(value).length) } as CSSProperties;
  return (
    <div className={classes.room} data-panel={inPanel}>
      {/* An address ends in "@" while it is typed: it runs as its letters do, not as the page does. */}
      <input
        dir={inPanel ? undefined : "auto"}
        {...rest}
        className={classes.input}
        style={letters}
        value={value}
      />
    </div>
  );
}
