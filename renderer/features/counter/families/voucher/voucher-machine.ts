import { amountReducer, NO_AMOUNT } from "../../picker/amount/amount-state.ts";
import { enterField, NO_FIELDS, typeField } from "../../picker/fields/fields-state.ts";
import { NO_PICKER, pickerReducer } from "../../picker/tiles/picker-state.ts";
import {
  fieldsAsked,
  INITIAL_VOUCHER,
  type VoucherEvent,
  type VoucherState,
  type VoucherStep,
} from "./voucher-state.ts";

/**
 * Composes one voucher:
 *
 *   brand ─► country ─► offer ─► amount ─► field, one after another ─► (the line)
 *
 * A step that has nothing to ask is left out: the country of a brand that is sold for the shop's
 * own or for one alone (another is a key away), the amount of a card with a denomination, the fields
 * of one that needs none.
 */
export function voucherReducer(state: VoucherState, event: VoucherEvent): VoucherState {
  switch (event.type) {
    case "wanted":
      return { ...INITIAL_VOUCHER, wanted: event.wanted };
    case "wanted-gone":
      return { ...state, wanted: undefined };
    case "brands":
      return { ...state, brands: pickerReducer(state.brands, event.event) };
    case "tiles":
      return { ...state, tiles: pickerReducer(state.tiles, event.event) };
    case "brand-picked": {
      const { brand, home } = event;
      const [only = "", ...others] = brand.countries;
      const alone = others.length === 0 ? only : "";
      const known = brand.countries.includes(home) ? home : alone;
      const step = known === "" ? "country" : "offer";
      const wanted = state.wanted?.offerId === undefined ? undefined : state.wanted;
      return { ...state, step, brand, country: known, tiles: NO_PICKER, wanted };
    }
    case "country-opened":
      return state.step === "offer" && canChangeCountry(state)
        ? { ...state, step: "country", tiles: NO_PICKER }
        : state;
    case "country-picked":
      return { ...state, step: "offer", country: event.country, tiles: NO_PICKER };
    case "offer-picked": {
      const { offer } = event;
      const fresh = {
        ...state,
        wanted: undefined,
        offer,
        amount: NO_AMOUNT,
        quote: undefined,
        fields: NO_FIELDS,
      };
      return offer.priceType === "RANGE" ? { ...fresh, step: "amount" } : beginFields(fresh);
    }
    case "amount-typed":
    case "amount-side":
      return { ...state, amount: amountReducer(state.amount, event) };
    case "amount-entered":
      return state.step === "amount" ? beginFields({ ...state, quote: event.quote }) : state;
    case "field-typed":
      return { ...state, fields: typeField(state.fields, fieldsAsked(state), event.text) };
    case "field-entered": {
      // The last one is left open: the line takes it from here, and undo leads back to it.
      const fields = enterField(state.fields, fieldsAsked(state));
      return fields.index < fieldsAsked(state).length ? { ...state, fields } : state;
    }
    case "back":
      return back({ ...state, wanted: undefined });
  }
}

/** Whether the brand is sold for another country too. */
export function canChangeCountry({ brand }: Pick<VoucherState, "brand">): boolean {
  return (brand?.countries.length ?? 0) > 1;
}

/** With nothing left to ask, the step stays: the line is complete. */
function beginFields(state: VoucherState): VoucherState {
  return fieldsAsked(state).length === 0 ? state : { ...state, step: "field", fields: NO_FIELDS };
}

function back(state: VoucherState): VoucherState {
  switch (state.step) {
    case "brand":
      return INITIAL_VOUCHER;
    case "country":
      return { ...state, step: "brand", brand: undefined };
    case "offer":
      return { ...state, step: "brand", brand: undefined, tiles: NO_PICKER };
    case "amount":
      return { ...state, step: "offer", offer: undefined };
    case "field": {
      const { fields } = state;
      return fields.index > 0
        ? { ...state, fields: { ...fields, index: fields.index - 1 } }
        : { ...state, step: stepBeforeFields(state) };
    }
  }
}

function stepBeforeFields({ offer }: VoucherState): VoucherStep {
  return offer?.priceType === "RANGE" ? "amount" : "offer";
}
