import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer } from "react";
import { useTranslation } from "react-i18next";
import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { fewestDigits } from "../../../lib/phone-format.ts";
import { askAgain } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { FIRST_FAMILY, prefilled, useFamilies, wordsInField } from "../families/index.ts";
import type { CounterWish } from "../families/interface/counter-wish.ts";
import type { OpenFamily } from "../families/interface/family.ts";
import type { ThingFinder } from "../families/interface/sold-thing.ts";
import type { Till } from "../sale/attempt/till.ts";
import { type CurrentSale, useSale } from "../sale/basket/use-sale.ts";
import { type Held, useHeld } from "../sale/held/use-held.ts";
import type { Pause } from "../ui/pause.ts";
import type { StepWords } from "../ui/step-control.ts";
import { counterReducer } from "./counter-machine.ts";
import { isUntouched, nameOfStep } from "./counter-place.ts";
import { type CounterEvent, type CounterState, INITIAL_COUNTER } from "./counter-state.ts";
import type { TypedNumber } from "./digit-row.ts";
import { findDrafts, keepDrafts } from "./draft-store.ts";
import { openControl } from "./open-control.ts";
import { type NamedFamily, useAddress } from "./use-address.ts";
import { useFoundThings } from "./use-found-things.ts";

export type Counter = ReturnType<typeof useCounter>;

/** What the one field leads to beside a line. */
interface Found {
  /** Searches what is sold, once it is known. */
  readonly finder?: ThingFinder | undefined;
  readonly onSale?: ((sale: Sale) => void) | undefined;
}

/** The counter's machines joined to the gateway, and what the keys do in the step that is open. */
export function useCounter(
  till: Till,
  named: NamedFamily,
  onFamily: (family: Family, asked: number) => void,
  { finder, onSale }: Found = {},
) {
  const queryClient = useQueryClient();
  const [state, dispatch] = useReducer(counterReducer, undefined, () => ({
    ...INITIAL_COUNTER,
    drafts: findDrafts(till),
    family: named.family,
  }));
  const { drafts } = state;
  useEffect(() => keepDrafts(till, drafts), [till, drafts]);
  const { confirming, paying } = state.sale;
  useAddress(named, state, dispatch, onFamily);

  const sale = useSaleOf(till, state.sale, dispatch);
  const held = useHeld(sale);
  const words = useWords(till);
  const undo = () => {
    if (held.isOpen) {
      held.close();
    } else if (!paying) {
      dispatch({ type: "undo" });
    }
  };
  const items = sale.lines.map(({ item }) => item);
  const things = useFoundThings(
    finder,
    wordsInField(drafts),
    till,
    (begins, isOffer) => dispatch({ type: "thing-opened", begins, isOffer }),
    (sale) => onSale?.(sale),
  );
  const { compose } = sale;
  const families = useFamilies(
    { family: state.family, drafts, compose, till, items, words, undo, things },
    dispatch,
  );
  const open = families[state.family];
  const untouched = isUntouched(state);
  const parts = {
    open,
    sale,
    held,
    isUntouched: untouched,
    askAgain: () => void askAgain(queryClient),
  };

  return {
    till,
    /** Another name for every step, of all families. */
    step: nameOfStep(state),
    /** What there is to know of the provider before the next thing is done. */
    pause: shownPause(open, sale),
    state,
    control: openControl(parts, words),
    sale,
    held,
    /** The line that is composed: the finished steps, and the open one. */
    steps: open.steps,
    /** Nothing of a new line was chosen or typed yet. */
    isUntouched: untouched,
    ...familyActions(state, held, families, dispatch),
    ...basketActions(sale),
    openOthers: () => (confirming ? undefined : open.openOthers?.()),
    openOwn: () => (confirming ? undefined : open.openOwn?.()),
    /** What is confirmed may have been found by words in the one field, and shown nowhere since. */
    isFromWords: wordsInField(drafts) !== "" || state.openedFrom?.isOffer === true,
    /** Digits of the shortest number that is typed in this shop. */
    fewestDigits: fewestDigits(till.country),
    /** Types what was searched for elsewhere into the first step of the family that is open. */
    fulfil: (wish: CounterWish) =>
      wish.held ? held.show() : dispatch(prefilled(state.family, wish)),
    undo,
  };
}

/** The sale, whose numbers lead back to their field when their customers do not know them. */
function useSaleOf(
  till: Till,
  sale: CounterState["sale"],
  dispatch: (event: CounterEvent) => void,
): CurrentSale {
  return useSale(
    till,
    sale,
    (event) => dispatch({ type: "sale", event }),
    ({ transactionId, item: { number = "" } }) =>
      dispatch({ type: "number-refused", transactionId, number }),
  );
}

/** Another family, and what is typed into the field of the first one from anywhere. */
function familyActions(
  { family, drafts, sale }: CounterState,
  held: Held,
  families: Readonly<Record<Family, OpenFamily>>,
  dispatch: (event: CounterEvent) => void,
) {
  function leaveAll() {
    held.close();
    for (const one of FAMILIES) {
      families[one].takeBack?.();
    }
  }
  return {
    /** What was typed into the one field is searched for in that family alone. */
    pickFamily: (picked: Family) => {
      held.close();
      const find = family === FIRST_FAMILY && !sale.confirming ? wordsInField(drafts) : "";
      dispatch({ type: "family-picked", family: picked });
      if (find !== "" && picked !== FIRST_FAMILY) {
        dispatch(prefilled(picked, { find }));
      }
    },
    /**
     * What was typed where digits choose is a number for the first step, whatever stood there
     * (rules#key-number-never-picks).
     */
    beginNumber: (typed: TypedNumber) => {
      leaveAll();
      dispatch({ type: "number-begun", ...typed });
    },
    /** What a scanner typed where its signs are keys is read in the one field, and nothing else is done. */
    beginScan: (text: string, before: CounterState) => {
      leaveAll();
      dispatch({ type: "scanned", text, before });
    },
  };
}

function basketActions({ lines, dispatch }: CurrentSale) {
  return {
    keepLine: () => dispatch({ type: "line-kept" }),
    removeLine: (index: number) => {
      const line = lines[index];
      if (line) {
        dispatch({ type: "line-removed", transactionId: line.transactionId });
      }
    },
  };
}

function useWords({ currency, currencyDivisor }: Till): StepWords {
  const { t } = useTranslation();
  const { money, contents, country } = useFormat();
  return { t, inShop: (minor) => money(minor, currency, currencyDivisor), contents, country };
}

function shownPause(
  open: OpenFamily,
  { state, lines, pauseOfLine }: CurrentSale,
): Pause | undefined {
  if (state.confirming) {
    const pauses = lines.flatMap((line) => pauseOfLine(line) ?? []);
    return pauses.find(({ byHand }) => byHand) ?? pauses[0];
  }
  return open.showsPause ? undefined : open.pause;
}
