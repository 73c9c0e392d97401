import type { StepControl } from "../../ui/step-control.ts";
import type { Topup } from "./use-topup.ts";

export interface TopupStepProps {
  readonly topup: Topup;
  readonly control: StepControl;
}
