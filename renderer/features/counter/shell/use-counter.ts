import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useReducer } from "react";
import { useTranslation } from "react-i18next";
import { fewestDigits, typedNumber } from "../../../lib/phone-format.ts";
import { askAgain } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { billControl } from "../families/bill/bill-control.ts";
import { useBill } from "../families/bill/use-bill.ts";
import { esimControl } from "../families/esim/esim-control.ts";
import { useEsim } from "../families/esim/use-esim.ts";
import type { Family } from "../families/index.ts";
import { topupControl } from "../families/topup/topup-control.ts";
import { isOfBrand } from "../families/topup/topup-state.ts";
import { useTopup } from "../families/topup/use-topup.ts";
import { useVoucher } from "../families/voucher/use-voucher.ts";
import { voucherControl } from "../families/voucher/voucher-control.ts";
import type { Till } from "../sale/attempt/till.ts";
import { useSale } from "../sale/basket/use-sale.ts";
import { saleControl } from "../sale/confirm/sale-control.ts";
import { useHeld } from "../sale/held/use-held.ts";
import type { Pause } from "../ui/pause.ts";
import type { StepControl } from "../ui/step-control.ts";
import { counterReducer } from "./counter-machine.ts";
import { isUntouched, nameOfStep } from "./counter-place.ts";
import { INITIAL_COUNTER } from "./counter-state.ts";
import type { CounterWish } from "./counter-wish.ts";
import type { TypedNumber } from "./digit-row.ts";
import { findDrafts, keepDrafts } from "./draft-store.ts";

export type Counter = ReturnType<typeof useCounter>;

