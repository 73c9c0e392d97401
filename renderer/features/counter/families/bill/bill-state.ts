import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useLayoutEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PosBrands } from "../../../../../server/contract/pos/brands.ts";
import type { PosBill, PosBillInput } from "../../../../../server/contract/pos/counter.ts";
import type { PosBillOffer, PosField } from "../../../../../server/contract/pos/offers.ts";
import { kindWords } from "../../../../lib/kind-words.ts";
import { parseAmount } from "../../../../lib/money.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { billQuery, brandsQuery, offersOfQuery } from "../../api/offer-queries.ts";
import { paidLine } from "../../api/wallet-queries.ts";
import {
  type AmountEvent,
  type AmountState,
  amountReducer,
  amountsOf,
  NO_AMOUNT,
} from "../../picker/amount/amount-state.ts";
import { useAmount } from "../../picker/amount/use-amount.ts";
import type { Fields } from "../../picker/fields/fields-control.ts";
import {
  enterField,
  type FieldsState,
  givenFields,
  NO_FIELDS,
  typeField,
} from "../../picker/fields/fields-state.ts";
import { countriesHomeFirst, homeFirst } from "../../picker/tiles/home-first.ts";
import { type Picker, usePickerView } from "../../picker/tiles/picker-control.ts";
import {
  NO_PICKER,
  type PickerEvent,
  type PickerState,
  pickerReducer,
} from "../../picker/tiles/picker-state.ts";
import { type LineItem, lineOfOffer } from "../../sale/attempt/line-item.ts";
import { pauseOf } from "../../ui/pause.tsx";
import { useWalletReach, useWalletShort } from "../../ui/wallet.tsx";
import type { FamilyContext } from "../interface/family.ts";
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

