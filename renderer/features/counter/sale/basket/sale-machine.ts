import { hasErrorCode } from "../../../../lib/api-client.ts";
import { type Attempt, isConfirmed } from "../attempt/attempt-store.ts";
import { type LineItem, totalOf } from "../attempt/line-item.ts";
import { addTender, NO_TENDER, takesCash, withoutOthers } from "../tender/tender.ts";
import {
  atPrice,
  checked,
  discountApproved,
  discounted,
  discountRefused,
  repriced,
} from "./reprice.ts";
import {
  MOST_LINES,
  NO_SALE,
  type SaleContext,
  type SaleEvent,
  type SaleState,
} from "./sale-state.ts";

/**
 * State machine of one sale with several lines:
 *
 *   (empty) ─ composed ─► confirm ─ pay ─► paying ─ answered ─► (empty)
 *                          │  ▲               │
 *                line-kept ▼  │ composed, or  └ refused ─► confirm
 *                        basket  basket-opened
 *
 * Ids arrive with the first event that needs them and never change. In the confirm step, `back`
 * clears typed cash. Without typed cash it removes a tender, and without tenders the open line; the
 * other lines stay in the basket. While `paying` or `holding`, only answers change the state.
 */
export function saleReducer(state: SaleState, event: SaleEvent): SaleState {
  const next = reduce(state, event);
  if (event.type === "word-typed") {
    return withoutPayAfter(next);
  }
  return isOtherPayment(state, next) ? { ...withoutPayAfter(next), asksLook: undefined } : next;
}

function withoutPayAfter(state: SaleState): SaleState {
  return state.paysAfter ? { ...state, paysAfter: false } : state;
}

/** Returns whether the payment has changed, so that an earlier Enter must not pay. */
function isOtherPayment(before: SaleState, now: SaleState): boolean {
  return (
    before.confirming !== now.confirming ||
    before.tender !== now.tender ||
    before.attempt?.lines.length !== now.attempt?.lines.length
  );
}

function reduce(state: SaleState, event: SaleEvent): SaleState {
  if (state.paying && !isAnswer(event)) {
    return state;
  }
  if (state.holding && !WHILE_HOLDING.has(event.type)) {
    return state;
  }
  const { attempt } = state;
  switch (event.type) {
    case "composed":
      return compose(state, event.item, event.context);
    case "restored":
      return {
        ...NO_SALE,
        attempt: event.attempt,
        confirming: event.attempt.openLine !== undefined,
      };
    case "resumed":
      return attempt ? state : { ...NO_SALE, attempt: event.attempt, confirming: true };
    case "error-seen":
      return state.error === undefined ? state : { ...state, error: undefined };
    case "answered":
      return NO_SALE;
    case "held":
      return attempt?.saleId === event.saleId ? NO_SALE : state;
    default:
      return attempt ? ofAttempt(state, attempt, event) : state;
  }
}

function isAnswer(event: SaleEvent): boolean {
  return (
    event.type === "answered" ||
    event.type === "refused" ||
    (event.type === "checked" && event.heldBack === true)
  );
}

/** The answer to the hold, and answers to earlier requests. */
const WHILE_HOLDING: ReadonlySet<SaleEvent["type"]> = new Set([
  "held",
  "hold-failed",
  "not-stored",
  "checked",
  "number-checked",
  "discount-approved",
  "discount-refused",
  "discount-answered",
  "pays-after-all",
]);

type EventOfAttempt = Exclude<
  SaleEvent,
  { readonly type: "composed" | "restored" | "resumed" | "answered" | "held" | "error-seen" }
>;

function ofAttempt(state: SaleState, attempt: Attempt, event: EventOfAttempt): SaleState {
  switch (event.type) {
    case "basket-opened":
      return state.confirming ? state : { ...state, confirming: true, error: undefined };
    case "line-kept":
      return state.confirming ? keepLine(state, attempt) : state;
    case "taken-back":
      return isConfirmed(attempt) ? state : takeBack(state, attempt);
    case "line-removed":
      return withoutLine(state, attempt, event.transactionId);
    case "checked":
      return checked(event.heldBack ? { ...state, paying: false } : state, attempt, event.checks);
    case "line-refused": {
      const left = withoutLine(state, attempt, event.transactionId);
      return left === state
        ? state
        : { ...left, confirming: false, tender: NO_TENDER, error: event.error };
    }
    case "number-checked": {
      const { transactionId, check } = event;
      const lines = attempt.lines.map((line) =>
        line.transactionId === transactionId ? { ...line, numberCheck: check } : line,
      );
      return { ...state, attempt: { ...attempt, lines } };
    }
    case "entry-opened":
      // An Enter typed ahead confirms neither a discount nor the name of a held sale.
      return { ...state, entry: event.entry, error: undefined, asksLook: undefined };
    case "entry-typed":
      return state.entry ? { ...state, entry: { ...state.entry, text: event.text } } : state;
    case "discounted":
      return discounted(state, attempt, event);
    case "discount-approved":
      return discountApproved(state, attempt, event);
    case "discount-refused":
      return discountRefused(withoutPayAfter(state), attempt, event);
    case "discount-asked":
      return { ...state, asksDiscount: true };
    case "discount-answered":
      return { ...state, asksDiscount: false };
    case "pay-after":
      return { ...state, paysAfter: true };
    case "pays-after-all":
      return withoutPayAfter(state);
    case "hold": {
      const heldAs = new Set([...(attempt.heldAs ?? []), event.heldSaleId]);
      return {
        ...state,
        attempt: { ...attempt, heldAs: [...heldAs] },
        holding: true,
        error: undefined,
      };
    }
    case "hold-failed":
      return { ...state, holding: false, error: event.error };
    case "not-stored":
      return { ...state, error: event.error };
    case "pay":
      return state.confirming && !state.entry
        ? { ...state, paying: true, error: undefined, asksLook: undefined }
        : state;
    case "refused":
      return refused(state, attempt, event.error, event.prices);
    case "back":
      return back(state, attempt);
    default:
      return state.confirming ? ofTender(state, attempt, event) : state;
  }
}

