import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useLayoutEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PosBill, PosBillInput } from "../../../../../server/contract/pos/counter.ts";
import type { PosBillOffer } from "../../../../../server/contract/pos/offers.ts";
import { kindWords } from "../../../../lib/kind-words.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { billQuery, brandsQuery, offersOfQuery } from "../../api/offer-queries.ts";
import { paidLine } from "../../api/wallet-queries.ts";
import { amountsOf } from "../../picker/amount/amount-state.ts";
import { useAmount } from "../../picker/amount/use-amount.ts";
import type { Fields } from "../../picker/fields/fields-control.ts";
import { type FieldsState, givenFields } from "../../picker/fields/fields-state.ts";
import { countriesHomeFirst, homeFirst } from "../../picker/tiles/home-first.ts";
import { type Picker, usePickerView } from "../../picker/tiles/picker-control.ts";
import { type LineItem, lineOfOffer } from "../../sale/attempt/line-item.ts";
import { pauseOf } from "../../ui/pause.tsx";
import { useWalletReach, useWalletShort } from "../../ui/wallet.tsx";
import type { FamilyContext } from "../interface/family.ts";
import {
  type Biller,
  type BillStep,
  type BillTypes,
  fieldsAsked,
  typedProblem,
} from "./bill-state.ts";

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
