import { ApiError } from "../../../lib/api-client.ts";
import {
  backInDraft,
  type DraftEvent,
  draftsBehind,
  draftsOfNumber,
  FIRST_FAMILY,
  isDraftUntouched,
  NO_DRAFTS,
  reduceDraft,
  takesNumber,
} from "../families/index.ts";
import type { LineItem } from "../sale/attempt/line-item.ts";
import { saleReducer } from "../sale/basket/sale-machine.ts";
import type { SaleEvent, SaleState } from "../sale/basket/sale-state.ts";
import type { CounterEvent, CounterState } from "./counter-state.ts";
import type { TypedNumber } from "./digit-row.ts";

/**
 * The selling path as one machine: a small one for each family composes a line, the one of the
 * sale takes it over when the confirm step opens. Everything impure (ids, the clock, requests)
 * comes in with an event, so the same events always lead to the same state.
 */
export function counterReducer(state: CounterState, event: CounterEvent): CounterState {
  const next = reduce(state, event);
  return next.interrupted && !isAtNumber(next) ? { ...next, interrupted: undefined } : next;
}

/** The number that was typed over something else is not gone on from. */
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
      if (state.sale.paying) {
        return { ...state, wanted: event.family };
      }
      return event.family === state.family ? state : pickFamily(state, event.family);
    case "number-begun":
      return state.sale.paying ? state : beginNumber(state, event);
    case "scanned": {
      const { text, before } = event;
      const isPaying = state.sale.paying || before.sale.paying;
      return isPaying ? state : beginNumber(before, { text, keepsItem: before.sale.confirming });
    }
    case "number-refused":
      return state.sale.paying ? state : refuseNumber(state, event);
    case "thing-opened":
      return state.sale.paying ? state : openThing(state, event);
    case "undo":
      return undo(state);
    case "draft":
      return {
        ...(isAnswer(event) ? state : errorSeen(state)),
        drafts: reduceDraft(state.drafts, event),
      };
  }
}

/** What the gateway knows of a number is nothing that the clerk did. */
function isAnswer({ event }: DraftEvent): boolean {
  return event.type === "phone-known";
}

/** Without its line, at the number that the customer did not know as theirs; the basket stays. */
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

/** A refusal's message has been read once something else is done. */
function errorSeen(state: CounterState): CounterState {
  return state.sale.confirming
    ? state
    : { ...state, sale: saleReducer(state.sale, { type: "error-seen" }) };
}

/**
 * A number that was typed where digits choose (rules#key-number-never-picks). What stood there is kept
 * for undo, so that a key that bounced costs one more.
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

/** Nothing but it is composed; the field as it was is kept for undo. */
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

/** The line that was open goes into the basket; nothing that was composed is lost. */
function pickFamily(state: CounterState, family: CounterState["family"]): CounterState {
  if (state.sale.paying) {
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
      // The next customer begins with a number, unless the clerk has gone to another family.
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
