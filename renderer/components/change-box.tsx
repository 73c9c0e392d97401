import { TYPING_MS, useAnnounced } from "../lib/announcer.ts";
import classes from "./change-box.module.css";
import { FitText } from "./fit-text.tsx";

interface ChangeBoxProps {
  readonly label: string;
  /** Formatted. */
  readonly amount: string;
  /** `short`: money is missing. `absurd`: the amount cannot be cash. */
  readonly tone?: "plain" | "short" | "absurd";
  readonly id?: string;
  /** Announces nothing: an exact amount needs no announcement. */
  readonly isSilent?: boolean;
  /** True if no money is handed back. The box then only reserves its space. */
  readonly isNone?: boolean;
}

export function ChangeBox({ label, amount, tone = "plain", id, isSilent, isNone }: ChangeBoxProps) {
  useAnnounced(isSilent ? undefined : `${label} ${amount}`, { afterMs: TYPING_MS });
  return (
    <div id={id} className={classes.change} data-tone={tone} data-none={isNone}>
      <span className="soft">{label}</span>
      <span className={classes.amount}>
        <FitText>{amount}</FitText>
      </span>
    </div>
  );
}