function fieldsAsked({ offer }: BillState): readonly PosField[] {
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
function typedProblem(rules: Rules | undefined, bill: PosBill | undefined, text: string) {
  const typed = bill && parseAmount(text, bill.sendCurrencyDivisor);
  return rules && bill && typed !== undefined ? paymentProblem(rules, bill, typed) : undefined;
}

export type BillPayment = ReturnType<typeof useBill>;

export function useBill(context: FamilyContext<BillTypes>) {
  const { state, dispatch } = context;
  const answers = useBillAnswers(context);
  const actions = billActions(context, answers);
  const choices = useBillChoices(context, answers, actions);
  useWantedBill(context, answers, actions);
  const { billers, bill, isRetrieved, amount, walletShort } = answers;
  const priced = state.amount.text === "" ? bill.data : amount.quote;
  const fields: Fields = {
    state: state.fields,
    fields: fieldsAsked(state),
    onText: (text) => dispatch({ type: "field-typed", text, home: context.till.country }),
    onEntered: () => dispatch({ type: "field-entered" }),
  };
  return {
    state,
    dispatch,
    ...choices,
    ...actions,
    fields,
    amount,
    bill,
    isRetrieved,
    walletShort,
    pays: priced,
    problem: typedProblem(state.offer, bill.data, state.amount.text),
    pause: pauseOf(billers.data?.list.find(({ brand }) => brand === state.biller?.brand)),
  };
}

function useBillChoices(
  { state, dispatch, till }: FamilyContext<BillTypes>,
  { billers, services, wallet }: BillAnswers,
  { pickService }: BillActions,
) {
  const { t } = useTranslation();
  const format = useFormat();
  const { biller } = state;
  const home = till.country;

  const billerTiles = useMemo(
    () => homeFirst(billers.data?.list ?? [], home),
    [billers.data, home],
  );
  const billerPicker: Picker<Biller> = {
    source: billers,
    state: state.billers,
    view: usePickerView(billerTiles, state.billers),
    dispatch: (event) => dispatch({ type: "billers", event }),
    onPick: (picked) => dispatch({ type: "biller-picked", biller: picked, home }),
  };

  const countryTiles = useMemo(
    () => countriesHomeFirst(biller?.countries ?? [], home, format.country),
    [biller, format, home],
  );
  const countryPicker: Picker<string> = {
    state: state.tiles,
    view: usePickerView(countryTiles, state.tiles),
    dispatch: (event) => dispatch({ type: "tiles", event }),
    onPick: (picked) => dispatch({ type: "country-picked", country: picked }),
  };

  const serviceTiles = useMemo(
    () =>
      (services.data?.list ?? []).map((service) => ({
        id: service.offerId,
        name: kindWords(service.subTypes[0] ?? service.title, t),
        item: service,
      })),
    [services.data, t],
  );
  const servicePicker: Picker<PosBillOffer> = {
    source: services,
    state: state.tiles,
    view: usePickerView(serviceTiles, state.tiles),
    dispatch: (event) => dispatch({ type: "tiles", event }),
    cannotPay: wallet.cannotPay,
    onPick: pickService,
  };

  return { billerPicker, countryPicker, servicePicker };
}

/** Selects the biller picked in the number field, once the billers are loaded. */
function useWantedBill(
  { state, dispatch }: FamilyContext<BillTypes>,
  { billers, services }: BillAnswers,
  { pickService }: BillActions,
): void {
  const { wanted, step } = state;
  const choose = useEffectEvent((open: BillStep) => {
    const biller = billers.data?.list.find(({ brand }) => brand === wanted?.brand);
    const service = services.data?.list.find(({ offerId }) => offerId === wanted?.offerId);
    if (open === "biller" && wanted && biller) {
      dispatch({ type: "biller-picked", biller, home: wanted.country });
    } else if (open === "service" && service) {
      pickService(service);
    } else if (open !== "service" || wanted?.account === undefined) {
      dispatch({ type: "wanted-gone" });
    }
  });
  const isListed = step === "biller" ? billers.data !== undefined : services.data !== undefined;
  useLayoutEffect(() => {
    if (wanted && isListed) {
      choose(step);
    }
  }, [wanted, isListed, step]);
}

type BillActions = ReturnType<typeof billActions>;

function billActions(
  { state, dispatch, compose }: FamilyContext<BillTypes>,
  { services, bill, amount, walletShort }: BillAnswers,
) {
  const { offer } = state;
  const { text } = state.amount;

  function finish(amounts: PaidAmounts) {
    if (offer) {
      compose(itemOfBill(offer, state.fields, amounts, bill.data));
    }
  }

  return {
    pickService: (service: PosBillOffer) => {
      const [_, ...others] = services.data?.list ?? [];
      dispatch({ type: "service-picked", offer: service, isOnly: others.length === 0 });
    },
    enterAmount: () => {
      const { quote } = amount;
      if (walletShort) {
        return;
      }
      if (text === "" && bill.data) {
        const { value, price, priceFee, send } = bill.data;
        finish({ ...(value && { value }), price, priceFee, send });
      } else if (quote && !typedProblem(offer, bill.data, text)) {
        finish({ ...amountsOf(quote), priceFee: quote.priceFee });
      }
    },
  };
}

type BillAnswers = ReturnType<typeof useBillAnswers>;

function useBillAnswers(context: FamilyContext<BillTypes>) {
  const { state, dispatch, isOpen } = context;
  const language = useTranslation().i18n.language;
  const { biller, country, offer } = state;
  const place = biller && country !== "" ? { brand: biller.brand, country } : undefined;
  const services = useQuery(offersOfQuery("BILL_PAY", place, language));
  useOnlyService(context, services.data?.list ?? []);
  const isPaying = state.step === "amount";
  const isRetrieved = isPaying && offer?.supportsBillRetrieval === true;
  const bill = useQuery(billQuery(isRetrieved ? billAsked(offer, state.fields) : undefined));
  const ranged = isPaying && offer?.priceType === "RANGE" ? offer : undefined;
  const amount = useAmount(ranged, state.amount, dispatch);
  const dueShort = useWalletShort(bill.data ? [paidLine(bill.data)] : []);
  return {
    billers: useQuery(brandsQuery("BILL_PAY", isOpen)),
    services,
    bill,
    isRetrieved,
    amount,
    wallet: useWalletReach(),
    walletShort: state.amount.text === "" ? dueShort : amount.walletShort,
  };
}

function useOnlyService(
  { state, dispatch }: FamilyContext<BillTypes>,
  [only, ...others]: readonly PosBillOffer[],
): void {
  const take = useEffectEvent((offer: PosBillOffer) =>
    dispatch({ type: "service-picked", offer, isOnly: true }),
  );
  const onlyService = state.step === "service" && others.length === 0 ? only : undefined;
  useEffect(() => {
    if (onlyService) {
      take(onlyService);
    }
  }, [onlyService]);
}

function billAsked(offer: PosBillOffer, fields: FieldsState): PosBillInput {
  const retrieval = offer.retrievalFields.map(({ key }) => key);
  return {
    offerId: offer.offerId,
    fields: givenFields(fields, offer.requiredFields)
      .filter(({ key }) => retrieval.includes(key))
      .map(({ key, value }) => ({ key, value })),
  };
}

type PaidAmounts = Pick<LineItem, "value" | "price" | "priceFee" | "send">;

/** @param due the retrieved bill, if the biller can be queried */
function itemOfBill(
  offer: PosBillOffer,
  fields: FieldsState,
  amounts: PaidAmounts,
  due?: PosBill,
): LineItem {
  const { send } = offer;
  const [service] = offer.subTypes;
  return {
    ...lineOfOffer(offer),
    fields: givenFields(fields, offer.requiredFields),
    sendCurrency: send.currency,
    sendCurrencyDivisor: send.currencyDivisor,
    ...amounts,
    ...(due && { due: due.send }),
    ...(service && { service }),
  };
}
