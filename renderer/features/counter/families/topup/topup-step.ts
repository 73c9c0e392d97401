import type { StepControl } from "../../ui/step-control.ts";
import type { Topup } from "./use-topup.ts";

/** What every step of a top-up is given. */
export interface TopupStepProps {
  readonly topup: Topup;
  readonly control: StepControl;
}
