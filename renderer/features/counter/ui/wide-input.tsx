import type { ComponentProps, CSSProperties } from "react";
import { withoutIsolates } from "../../../lib/direction.ts";
import classes from "./wide-input.module.css";

interface WideInputProps extends Omit<ComponentProps<"input">, "className" | "style" | "value"> {
  readonly value: string;
  /** True in the narrow panel, which has smaller type. */
  readonly inPanel?: boolean;
}

/** Long text gets smaller type, so that all characters stay visible. */
export function WideInput({ value, inPanel = false, ...rest }: WideInputProps) {
  const letters = { "--letters": Math.max(1, withoutIsolates(value).length) } as CSSProperties;
  return (
    <div className={classes.room} data-panel={inPanel}>
      {/* The text direction follows the typed text, not the page, because an incomplete email
          address ends in "@". */}
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
