import { useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo, useReducer, useState } from "react";
import { useTranslation } from "react-i18next";
import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { fewestDigits } from "../../../lib/phone-format.ts";
import { askAgain } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { FIRST_FAMILY } from "../families/family-address.ts";
import {
  backInDraft,
  type DraftEvent,
  type Drafts,
  draftsBehind,
  draftsOfNumber,
  isDraftUntouched,
  NO_DRAFTS,
  opened,
  prefilled,
  readByFamily,
  reduceDraft,
  takesNumber,
  useFamilies,
  wordsInField,
} from "../families/index.ts";
import type { CounterWish, OpenFamily } from "../families/interface/family.ts";
import type { FoundThings, SoldThing, ThingFinder } from "../families/interface/sold-thing.ts";
import type { LineItem } from "../sale/attempt/line-item.ts";
import type { Till, TillPlace } from "../sale/attempt/till.ts";
import { saleReducer } from "../sale/basket/sale-machine.ts";
import { awaitsAnswer, type SaleEvent, type SaleState } from "../sale/basket/sale-state.ts";
import { type CurrentSale, useSale } from "../sale/basket/use-sale.ts";
import { type Held, useHeld } from "../sale/held/use-held.ts";
import type { Pause } from "../ui/pause.tsx";
import type { StepWords } from "../ui/step-control.ts";
import {
  type CounterEvent,
  type CounterState,
  INITIAL_COUNTER,
  isUntouched,
  nameOfStep,
  typedText,
  underArrows,
} from "./counter-state.ts";
import type { TypedNumber } from "./digit-row.ts";
import { openControl } from "./open-control.ts";
import { type NamedFamily, useAddress } from "./use-address.ts";

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

/**
 * State machine of the counter. Each family's machine composes a line, which the sale's machine
 * receives when the confirm step opens. Ids, times and answers arrive in events, so that equal
 * events lead to equal states.
 */
export function counterReducer(state: CounterState, event: CounterEvent): CounterState {
  const next = reduce(state, event);
  return next.interrupted && !isAtNumber(next) ? { ...next, interrupted: undefined } : next;
}

/** Returns whether undo can still restore the state before the number. */
function isAtNumber({ family, drafts, sale }: CounterState): boolean {
  return !sale.confirming && takesNumber(drafts, family);
}

function reduce(state: CounterState, event: CounterEvent): CounterState {
  switch (event.type) {
    case "sale":
      return ofSale(state, event.event);
    case "family-picked":
      return pickFamily(state, event.family);
    case "family-shown":
      if (awaitsAnswer(state.sale)) {
        return { ...state, wanted: event.family };
      }
      return event.family === state.family ? state : pickFamily(state, event.family);
    case "number-begun":
      return awaitsAnswer(state.sale) ? state : beginNumber(state, event);
    case "scanned": {
      const { text, before } = event;
      const isAwaited = awaitsAnswer(state.sale) || awaitsAnswer(before.sale);
      return isAwaited ? state : beginNumber(before, { text, keepsItem: before.sale.confirming });
    }
    case "number-refused":
      return awaitsAnswer(state.sale) ? state : refuseNumber(state, event);
    case "thing-opened":
      return awaitsAnswer(state.sale) ? state : openThing(state, event);
    case "undo":
      return undo(state);
    case "draft":
      return {
        ...(isAnswer(event) ? state : errorSeen(state)),
        drafts: reduceDraft(state.drafts, event),
      };
  }
}

function isAnswer({ event }: DraftEvent): boolean {
  return event.type === "phone-known";
}

/** Removes the line, and puts its rejected number back into the number field. */
function refuseNumber(
  state: CounterState,
  { transactionId, number }: Extract<CounterEvent, { readonly type: "number-refused" }>,
): CounterState {
  const isOpen = state.sale.attempt?.openLine === transactionId;
  const kept = isOpen ? state.sale : saleReducer(state.sale, { type: "line-kept" });
  const error = new ApiError(409, "NUMBER_REFUSED", "", {});
  return {
    ...state,
    family: FIRST_FAMILY,
    drafts: draftsOfNumber(number),
    openedFrom: undefined,
    sale: saleReducer(kept, { type: "line-refused", transactionId, error }),
  };
}

/** Clears a refusal's message, which the clerk has read before any other action. */
function errorSeen(state: CounterState): CounterState {
  return state.sale.confirming
    ? state
    : { ...state, sale: saleReducer(state.sale, { type: "error-seen" }) };
}

/**
 * Starts a line with a number typed in a step where digits pick (rules#key-number-never-picks). The
 * previous state is stored, so that undo corrects a bounced key.
 */
function beginNumber(state: CounterState, { text, keepsItem }: TypedNumber): CounterState {
  const { family, drafts } = state;
  const left = keepsItem || state.sale.attempt?.openLine === undefined ? "line-kept" : "taken-back";
  return {
    ...errorSeen(state),
    family: FIRST_FAMILY,
    drafts: draftsOfNumber(text),
    ...(state.sale.confirming && { sale: saleReducer(state.sale, { type: left }) }),
    interrupted: { family, drafts },
  };
}

/** Opens a search result with empty drafts. The number field is stored for undo. */
function openThing(
  state: CounterState,
  { begins, isOffer }: Extract<CounterEvent, { readonly type: "thing-opened" }>,
): CounterState {
  const { family, drafts } = state;
  return {
    ...errorSeen(state),
    family: begins.family,
    drafts: reduceDraft(NO_DRAFTS, begins),
    openedFrom: { family, drafts, isOffer },
  };
}

function undo(state: CounterState): CounterState {
  if (state.sale.confirming || state.sale.entry) {
    return ofSale(state, { type: "back" });
  }
  const { family, drafts, openedFrom } = state;
  if (state.interrupted) {
    return { ...errorSeen(state), ...state.interrupted };
  }
  const before = backInDraft(drafts, family);
  const isOut = openedFrom !== undefined && isDraftUntouched(before, family);
  return {
    ...errorSeen(state),
    ...(isOut
      ? { family: openedFrom.family, drafts: openedFrom.drafts, openedFrom: undefined }
      : { drafts: before }),
  };
}

/** Opens a family. The open line stays in the basket, and the drafts do not change. */
function pickFamily(state: CounterState, family: CounterState["family"]): CounterState {
  if (awaitsAnswer(state.sale)) {
    return state;
  }
  const kept = state.sale.confirming ? ofSale(state, { type: "line-kept" }) : state;
  return { ...kept, family, openedFrom: undefined };
}

function ofSale(state: CounterState, event: SaleEvent): CounterState {
  const sale = saleReducer(state.sale, event);
  switch (event.type) {
    case "answered":
    case "held":
      if (sale === state.sale) {
        return state;
      }
      // The next sale starts with the number, unless the clerk opened another family.
      return { drafts: NO_DRAFTS, family: state.wanted ?? FIRST_FAMILY, sale };
    case "line-kept":
      return sale === state.sale
        ? state
        : { ...state, drafts: NO_DRAFTS, sale, openedFrom: undefined };
    case "restored": {
      const item = openItemOf(sale);
      const family = item?.productType ?? state.family;
      return { ...state, drafts: item ? draftsBehind(item) : NO_DRAFTS, family, sale };
    }
    default:
      return sale === state.sale ? state : { ...state, sale, wanted: undefined };
  }
}

function openItemOf({ attempt }: SaleState): LineItem | undefined {
  return attempt?.lines.find(({ transactionId }) => transactionId === attempt.openLine)?.item;
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