/** The counter's machines joined to the gateway, and what the keys do in the step that is open. */
export function useCounter(till: Till, family: Family, onFamily: (family: Family) => void) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [state, dispatch] = useReducer(counterReducer, undefined, () => ({
    ...INITIAL_COUNTER,
    ...findDrafts(till),
    family,
  }));
  useEffect(() => keepDrafts(till, state), [till, state]);
  const sale = useSale(till, state.sale, (event) => dispatch({ type: "sale", event }));
  const homeCountry = till.country;
  const topup = useTopup(
    state.topup,
    (event) => dispatch({ type: "topup", event }),
    sale.compose,
    homeCountry,
  );
  const { confirming, paying } = state.sale;
  // The address names the family too: whichever of the two changes, the other follows.
  useEffect(() => dispatch({ type: "family-shown", family }), [family]);
  const follow = useEffectEvent(() => {
    if (state.family !== family) {
      onFamily(state.family);
    }
  });
  // While money is taken the counter stays where it is; where it was refused, it still does.
  // biome-ignore lint/correctness/useExhaustiveDependencies: to be run when one of them changes
  useEffect(() => {
    if (!paying) {
      follow();
    }
  }, [state.family, paying]);

  const held = useHeld(sale);
  const isOpen = (one: Family) => state.family === one;
  const voucher = useVoucher(
    state.voucher,
    (event) => dispatch({ type: "voucher", event }),
    sale.compose,
    { isOpen: isOpen("VOUCHER"), homeCountry },
  );
  const deviceAsked = sale.lines.some(
    ({ item }) => item.productType === "ESIM" && item.iccid === undefined,
  );
  const esim = useEsim(state.esim, (event) => dispatch({ type: "esim", event }), sale.compose, {
    isOpen: isOpen("ESIM"),
    deviceAsked,
  });

  const bill = useBill(state.bill, (event) => dispatch({ type: "bill", event }), sale.compose, {
    isOpen: isOpen("BILL_PAY"),
    homeCountry,
  });

  const words = {
    t,
    inShop: (minor: number) => format.money(minor, till.currency, till.currencyDivisor),
    contents: format.contents,
  };

  function composing(): StepControl {
    switch (state.family) {
      case "TOPUP":
        return topupControl(topup, words);
      case "VOUCHER":
        return voucherControl(voucher, words);
      case "ESIM":
        return esimControl(esim, words);
      case "BILL_PAY":
        return billControl(bill, words);
    }
  }

  /** What the owner has paused goes no further; a number of before may be of another brand. */
  function stoppable(control: StepControl): StepControl {
    const isRepeated = state.family === "TOPUP" && state.topup.knownNumber !== undefined;
    if (!pauseOfDraft()?.byHand || isRepeated) {
      return control;
    }
    const { type, turnTab, turnPage, move, moveTo } = control;
    return {
      typing: control.typing,
      next: { label: t("counter.next.paused"), ready: false },
      proceed: () => undefined,
      ...(type ? { type } : {}),
      ...(move ? { move } : {}),
      ...(moveTo ? { moveTo } : {}),
      ...(turnTab ? { turnTab } : {}),
      ...(turnPage ? { turnPage } : {}),
    };
  }

  function currentControl(): StepControl {
    if (confirming || state.sale.entry) {
      return saleControl(sale, held, words);
    }
    if (held.isOpen) {
      return {
        typing: "none",
        next: { label: t("counter.next.held"), ready: false },
        proceed: () => undefined,
        pick: (index) => {
          const one = held.tiles[index];
          if (one) {
            held.choose(one);
          }
        },
        turnPage: (step) => held.turnTo(Math.min(Math.max(0, held.page + step), held.pages - 1)),
      };
    }
    const composed = stoppable(composing());
    const control = composed.asksAgain
      ? { ...composed, proceed: () => void askAgain(queryClient) }
      : composed;
    // With nothing begun, what is in the basket is paid.
    return isUntouched(state) && sale.lines.length > 0
      ? {
          ...control,
          next: {
            label: t("counter.next.basket", {
              count: sale.lines.length,
              price: words.inShop(sale.total),
            }),
            ready: true,
          },
          proceed: () => sale.dispatch({ type: "basket-opened" }),
        }
      : control;
  }

  /** The brand that is chosen for the line being composed. */
  function pauseOfDraft(): Pause | undefined {
    switch (state.family) {
      case "TOPUP":
        return isOfBrand(state.topup.step) ? topup.pause : undefined;
      case "VOUCHER":
        return state.voucher.step === "brand" ? undefined : voucher.pause;
      case "ESIM":
        return state.esim.step === "plan" || state.esim.step === "device" ? esim.pause : undefined;
      case "BILL_PAY":
        return state.bill.step === "biller" ? undefined : bill.pause;
    }
  }

  function shownPause(): Pause | undefined {
    if (confirming) {
      const pauses = sale.lines.flatMap((line) => sale.pauseOfLine(line) ?? []);
      return pauses.find(({ byHand }) => byHand) ?? pauses[0];
    }
    // The number has its own place for the notice, beside the brand.
    const isAtNumber = state.family === "TOPUP" && state.topup.step === "number";
    return isAtNumber ? undefined : pauseOfDraft();
  }

  return {
    till,
    /** Another name for every step, of all families. */
    step: nameOfStep(state),
    /** What there is to know of the provider before the next thing is done. */
    pause: shownPause(),
    state,
    control: currentControl(),
    sale,
    topup,
    voucher,
    esim,
    bill,
    pickFamily: (picked: Family) => {
      held.close();
      dispatch({ type: "family-picked", family: picked });
    },
    keepLine: () => sale.dispatch({ type: "line-kept" }),
    removeLine: (index: number) => {
      const line = sale.lines[index];
      if (line) {
        sale.dispatch({ type: "line-removed", transactionId: line.transactionId });
      }
    },
    openCarriers: () => {
      if (!confirming && state.family === "TOPUP") {
        topup.openOthers();
      } else if (!confirming && state.family === "VOUCHER") {
        voucher.dispatch({ type: "country-opened" });
      } else if (!confirming && state.family === "BILL_PAY") {
        bill.dispatch({ type: "country-opened" });
      }
    },
    /** What was typed where digits choose is a number: for the first step, whatever stood there. */
    beginNumber: (typed: TypedNumber) => {
      held.close();
      topup.takeBack();
      dispatch({ type: "number-begun", ...typed });
    },
    /** Digits of the shortest number that is typed in this shop. */
    fewestDigits: fewestDigits(homeCountry),
    /** Types what somebody looked for into the first step of the family that is open. */
    fulfil: ({ number, find, held: isHeldWished }: CounterWish) => {
      if (isHeldWished) {
        return held.show();
      }
      const typed = { type: "query-typed", text: find ?? "" } as const;
      switch (state.family) {
        case "TOPUP":
          return topup.dispatch({ type: "number-typed", digits: typedNumber(number ?? "") });
        case "VOUCHER":
          return voucher.dispatch({ type: "brands", event: typed });
        case "ESIM":
          return esim.dispatch({ type: "places", event: typed });
        case "BILL_PAY":
          return bill.dispatch({ type: "billers", event: typed });
      }
    },
    /** Nothing of a new line was chosen or typed yet. */
    isUntouched: isUntouched(state),
    openIccid: () =>
      confirming || state.family !== "ESIM" ? undefined : esim.dispatch({ type: "iccid-opened" }),
    held,
    undo: () => {
      if (held.isOpen) {
        held.close();
      } else if (!paying) {
        dispatch({ type: "undo" });
      }
    },
  };
}
