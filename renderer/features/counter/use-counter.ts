import { useEffect, useEffectEvent, useReducer } from "react";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../lib/use-format.ts";
import { saleControl } from "./basket/sale-control.ts";
import { type Till, useSale } from "./basket/use-sale.ts";
import { counterReducer } from "./counter-machine.ts";
import { INITIAL_COUNTER } from "./counter-state.ts";
import type { Family } from "./families.ts";
import type { AttemptLine } from "./line-item.ts";
import type { StepControl } from "./step-control.ts";
import { topupControl } from "./topup/topup-control.ts";
import { useTopup } from "./topup/use-topup.ts";

export type Counter = ReturnType<typeof useCounter>;

/** The counter's machines joined to the gateway, and what the keys do in the step that is open. */
export function useCounter(till: Till, family: Family, onFamily: (family: Family) => void) {
  const { t } = useTranslation();
  const format = useFormat();
  const [state, dispatch] = useReducer(counterReducer, { ...INITIAL_COUNTER, family });
  const sale = useSale(till, state.sale, (event) => dispatch({ type: "sale", event }));
  const topup = useTopup(state.topup, (event) => dispatch({ type: "topup", event }), sale.compose);
  // The address names the family too: whichever of the two changes, the other follows.
  useEffect(() => dispatch({ type: "family-shown", family }), [family]);
  const follow = useEffectEvent(() => {
    if (state.family !== family) {
      onFamily(state.family);
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: to be run when it changes
  useEffect(() => follow(), [state.family]);

  const words = {
    t,
    inShop: (minor: number) => format.money(minor, till.currency, till.currencyDivisor),
  };
  const toPayment = {
    label: t("counter.next.basket", { count: sale.lines.length, price: words.inShop(sale.total) }),
    ready: true,
  };
  const { confirming, paying } = state.sale;
  const composing = topupControl(topup, words);
  // With nothing begun, what is in the basket is paid.
  const isUntouched = state.topup.digits === "" && state.topup.recent === undefined;
  const control: StepControl = confirming
    ? saleControl(sale, words)
    : isUntouched && sale.lines.length > 0
      ? {
          ...composing,
          next: toPayment,
          proceed: () => sale.dispatch({ type: "basket-opened" }),
        }
      : composing;

  /** Since when the provider of a line is slow; always the newest answer, as a pause may end. */
  function pausedSince({ item }: AttemptLine): string | undefined {
    const phone = sale.phones.get(item.number);
    return phone?.brands.find(({ brand }) => brand === item.brand)?.pausedSince;
  }

  function slowSince(): string | undefined {
    if (confirming) {
      return sale.lines.map(pausedSince).find((since) => since !== undefined);
    }
    // The number has its own place for the notice, beside the brand.
    const isPast = state.topup.step === "offer" || state.topup.step === "amount";
    return isPast ? topup.pausedSince : undefined;
  }

  return {
    till,
    pausedSince,
    slowSince: slowSince(),
    state,
    control,
    sale,
    topup,
    pickFamily: (picked: Family) => dispatch({ type: "family-picked", family: picked }),
    keepLine: () => sale.dispatch({ type: "line-kept" }),
    removeLine: (index: number) => {
      const line = sale.lines[index];
      if (line) {
        sale.dispatch({ type: "line-removed", transactionId: line.transactionId });
      }
    },
    openCarriers: () => {
      if (!confirming && state.family === "TOPUP") {
        topup.dispatch({ type: "carrier-opened" });
      }
    },
    undo: () => {
      if (!paying) {
        dispatch({ type: "undo" });
      }
    },
  };
}
