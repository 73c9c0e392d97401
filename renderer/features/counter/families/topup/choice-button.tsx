import type { ReactNode } from "react";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { isKeyboardFocus } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import classes from "./recent-list.module.css";

export interface ChoiceButtonProps {
  /** The digit that picks it, where one does; Enter does where it has the focus. */
  readonly digit?: number | undefined;
  readonly isFocused: boolean;
  /** Tab stops here; the arrows go on to the others. */
  readonly isTabStop: boolean;
  /** The keyboard came to it. */
  readonly onFocus?: (() => void) | undefined;
  readonly onPick: () => void;
}

/** One line below the field, to be picked by its digit, the arrows or a finger. */
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
