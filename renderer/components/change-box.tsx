import classes from "./change-box.module.css";
import { FitText } from "./fit-text.tsx";

interface ChangeBoxProps {
  readonly label: string;
  /** As it is written. */
  readonly amount: string;
  /** Something is missing, or what was typed cannot be cash. */
  readonly tone?: "plain" | "short" | "absurd";
}

/** What goes back over the counter in cash, as large as anything on the screen. */
export function ChangeBox({ label, amount, tone = "plain" }: ChangeBoxProps) {
  return (
    <div className={classes.change} data-tone={tone} aria-live="polite">
      <span className={classes.label}>{label}</span>
      <output className={classes.amount}>
        <FitText>{amount}</FitText>
      </output>
    </div>
  );
}
