import { saleReducer } from "./basket/sale-machine.ts";
import type { SaleEvent } from "./basket/sale-state.ts";
import { billReducer } from "./bill/bill-machine.ts";
import { type CounterEvent, type CounterState, type Drafts, NO_DRAFTS } from "./counter-state.ts";
import { esimReducer } from "./esim/esim-machine.ts";
import { topupReducer } from "./topup/topup-machine.ts";
import { INITIAL_TOPUP } from "./topup/topup-state.ts";
import { voucherReducer } from "./voucher/voucher-machine.ts";

/**
 * The selling path as one machine: a small one for each family composes a line, the one of the
 * sale takes it over when the confirm step opens. Everything impure (ids, the clock, requests)
 * comes in with an event, so the same events always lead to the same state.
 */
export function counterReducer(state: CounterState, event: CounterEvent): CounterState {
  switch (event.type) {
    case "sale":
      return ofSale(state, event.event);
    case "family-picked":
      return pickFamily(state, event.family);
    case "family-shown":
      return event.family === state.family ? state : pickFamily(state, event.family);
    case "undo":
      return state.sale.confirming || state.sale.entry
        ? ofSale(state, { type: "back" })
        : { ...errorSeen(state), ...backInDraft(state) };
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
      return { ...state, ...NO_DRAFTS, sale };
    case "line-kept":
      return sale === state.sale ? state : { ...state, ...NO_DRAFTS, sale };
    case "restored":
      return { ...state, ...draftsOf(sale), family: familyOf(sale) ?? state.family, sale };
    default:
      return sale === state.sale ? state : { ...state, sale };
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
