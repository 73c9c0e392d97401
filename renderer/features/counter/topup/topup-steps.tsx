import classes from "../components/counter-screen.module.css";
import type { Counter } from "../use-counter.ts";
import { AmountStep } from "./amount-step.tsx";
import { CarrierStep } from "./carrier-step.tsx";
import { FoldedTopup } from "./folded-topup.tsx";
import { NumberStep } from "./number-step.tsx";
import { OfferStep } from "./offer-step.tsx";

const STEPS = {
  number: NumberStep,
  carrier: CarrierStep,
  offer: OfferStep,
  amount: AmountStep,
} as const;

/** A top-up while it is composed: the finished steps in a line, the open one below. */
export function TopupSteps({ counter }: { readonly counter: Counter }) {
  const { topup, control } = counter;
  const Step = STEPS[topup.state.step];
  return (
    <>
      <FoldedTopup topup={topup} onUndo={counter.undo} />
      <div className={classes.step} key={topup.state.step}>
        <Step topup={topup} control={control} />
      </div>
    </>
  );
}
