import { amountReducer, NO_AMOUNT } from "../../picker/amount/amount-state.ts";
import { enterField, NO_FIELDS, typeField } from "../../picker/fields/fields-state.ts";
import { NO_PICKER, pickerReducer } from "../../picker/tiles/picker-state.ts";
import { type BillEvent, type BillState, fieldsAsked, INITIAL_BILL } from "./bill-state.ts";

/**
 * Composes one bill payment:
 *
 *   biller ─► country ─► service ─► field, one after another ─► amount ─► (the line)
 *
 * Country and service are left out where there is one alone, the country also where the biller is
 * one of the shop's own (another is a key away). The amount stands under the bill that
 * was retrieved, where the biller can be asked.
 */
export function billReducer(state: BillState, event: BillEvent): BillState {
  switch (event.type) {
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
      return state.step === "service"
        ? {
            ...state,
            step: event.offer.requiredFields.length > 0 ? "field" : "amount",
            offer: event.offer,
            isOnlyService: event.isOnly,
            fields: NO_FIELDS,
            amount: NO_AMOUNT,
          }
        : state;
    case "field-typed":
      return { ...state, fields: typeField(state.fields, fieldsAsked(state), event.text) };
    case "field-entered":
      return state.step === "field" ? leaveField(state) : state;
    case "amount-typed":
      return { ...state, amount: amountReducer(state.amount, event) };
    case "amount-side":
      return { ...state, amount: amountReducer(state.amount, event) };
    case "back":
      return back(state);
  }
}

/** Whether the biller is paid in another country too. */
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
