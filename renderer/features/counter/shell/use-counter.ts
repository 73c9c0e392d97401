import { useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useReducer, useState } from "react";
import { useTranslation } from "react-i18next";
import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { fewestDigits } from "../../../lib/phone-format.ts";
import { askAgain } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { FIRST_FAMILY } from "../families/family-address.ts";
import {
  type DraftEvent,
  type Drafts,
  NO_DRAFTS,
  opened,
  prefilled,
  readByFamily,
  useFamilies,
  wordsInField,
} from "../families/index.ts";
import type { CounterWish, OpenFamily } from "../families/interface/family.ts";
import type { FoundThings, SoldThing, ThingFinder } from "../families/interface/sold-thing.ts";
import type { Till, TillPlace } from "../sale/attempt/till.ts";
import { awaitsAnswer } from "../sale/basket/sale-state.ts";
import { type CurrentSale, useSale } from "../sale/basket/use-sale.ts";
import { saleControl } from "../sale/confirm/sale-control.ts";
import { type Held, heldControl, useHeld } from "../sale/held/use-held.ts";
import type { Pause } from "../ui/pause.tsx";
import type { StepControl, StepWords } from "../ui/step-control.ts";
import {
  type CounterEvent,
  type CounterState,
  counterReducer,
  INITIAL_COUNTER,
  isUntouched,
  nameOfStep,
  type TypedNumber,
  typedText,
  underArrows,
} from "./counter-state.ts";

/** In memory only, so that drafts disappear with the window and no other person sees them. */
const stored = new Map<string, Drafts>();

export type Counter = ReturnType<typeof useCounter>;

interface Found {
  /** Undefined until the products are loaded. */
  readonly finder?: ThingFinder | undefined;
  readonly onSale?: ((sale: Sale) => void) | undefined;
}

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
  const undo = undoing(held, paying, dispatch);
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
  const result = useResult(sale, state, held.isOpen);
  const parts = {
    open,
    sale,
    held,
    isUntouched: untouched,
    result,
    askAgain: () => void askAgain(queryClient),
  };

  return {
    till,
    step: nameOfStep(state),
    /** Pause that the counter must report, because the step does not report it. */
    pause: shownPause(open, sale),
    state,
    control: openControl(parts, words),
    sale,
    held,
    steps: open.steps,
    isUntouched: untouched,
    draft: open.draft,
    result: result.shown,
    openResult: result.open,
    ...familyActions(state, held, families, dispatch),
    ...basketActions(sale),
    openOthers: () => (confirming ? undefined : open.openOthers?.()),
    openOwn: () => (confirming ? undefined : open.openOwn?.()),
    /** True if search words led to the product, which the clerk may not have seen. */
    isFromWords: wordsInField(drafts) !== "" || state.openedFrom?.isOffer === true,
    fewestDigits: fewestDigits(till.country),
    fulfil: (wish: CounterWish) =>
      wish.held ? held.show() : dispatch(prefilled(state.family, wish)),
    undo,
  };
}

interface Open {
  readonly open: OpenFamily;
  readonly sale: CurrentSale;
  readonly held: Held;
  readonly isUntouched: boolean;
  readonly result: { readonly shown: { readonly close: () => void } | undefined };
  readonly askAgain: () => void;
}

function openControl({ open, sale, held, ...rest }: Open, words: StepWords): StepControl {
  if (sale.state.confirming || sale.state.entry) {
    return saleControl(sale, held, words);
  }
  if (held.isOpen) {
    return heldControl(held, words);
  }
  const composed = stoppable(open, words);
  const control = composed.asksAgain ? { ...composed, proceed: rest.askAgain } : composed;
  const { shown } = rest.result;
  if (shown) {
    const next = { label: words.t("counter.next.newSale"), ready: true };
    return { ...control, next, proceed: shown.close };
  }
  // If no line is started, Enter opens the payment of the basket.
  return rest.isUntouched && sale.lines.length > 0
    ? {
        ...control,
        next: {
          label: words.t("counter.next.basket", {
            price: words.inShop(sale.total),
          }),
          ready: true,
        },
        proceed: () => sale.dispatch({ type: "basket-opened" }),
      }
    : control;
}

