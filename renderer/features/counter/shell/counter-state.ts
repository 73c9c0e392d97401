import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { FIRST_FAMILY } from "../families/family-address.ts";
import {
  backInDraft,
  type DraftEvent,
  type Drafts,
  draftsBehind,
  draftsOfNumber,
  draftUnderArrows,
  isDraftUntouched,
  NO_DRAFTS,
  reduceDraft,
  takesNumber,
  typedInDraft,
} from "../families/index.ts";
import type { LineItem } from "../sale/attempt/line-item.ts";
import { saleReducer } from "../sale/basket/sale-machine.ts";
import {
  awaitsAnswer,
  NO_SALE,
  type SaleEvent,
  type SaleState,
} from "../sale/basket/sale-state.ts";

export interface Composed {
  readonly family: Family;
  readonly drafts: Drafts;
}

interface OpenedFrom extends Composed {
  /** True for a single offer, which needs no further steps. */
  readonly isOffer: boolean;
}

export interface CounterState extends Composed {
  readonly sale: SaleState;
  /** Family whose key was pressed during the payment. It opens afterwards. */
  readonly wanted?: Family | undefined;
  /** State before the clerk typed a number in a step where digits pick. Undo returns to it. */
  readonly interrupted?: Composed | undefined;
  /** Number field in which the clerk opened a search result. Undo returns to it. */
  readonly openedFrom?: OpenedFrom | undefined;
}

export const INITIAL_COUNTER: CounterState = {
  family: FIRST_FAMILY,
  drafts: NO_DRAFTS,
  sale: NO_SALE,
};

export interface TypedNumber {
  readonly text: string;
  readonly keepsItem: boolean;
}

export type CounterEvent =
  /** The clerk pressed a family's key. The open line stays in the basket. */
  | { readonly type: "family-picked"; readonly family: Family }
  | { readonly type: "family-shown"; readonly family: Family }
  /**
   * The clerk typed a number in a step where digits pick. The number belongs to the first step, and
   * the picks of its first digits are undone. `keepsItem` is true if the line in the confirm step
   * is older than the number and stays in the basket.
   */
  | ({ readonly type: "number-begun" } & TypedNumber)
  /**
   * Scanned characters acted as shortcuts. Restores the state before the scan, and puts the scanned
   * text into the number field.
   */
  | { readonly type: "scanned"; readonly text: string; readonly before: CounterState }
  /** The customer rejected a line's number, which must be typed again. */
  | { readonly type: "number-refused"; readonly transactionId: string; readonly number: string }
  | { readonly type: "thing-opened"; readonly begins: DraftEvent; readonly isOffer: boolean }
  | DraftEvent
  | { readonly type: "sale"; readonly event: SaleEvent }
  | { readonly type: "undo" };

/** Returns a name of the step that is unique across families. */
export function nameOfStep({ sale, family, drafts }: CounterState): string {
  if (sale.entry?.kind === "hold") {
    return "hold";
  }
  return sale.confirming ? "confirm" : `${family} ${drafts[family].step}`;
}

export function isUntouched({ family, drafts }: CounterState): boolean {
  return isDraftUntouched(drafts, family);
}

export function underArrows({ sale, family, drafts }: CounterState): string | undefined {
  if (sale.entry?.kind === "hold") {
    return "hold";
  }
  return sale.confirming ? undefined : draftUnderArrows(drafts, family);
}

export function typedText({ drafts }: CounterState): string {
  return JSON.stringify(FAMILIES.map((family) => typedInDraft(drafts, family)));
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
