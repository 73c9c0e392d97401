import { amountReducer, NO_AMOUNT } from "../../picker/amount/amount-state.ts";
import { enterField, NO_FIELDS, typeField } from "../../picker/fields/fields-state.ts";
import { NO_PICKER, pickerReducer } from "../../picker/tiles/picker-state.ts";
import { type BillEvent, type BillState, fieldsAsked, INITIAL_BILL } from "./bill-state.ts";

/**
 * Composes one bill payment:
 *
 *   biller ─► country ─► service ─► field, one after another ─► amount ─► (the line)
 *
 * Country and service are skipped if there is only one. The country is also skipped if the biller
 * serves the shop's own country; a key opens the other countries. If the bill can be queried, the
 * amount step shows the retrieved bill.
 */
export function billReducer(state: BillState, event: BillEvent): BillState {
  switch (event.type) {
    case "wanted":
      return { ...INITIAL_BILL, wanted: event.wanted };
    case "wanted-gone":
      return { ...state, wanted: undefined };
    case "billers":
      return { ...state, billers: pickerReducer(state.billers, event.event) };
    case "tiles":
      return { ...state, tiles: pickerReducer(state.tiles, event.event) };
    case "biller-picked": {
      const { biller, home } = event;
      const [only = "", ...others] = biller.countries;
      const alone = others.length === 0 ? only : "";
      const country = biller.countries.includes(home) ? home : alone;
      const step = country === "" ? "country" : "service";
      return { ...state, step, biller, country, offer: undefined, tiles: NO_PICKER };
    }
    case "country-opened":
      return canChangeCountry(state)
        ? { ...state, step: "country", offer: undefined, tiles: NO_PICKER }
        : state;
    case "country-picked":
      return { ...state, step: "service", country: event.country, tiles: NO_PICKER };
    case "service-picked":
      return state.step === "service" ? openService(state, event) : state;
    case "field-typed":
      return { ...state, fields: typeField(state.fields, fieldsAsked(state), event) };
    case "field-entered":
      return state.step === "field" ? leaveField(state) : state;
    case "amount-typed":
      return { ...state, amount: amountReducer(state.amount, event) };
    case "amount-side":
      return { ...state, amount: amountReducer(state.amount, event) };
    case "back":
      return back({ ...state, wanted: undefined });
  }
}

/** An account typed after the biller's name fills the first field. */
function openService(
  state: BillState,
  { offer, isOnly }: Extract<BillEvent, { readonly type: "service-picked" }>,
): BillState {
  const asked = offer.requiredFields;
  const account = state.wanted?.account;
  return {
    ...state,
    step: asked.length > 0 ? "field" : "amount",
    offer,
    isOnlyService: isOnly,
    fields:
      account === undefined ? NO_FIELDS : typeField(NO_FIELDS, asked, { text: account, home: "" }),
    amount: NO_AMOUNT,
    wanted: undefined,
  };
}

export function canChangeCountry({ step, biller }: Pick<BillState, "step" | "biller">): boolean {
  return step !== "biller" && step !== "country" && (biller?.countries.length ?? 0) > 1;
}

function leaveField(state: BillState): BillState {
  const fields = enterField(state.fields, fieldsAsked(state));
  return fields.index < fieldsAsked(state).length
    ? { ...state, fields }
    : { ...state, step: "amount", amount: NO_AMOUNT };
}

function back(state: BillState): BillState {
  const atBiller: BillState = { ...state, step: "biller", biller: undefined, offer: undefined };
  switch (state.step) {
    case "biller":
      return INITIAL_BILL;
    case "country":
    case "service":
      return atBiller;
    case "field": {
      const { fields } = state;
      if (fields.index > 0) {
        return { ...state, fields: { ...fields, index: fields.index - 1 } };
      }
      return state.isOnlyService ? atBiller : { ...state, step: "service", offer: undefined };
    }
    case "amount":
      if (fieldsAsked(state).length > 0) {
        return { ...state, step: "field" };
      }
      return state.isOnlyService ? atBiller : { ...state, step: "service", offer: undefined };
  }
}
