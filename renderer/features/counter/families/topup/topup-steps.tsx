import { useTranslation } from "react-i18next";
import { AmountStep } from "../../picker/amount/amount-step.tsx";
import classes from "../../ui/open-step.module.css";
import { CarrierStep } from "./carrier-step.tsx";
import { CountryStep } from "./country-step.tsx";
import { FoldedTopup } from "./folded-topup.tsx";
import { NumberStep } from "./number-step.tsx";
import { OfferStep } from "./offer-step.tsx";
import type { TopupStepProps } from "./topup-step.ts";

const STEPS = {
  number: NumberStep,
  country: CountryStep,
  carrier: CarrierStep,
  offer: OfferStep,
} as const;

interface TopupStepsProps extends TopupStepProps {
  readonly onUndo: () => void;
}

/** A top-up while it is composed: the finished steps in a line, the open one below. */
export function TopupSteps({ topup, control, onUndo }: TopupStepsProps) {
  const { t } = useTranslation();
  const { step } = topup.state;
  return (
    <>
      <FoldedTopup topup={topup} onUndo={onUndo} />
      <div className={classes.step} key={step}>
        {step === "amount" ? (
          <AmountStep
            amount={topup.amount}
            control={control}
            arrives={t("counter.phoneReceives")}
          />
        ) : (
          <Step step={step} topup={topup} control={control} />
        )}
      </div>
    </>
  );
}

interface StepOfProps extends TopupStepProps {
  readonly step: keyof typeof STEPS;
}

function Step({ step, topup, control }: StepOfProps) {
  const Shown = STEPS[step];
  return <Shown topup={topup} control={control} />;
}