function stoppable({ control, pause, ignoresPause }: OpenFamily, { t }: StepWords): StepControl {
  if (!pause?.byHand || ignoresPause) {
    return control;
  }
  const { typing, holdsNumber, holdsName, type, turnTab, turnPage, move, moveTo } = control;
  return {
    typing,
    ...(holdsNumber !== undefined && { holdsNumber }),
    ...(holdsName !== undefined && { holdsName }),
    next: { label: t("counter.next.paused"), ready: false },
    proceed: () => undefined,
    ...(type && { type }),
    ...(move && { move }),
    ...(moveTo && { moveTo }),
    ...(turnTab && { turnTab }),
    ...(turnPage && { turnPage }),
  };
}

/**
 * Selects the result to show: a reopened sale, or the sale just paid, unless the clerk already
 * types the next sale. Any input or choice closes the result.
 */
function useResult(
  { shownSales, lines, outbox }: CurrentSale,
  state: CounterState,
  isHeldOpen: boolean,
) {
  const isFree = isUntouched(state) && !isHeldOpen && state.family === FIRST_FAMILY;
  const typed = `${nameOfStep(state)} ${typedText(state)} ${underArrows(state)} ${isHeldOpen}`;
  const [latest] = shownSales;
  const isUnanswered = outbox.entries.some(({ attempt }) => attempt.saleId === latest);
  const [opened, open] = useState<OpenedResult | undefined>(
    latest !== undefined && isUnanswered ? { saleId: latest, typed } : undefined,
  );
  const [known, setKnown] = useState(shownSales);
  const isSelling = lines.length > 0;
  if (shownSales !== known) {
    setKnown(shownSales);
    // After a sale is hidden, the previous sale is the latest again, but its result stays closed.
    const isNew = latest !== undefined && !known.includes(latest);
    if (isNew) open(isFree ? { saleId: latest, typed } : undefined);
  } else if (opened && (isSelling ? isFree : opened.typed !== typed)) {
    open(undefined);
  }
  const saleId = opened?.saleId;
  const shown =
    saleId !== undefined && !isSelling && shownSales.includes(saleId)
      ? { saleId, isReopened: opened?.isReopened ?? false, close: () => open(undefined) }
      : undefined;
  return { shown, open: (saleId: string) => open({ saleId, typed, isReopened: true }) };
}

interface OpenedResult {
  readonly saleId: string;
  /** Input at the time of opening. Other input closes the result. */
  readonly typed: string;
  readonly isReopened?: boolean;
}

function undoing(held: Held, paying: boolean, dispatch: (event: CounterEvent) => void) {
  return () => {
    if (held.isOpen) {
      held.close();
    } else if (!paying) {
      dispatch({ type: "undo" });
    }
  };
}

/** Returns the sale. A number that the customer rejects goes back into the number field. */
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
    /** Opens a family. Search words in the number field move into the family's search. */
    pickFamily: (picked: Family) => {
      held.close();
      const find = family === FIRST_FAMILY && !sale.confirming ? wordsInField(drafts) : "";
      dispatch({ type: "family-picked", family: picked });
      if (find !== "" && picked !== FIRST_FAMILY) {
        dispatch(prefilled(picked, { find }));
      }
    },
    beginNumber: (typed: TypedNumber) => {
      leaveAll();
      dispatch({ type: "number-begun", ...typed });
    },
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
  const { money, moneyShort, contents, country } = useFormat();
  return {
    t,
    inShop: (minor) => money(minor, currency, currencyDivisor),
    inShopShort: (minor) => moneyShort(minor, currency, currencyDivisor),
    contents,
    country,
  };
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

