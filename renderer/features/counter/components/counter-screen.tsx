import { useTranslation } from "react-i18next";
import type { CounterActions } from "../counter-actions.ts";
import { type Till, useCounter } from "../use-counter.ts";
import { useCounterKeys } from "../use-counter-keys.ts";
import { AmountStep } from "./amount-step.tsx";
import { CarrierStep } from "./carrier-step.tsx";
import { ConfirmStep } from "./confirm-step.tsx";
import classes from "./counter-screen.module.css";
import { FoldedSteps } from "./folded-steps.tsx";
import { NumberStep } from "./number-step.tsx";
import { OfferStep } from "./offer-step.tsx";
import { SalePanel } from "./sale-panel.tsx";

interface CounterScreenProps {
  readonly till: Till;
  /** Prints the receipt of a sale; rejects when it was not printed. */
  readonly onPrint: (saleId: string) => Promise<void>;
}

const STEPS = {
  number: NumberStep,
  carrier: CarrierStep,
  offer: OfferStep,
  amount: AmountStep,
  confirm: ConfirmStep,
} as const;

/** The main screen: who and what on the left, how much and what became of it on the right. */
export function CounterScreen({ till, onPrint }: CounterScreenProps) {
  const { t } = useTranslation();
  const counter = useCounter(till);
  const actions: CounterActions = {
    print: () => document.querySelector<HTMLButtonElement>("[data-print-sale]")?.click(),
  };
  useCounterKeys(counter, actions);
  const Step = STEPS[counter.state.step];
  return (
    <div className={classes.counter}>
      <main className={classes.work} aria-label={t("counter.title")}>
        <FoldedSteps counter={counter} />
        <div className={classes.step} key={counter.state.step}>
          <Step counter={counter} actions={actions} />
        </div>
      </main>
      <SalePanel counter={counter} onPrint={onPrint} />
    </div>
  );
}
