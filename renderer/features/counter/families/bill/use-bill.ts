import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PosBill } from "../../../../../server/contract/pos/bills.ts";
import type { PosBillOffer } from "../../../../../server/contract/pos/offers.ts";
import { kindWords } from "../../../../lib/kind-words.ts";
import { parseAmount } from "../../../../lib/money.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { billQuery, brandsQuery, offersOfQuery } from "../../api/offer-queries.ts";
import { paidLine } from "../../api/wallet-queries.ts";
import { amountsOf } from "../../picker/amount/amount-state.ts";
import { useAmount } from "../../picker/amount/use-amount.ts";
import type { Fields } from "../../picker/fields/fields-control.ts";
import { type GivenField, givenFields } from "../../picker/fields/fields-state.ts";
import { countriesHomeFirst, homeFirst } from "../../picker/tiles/home-first.ts";
import type { Picker } from "../../picker/tiles/picker-control.ts";
import { usePickerView } from "../../picker/tiles/use-picker-view.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";
import { pauseOf } from "../../ui/pause.ts";
import { useWalletReach, useWalletShort } from "../../ui/use-wallet-reach.ts";
import type { BillEvent, Biller, BillState } from "./bill-state.ts";
import { paymentProblem } from "./payment-rules.ts";

export type BillPayment = ReturnType<typeof useBill>;

interface Options {
  /** The family is shown: what the picker needs is asked for. */
  readonly isOpen: boolean;
  /** ISO 3166-1 alpha-2: billers of it come first. */
  readonly homeCountry: string;
}

/** The machine of a bill payment joined to the gateway: what it knows and what can be done. */
export function useBill(
  state: BillState,
  dispatch: (event: BillEvent) => void,
  compose: (item: LineItem) => void,
  { isOpen, homeCountry }: Options,
) {
  const { t } = useTranslation();
  const format = useFormat();
  const language = useTranslation().i18n.language;
  const wallet = useWalletReach();
  const billers = useQuery(brandsQuery("BILL_PAY", isOpen));
  const { biller, country, offer } = state;
  const services = useQuery(
    offersOfQuery(
      "BILL_PAY",
      biller && country !== "" ? { brand: biller.brand, country } : undefined,
      language,
    ),
  );
  const asked = offer?.requiredFields ?? [];
  const given = givenFields(state.fields, asked);
  const isRetrieved = state.step === "amount" && offer?.supportsBillRetrieval === true;
  const retrieval = offer?.retrievalFields.map(({ key }) => key) ?? [];
  const bill = useQuery(
    billQuery(
      isRetrieved
        ? {
            offerId: offer.offerId,
            fields: given
              .filter(({ key }) => retrieval.includes(key))
              .map(({ key, value }) => ({ key, value })),
          }
        : undefined,
    ),
  );
  const amount = useAmount(
    offer?.priceType === "RANGE" && state.step === "amount" ? offer : undefined,
    state.amount,
    dispatch,
  );

  // A biller with one service only is not asked for it.
  const [only, ...others] = services.data?.list ?? [];
  const takeOnly = useEffectEvent((service: PosBillOffer) =>
    dispatch({ type: "service-picked", offer: service, isOnly: true }),
  );
  const onlyService = state.step === "service" && others.length === 0 ? only : undefined;
  useEffect(() => {
    if (onlyService) {
      takeOnly(onlyService);
    }
  }, [onlyService]);

  const billerTiles = useMemo(
    () => homeFirst(billers.data?.list ?? [], homeCountry),
    [billers.data, homeCountry],
  );
  const billerPicker: Picker<Biller> = {
    source: billers,
    state: state.billers,
    view: usePickerView(billerTiles, state.billers),
    dispatch: (event) => dispatch({ type: "billers", event }),
    onPick: (picked) => dispatch({ type: "biller-picked", biller: picked, home: homeCountry }),
  };
  const countryTiles = useMemo(
    () => countriesHomeFirst(biller?.countries ?? [], homeCountry, format.country),
    [biller, format, homeCountry],
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
    onPick: (service) =>
      dispatch({ type: "service-picked", offer: service, isOnly: others.length === 0 }),
  };
  const fields: Fields = {
    state: state.fields,
    fields: asked,
    onText: (text) => dispatch({ type: "field-typed", text }),
    onEntered: () => dispatch({ type: "field-entered" }),
  };

  const isTyped = state.amount.text !== "";
  const priced = isTyped ? amount.quote : bill.data;
  const dueShort = useWalletShort(bill.data ? [paidLine(bill.data)] : []);
  const walletShort = isTyped ? amount.walletShort : dueShort;

  function finish(amounts: Pick<LineItem, "value" | "price" | "send">) {
    if (offer) {
      const due = bill.data ? { due: bill.data.send } : {};
      const [service] = offer.subTypes;
      compose({ ...itemOf(offer, given, amounts), ...due, ...(service && { service }) });
    }
  }

  return {
    state,
    dispatch,
    billerPicker,
    countryPicker,
    servicePicker,
    fields,
    amount,
    /** What is due, where the biller can be asked. */
    bill,
    /** What the customer pays, fee included: for what is due, or for the amount that was typed instead. */
    pays: priced && { price: priced.price, fee: priced.priceFee },
    isRetrieved,
    problem: problemOf(offer, bill.data, state.amount.text),
    /** What the wallet can pay for, where it cannot pay for that. */
    walletShort,
    pause: pauseOf(billers.data?.list.find((one) => one.brand === biller?.brand)),
    /** Pays what is due, or the amount that was typed instead. */
    enterAmount: () => {
      const { quote } = amount;
      if (walletShort) {
        return;
      }
      if (state.amount.text === "" && bill.data) {
        const { value, price, send } = bill.data;
        finish({ ...(value && { value }), price, send });
      } else if (quote && !problemOf(offer, bill.data, state.amount.text)) {
        finish(amountsOf(quote));
      }
    },
  };
}

/** Why the typed amount is not accepted for the bill. */
function problemOf(offer: PosBillOffer | undefined, bill: PosBill | undefined, text: string) {
  const typed = bill && parseAmount(text, bill.sendCurrencyDivisor);
  return offer && bill && typed !== undefined ? paymentProblem(offer, bill, typed) : undefined;
}

function itemOf(
  { offerId, brand, brandName, brandColor, country, title, price, send }: PosBillOffer,
  fields: readonly GivenField[],
  amounts: Pick<LineItem, "value" | "price" | "send">,
): LineItem {
  return {
    productType: "BILL_PAY",
    offerId,
    brand,
    brandName,
    brandColor,
    country,
    title,
    fields,
    priceCurrency: price.currency,
    priceCurrencyDivisor: price.currencyDivisor,
    sendCurrency: send.currency,
    sendCurrencyDivisor: send.currencyDivisor,
    ...amounts,
  };
}
