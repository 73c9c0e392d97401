import { typedNumber } from "../../../lib/phone-format.ts";
import { billReducer } from "../families/bill/bill-machine.ts";
import { esimReducer } from "../families/esim/esim-machine.ts";
import { topupReducer } from "../families/topup/topup-machine.ts";
import { INITIAL_TOPUP } from "../families/topup/topup-state.ts";
import { voucherReducer } from "../families/voucher/voucher-machine.ts";
import { saleReducer } from "../sale/basket/sale-machine.ts";
import type { SaleEvent } from "../sale/basket/sale-state.ts";
import { type CounterEvent, type CounterState, type Drafts, NO_DRAFTS } from "./counter-state.ts";

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
function isAtNumber({ family, topup, sale }: CounterState): boolean {
  return family === "TOPUP" && topup.step === "number" && !sale.confirming;
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
    case "undo":
      return undo(state);
    case "topup":
      return { ...errorSeen(state), topup: topupReducer(state.topup, event.event) };
    case "voucher":
      return { ...errorSeen(state), voucher: voucherReducer(state.voucher, event.event) };
    case "esim":
      return { ...errorSeen(state), esim: esimReducer(state.esim, event.event) };
    case "bill":
      return { ...errorSeen(state), bill: billReducer(state.bill, event.event) };
  }
}

/** What a refusal said has been read once something else is done. */
function errorSeen(state: CounterState): CounterState {
  return state.sale.confirming
    ? state
    : { ...state, sale: saleReducer(state.sale, { type: "error-seen" }) };
}

/**
 * A number that was typed where digits choose. Whatever stood there is kept for undo, so that a key
 * that bounced costs one more.
 */
function beginNumber(
  state: CounterState,
  { text, keepsItem }: Extract<CounterEvent, { readonly type: "number-begun" }>,
): CounterState {
  const { family, topup, voucher, esim, bill } = state;
  const left = keepsItem || state.sale.attempt?.openLine === undefined ? "line-kept" : "taken-back";
  return {
    ...errorSeen(state),
    ...NO_DRAFTS,
    family: "TOPUP",
    topup: topupReducer(INITIAL_TOPUP, { type: "number-typed", digits: typedNumber(text) }),
    ...(state.sale.confirming ? { sale: saleReducer(state.sale, { type: left }) } : {}),
    interrupted: { family, topup, voucher, esim, bill },
  };
}

function undo(state: CounterState): CounterState {
  if (state.sale.confirming || state.sale.entry) {
    return ofSale(state, { type: "back" });
  }
  return { ...errorSeen(state), ...(state.interrupted ?? backInDraft(state)) };
}

function backInDraft({ family, topup, voucher, esim, bill }: CounterState): Partial<Drafts> {
  switch (family) {
    case "TOPUP":
      return { topup: topupReducer(topup, { type: "back" }) };
    case "VOUCHER":
      return { voucher: voucherReducer(voucher, { type: "back" }) };
    case "ESIM":
      return { esim: esimReducer(esim, { type: "back" }) };
    case "BILL_PAY":
      return { bill: billReducer(bill, { type: "back" }) };
  }
}

/** The line that was open goes into the basket; nothing that was composed is lost. */
function pickFamily(state: CounterState, family: CounterState["family"]): CounterState {
  if (state.sale.paying) {
    return state;
  }
  return { ...(state.sale.confirming ? ofSale(state, { type: "line-kept" }) : state), family };
}

function ofSale(state: CounterState, event: SaleEvent): CounterState {
  const sale = saleReducer(state.sale, event);
  switch (event.type) {
    case "answered":
    case "held":
      // The next customer begins with a number, unless somebody has gone to another family.
      return { ...NO_DRAFTS, family: state.wanted ?? "TOPUP", sale };
    case "line-kept":
      return sale === state.sale ? state : { ...state, ...NO_DRAFTS, sale };
    case "restored":
      return { ...state, ...draftsOf(sale), family: familyOf(sale) ?? state.family, sale };
    default:
      return sale === state.sale ? state : { ...state, sale, wanted: undefined };
  }
}

function openLineOf({ attempt }: CounterState["sale"]) {
  return attempt?.lines.find(({ transactionId }) => transactionId === attempt.openLine);
}

function familyOf(sale: CounterState["sale"]): CounterState["family"] | undefined {
  return openLineOf(sale)?.item.productType;
}

/** What stands behind a confirm step that is opened again, where undo leads. */
function draftsOf(sale: CounterState["sale"]): Drafts {
  const open = openLineOf(sale);
  return open?.item.productType === "TOPUP"
    ? { ...NO_DRAFTS, topup: { ...INITIAL_TOPUP, digits: open.item.number.slice(1) } }
    : NO_DRAFTS;
}