type TenderEvent = Extract<
  EventOfAttempt,
  {
    readonly type:
      | "tender-typed"
      | "tender-added"
      | "tender-removed"
      | "reference-typed"
      | "word-typed"
      | "look-asked";
  }
>;

function ofTender(state: SaleState, { lines }: Attempt, event: TenderEvent): SaleState {
  const { tender } = state;
  switch (event.type) {
    case "tender-typed":
      return takesCash(tender.others, totalOf(lines))
        ? { ...state, tender: { ...tender, text: event.text } }
        : state;
    case "word-typed":
      return { ...state, tender: event.tender, entry: undefined, asksLook: "word" };
    case "look-asked":
      return { ...state, asksLook: state.asksLook ?? "row" };
    case "tender-added": {
      const { type: _, ...which } = event;
      const divisor = lines[0]?.item.priceCurrencyDivisor ?? 1;
      return { ...state, tender: addTender(tender, which, { total: totalOf(lines), divisor }) };
    }
    case "tender-removed":
      return {
        ...state,
        tender: { ...tender, others: tender.others.filter((_, index) => index !== event.index) },
      };
    case "reference-typed": {
      const others = tender.others.map((other, index) =>
        index === event.index ? { ...other, reference: event.text } : other,
      );
      return { ...state, tender: { ...tender, others } };
    }
  }
}

function compose(state: SaleState, item: LineItem, context: SaleContext): SaleState {
  const { transactionId, ...sale } = context;
  const attempt: Attempt = state.attempt ?? { ...sale, lines: [] };
  if (state.confirming || attempt.lines.length >= MOST_LINES) {
    return state;
  }
  const lines = [...attempt.lines, { transactionId, item }];
  return {
    ...NO_SALE,
    moved: state.moved,
    movedSends: state.movedSends,
    attempt: { ...attempt, lines, openLine: transactionId },
    confirming: true,
  };
}

/** A closed confirm step, without its input. */
const CLOSED = {
  confirming: false,
  tender: NO_TENDER,
  entry: undefined,
  error: undefined,
} as const;

function keepLine(state: SaleState, attempt: Attempt): SaleState {
  const { openLine: _, ...rest } = attempt;
  return { ...state, attempt: rest, ...CLOSED };
}

/**
 * Removes a line, and all recorded tenders, because the total changes. Typed cash stays, because
 * the clerk holds it.
 */
function withoutLine(state: SaleState, attempt: Attempt, transactionId: string): SaleState {
  const lines = attempt.lines.filter((line) => line.transactionId !== transactionId);
  if (lines.length === attempt.lines.length) {
    return state;
  }
  if (lines.length === 0) {
    return NO_SALE;
  }
  const { openLine, ...rest } = attempt;
  const stays = openLine !== undefined && openLine !== transactionId;
  return {
    ...state,
    attempt: { ...rest, lines, ...(stays && { openLine }) },
    moved: withoutKey(state.moved, transactionId),
    movedSends: withoutKey(state.movedSends, transactionId),
    tender: withoutOthers(state.tender),
    entry: undefined,
    error: undefined,
  };
}

function withoutKey<Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).filter(([id]) => id !== key));
}

function refused(
  state: SaleState,
  attempt: Attempt,
  error: unknown,
  prices: Readonly<Record<string, number>> = {},
): SaleState {
  const { confirmedAt: _, input: __, ...open } = attempt;
  const asksNumber = hasErrorCode(error, "NUMBER_NOT_CONFIRMED");
  const lines = attempt.lines.map((line) => {
    const price = prices[line.transactionId];
    const asked = asksNumber && line.item.number !== undefined ? { ...line, asksNumber } : line;
    return price === undefined ? asked : atPrice(asked, line.item, price);
  });
  return { ...repriced(state, open, lines), paying: false, error };
}

function back(state: SaleState, attempt: Attempt): SaleState {
  if (state.entry) {
    return { ...state, entry: undefined, error: undefined };
  }
  if (!state.confirming || isConfirmed(attempt)) {
    return state;
  }
  const { tender } = state;
  if (tender.text !== "") {
    return { ...state, tender: { ...tender, text: "" } };
  }
  if (tender.others.length > 0) {
    return { ...state, tender: { ...tender, others: tender.others.slice(0, -1) } };
  }
  return takeBack(state, attempt);
}

function takeBack(state: SaleState, attempt: Attempt): SaleState {
  const left = { ...state, ...CLOSED };
  return attempt.openLine === undefined ? left : withoutLine(left, attempt, attempt.openLine);
}
