import type { PosBrands } from "../../../../../server/contract/pos/brands.ts";
import type { PosBill } from "../../../../../server/contract/pos/counter.ts";
import type { PosBillOffer, PosField } from "../../../../../server/contract/pos/offers.ts";
import { parseAmount } from "../../../../lib/money.ts";
import {
  type AmountEvent,
  type AmountState,
  amountReducer,
  NO_AMOUNT,
} from "../../picker/amount/amount-state.ts";
import {
  enterField,
  type FieldsState,
  NO_FIELDS,
  typeField,
} from "../../picker/fields/fields-state.ts";
import {
  NO_PICKER,
  type PickerEvent,
  type PickerState,
  pickerReducer,
} from "../../picker/tiles/picker-state.ts";
import type { WantedThing } from "../interface/sold-thing.ts";

export type Biller = PosBrands["list"][number];

export type BillStep = "biller" | "country" | "service" | "field" | "amount";

export interface BillState {
  readonly step: BillStep;
  readonly billers: PickerState;
  readonly biller: Biller | undefined;
  readonly tiles: PickerState;
  readonly country: string;
  readonly offer: PosBillOffer | undefined;
  /** True if the service step was skipped, because the biller has only this service. */
  readonly isOnlyService: boolean;
  readonly fields: FieldsState;
  readonly amount: AmountState;
  /** Biller picked in the number field. Set until the gateway has listed the billers. */
  readonly wanted?: WantedThing | undefined;
}

export const INITIAL_BILL: BillState = {
  step: "biller",
  billers: NO_PICKER,
  biller: undefined,
  tiles: NO_PICKER,
  country: "",
  offer: undefined,
  isOnlyService: false,
  fields: NO_FIELDS,
  amount: NO_AMOUNT,
};

export type BillEvent =
  | { readonly type: "wanted"; readonly wanted: WantedThing }
  | { readonly type: "wanted-gone" }
  | { readonly type: "billers"; readonly event: PickerEvent }
  | { readonly type: "tiles"; readonly event: PickerEvent }
  /** `home` is the shop's country, which is chosen without a question if the biller serves it. */
  | { readonly type: "biller-picked"; readonly biller: Biller; readonly home: string }
  | { readonly type: "country-opened" }
  | { readonly type: "country-picked"; readonly country: string }
  | { readonly type: "service-picked"; readonly offer: PosBillOffer; readonly isOnly: boolean }
  | { readonly type: "field-typed"; readonly text: string; readonly home: string }
  | { readonly type: "field-entered" }
  | AmountEvent
  | { readonly type: "back" };

export interface BillTypes {
  readonly state: BillState;
  readonly event: BillEvent;
}

export function fieldsAsked({ offer }: BillState): readonly PosField[] {
  return offer?.requiredFields ?? [];
}

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

type Rules = Pick<PosBillOffer, "supportsOverpayment" | "supportsUnderpayment">;

type PaymentRule = "exact" | "orMore" | "orLess" | "any";

export function ruleOf({ supportsOverpayment, supportsUnderpayment }: Rules): PaymentRule {
  if (supportsOverpayment) {
    return supportsUnderpayment ? "any" : "orMore";
  }
  return supportsUnderpayment ? "orLess" : "exact";
}

function paymentProblem(
  rules: Rules,
  bill: Pick<PosBill, "send">,
  send: number,
): "over" | "under" | undefined {
  if (send > bill.send && !rules.supportsOverpayment) {
    return "over";
  }
  return send < bill.send && !rules.supportsUnderpayment ? "under" : undefined;
}

/** Returns the problem of the typed amount; undefined while the amount or the bill is missing. */
export function typedProblem(rules: Rules | undefined, bill: PosBill | undefined, text: string) {
  const typed = bill && parseAmount(text, bill.sendCurrencyDivisor);
  return rules && bill && typed !== undefined ? paymentProblem(rules, bill, typed) : undefined;
}
