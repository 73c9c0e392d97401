import { TYPING_MS, useAnnounced } from "../lib/announcer.ts";
import classes from "./change-box.module.css";
import { FitText } from "./fit-text.tsx";

interface ChangeBoxProps {
  readonly label: string;
  /** As it is written. */
  readonly amount: string;
  /** Something is missing, or what was typed cannot be cash. */
  readonly tone?: "plain" | "short" | "absurd";
  /** The id by which a field is described by it. */
  readonly id?: string;
  /** Nothing was typed: the exact amount needs no words. */
  readonly isSilent?: boolean;
  /** There is none: its room is kept, and nothing is said. */
  readonly isNone?: boolean;
}

/** The change in cash, as large as anything on the screen. */
export function ChangeBox({ label, amount, tone = "plain", id, isSilent, isNone }: ChangeBoxProps) {
  useAnnounced(isSilent ? undefined : `${label} ${amount}`, { afterMs: TYPING_MS });
  return (
    <div id={id} className={classes.change} data-tone={tone} data-none={isNone}>
      <span className={classes.label}>{label}</span>
      <span className={classes.amount}>
        <FitText>{amount}</FitText>
      </span>
    </div>
  );
}
