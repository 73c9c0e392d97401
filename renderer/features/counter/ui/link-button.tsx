import type { ReactNode } from "react";
import { KeyCap } from "../../../components/key-cap.tsx";
import { letGo } from "../../../lib/rest-focus.ts";
import stepClasses from "./step.module.css";

interface LinkButtonProps {
  readonly icon?: ReactNode;
  /** Its words. */
  readonly children: ReactNode;
  /** The key that does the same. */
  readonly shortcut: string;
  /** In a column, its words stand in line with the others. */
  readonly flush?: boolean;
  readonly disabled?: boolean;
  readonly onPress: () => void;
}

/**
 * What else may be done in a step. It lets go of the focus: Enter stays the one next thing, and is
 * not the same once more.
 */
export function LinkButton(props: LinkButtonProps) {
  const { icon, children, shortcut, flush = false, disabled = false, onPress } = props;
  return (
    <button
      type="button"
      className={flush ? `${stepClasses.link} ${stepClasses.flush}` : stepClasses.link}
      disabled={disabled}
      onClick={(event) => {
        letGo(event);
        onPress();
      }}
    >
      {icon}
      {children} <KeyCap>{shortcut}</KeyCap>
    </button>
  );
}
