import type { ReactNode } from "react";
import { KeyCap } from "../../../components/key-cap.tsx";
import { letGo } from "../../../lib/rest-focus.ts";
import stepClasses from "./step.module.css";

interface LinkButtonProps {
  readonly icon?: ReactNode;
  readonly children: ReactNode;
  readonly shortcut: string;
  readonly flush?: boolean;
  readonly title?: string | undefined;
  readonly disabled?: boolean;
  readonly onPress: () => void;
}

/**
 * Secondary action of a step. A press drops the focus, so that the next Enter performs the primary
 * action.
 */
export function LinkButton(props: LinkButtonProps) {
  const { icon, children, shortcut, flush = false, disabled = false, title, onPress } = props;
  return (
    <button
      type="button"
      className={flush ? `${stepClasses.link} ${stepClasses.flush}` : stepClasses.link}
      disabled={disabled}
      title={title}
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
