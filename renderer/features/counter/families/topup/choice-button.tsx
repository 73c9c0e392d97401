import type { ReactNode } from "react";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { isKeyboardFocus } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import classes from "./recent-list.module.css";

export interface ChoiceButtonProps {
  readonly digit?: number | undefined;
  readonly isFocused: boolean;
  /** True for the only line that Tab focuses. */
  readonly isTabStop: boolean;
  readonly onFocus?: (() => void) | undefined;
  readonly onPick: () => void;
}

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