/** Returns the person's drafts from before the till was locked. */
function findDrafts(place: TillPlace): Drafts {
  return stored.get(keyOf(place)) ?? NO_DRAFTS;
}

/** Stores only drafts: the sale is stored as an attempt, and the family in the address. */
function keepDrafts(place: TillPlace, drafts: Drafts): void {
  stored.set(keyOf(place), drafts);
}

/** For tests. Deletes all drafts, as closing the window does. */
export function forgetDrafts(): void {
  stored.clear();
}

/** The mode is part of the key, because input from training must never be sold for money. */
function keyOf({ staffId, environment, training }: TillPlace): string {
  return `${staffId} ${environment} ${training}`;
}

const NOTHING: readonly SoldThing[] = [];

/**
 * Searches products by the words in the number field. The words are drawn first and the results one
 * frame later, so that no key waits.
 *
 * @param finder undefined until the products are loaded
 */
function useFoundThings(
  finder: ThingFinder | undefined,
  words: string,
  till: Till,
  onBegin: (begins: DraftEvent, isOffer: boolean) => void,
  onSale: (sale: Sale) => void,
): FoundThings {
  const wanted = useDeferredValue(words);
  const list = useMemo(
    () => (wanted.trim() === "" ? NOTHING : (finder?.find(wanted) ?? NOTHING)),
    [finder, wanted],
  );
  return {
    list,
    isBehind: finder !== undefined && wanted !== words,
    isBegun: (word) => finder?.isBegun(word) ?? false,
    correct: finder?.correct,
    usual: finder?.usual,
    open: (thing) => onBegin(opened(thing, till), thing.offer !== undefined),
    openSale: onSale,
    reads: (text) => {
      const begins = readByFamily(text);
      return begins && (() => onBegin(begins, false));
    },
  };
}

export interface NamedFamily {
  readonly family: Family;
  /**
   * Sequence number of the counter's request that changed the address. Undefined for other changes.
   */
  readonly asked: number | undefined;
}

/** Number of requests by all counters since the page was loaded. */
let lastAsked = 0;

class FamilyAsks {
  #last = lastAsked;
  /** Sequence number of the latest request that the address has followed or overridden. */
  #seen = lastAsked;
  #wanted: Family | undefined;

  /** Returns whether this counter requested the change of the address. */
  isOwn(asked: number | undefined): boolean {
    const isOwn = asked !== undefined && asked > this.#seen && asked <= this.#last;
    this.#seen = isOwn ? asked : this.#last;
    return isOwn;
  }

  /**
   * Returns the sequence number of a new request. Undefined if the address contains the family
   * already, or will contain it after a pending request.
   */
  ask(family: Family, named: Family): number | undefined {
    if (family === (this.#seen < this.#last ? this.#wanted : named)) {
      return undefined;
    }
    lastAsked += 1;
    this.#last = lastAsked;
    this.#wanted = family;
    return lastAsked;
  }
}

/**
 * Synchronises the open family and the address, which changes a moment later. A change that this
 * counter requested is ignored, because the clerk may have opened another family in the meantime.
 */
function useAddress(
  { family: named, asked }: NamedFamily,
  { family, sale }: CounterState,
  dispatch: (event: CounterEvent) => void,
  onFamily: (family: Family, asked: number) => void,
): void {
  const [asks] = useState(() => new FamilyAsks());
  useEffect(() => {
    if (!asks.isOwn(asked)) {
      dispatch({ type: "family-shown", family: named });
    }
  }, [asks, named, asked, dispatch]);
  const follow = useEffectEvent((shown: Family) => {
    const number = asks.ask(shown, named);
    if (number !== undefined) {
      onFamily(shown, number);
    }
  });
  const isAwaited = awaitsAnswer(sale);
  useEffect(() => {
    if (!isAwaited) {
      follow(family);
    }
  }, [family, isAwaited]);
}
