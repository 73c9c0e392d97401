import type { ReactNode } from "react";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { isKeyboardFocus } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import classes from "./recent-list.module.css";

export interface ChoiceButtonProps {
  /** Digit that picks the line; undefined if only Enter does. */
  readonly digit?: number | undefined;
  readonly isFocused: boolean;
  /** The line that Tab reaches; the arrow keys move from there. */
  readonly isTabStop: boolean;
  /** The keyboard moved the focus here. */
  readonly onFocus?: (() => void) | undefined;
  readonly onPick: () => void;
}

/** A line below the number field, picked by its digit, the arrow keys or touch. */
export function ChoiceButton({
  digit,
  isFocused,
  isTabStop,
  onFocus,
  onPick,
  children,
}: ChoiceButtonProps & { readonly children: ReactNode }) {
  return (
    <button
      type="button"
      className={classes.recent}
      {...OWN_KEYS}
      data-focused={isFocused}
      aria-current={isFocused}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={(event) => {
        if (isKeyboardFocus(event)) {
          onFocus?.();
        }
      }}
      onClick={onPick}
    >
      {children}
      {digit === undefined ? null : <KeyCap chooses>{digit}</KeyCap>}
    </button>
  );
}
