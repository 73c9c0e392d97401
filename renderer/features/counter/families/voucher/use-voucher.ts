import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PosVoucherOffer } from "../../../../../server/contract/pos/offers.ts";
import type { PosQuote } from "../../../../../server/contract/pos/quotes.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { brandsQuery, offersOfQuery } from "../../api/offer-queries.ts";
import { useAmount } from "../../picker/amount/use-amount.ts";
import { fieldProblem } from "../../picker/fields/field-rules.ts";
import type { Fields } from "../../picker/fields/fields-control.ts";
import { NO_FIELDS } from "../../picker/fields/fields-state.ts";
import { countriesHomeFirst, homeFirst } from "../../picker/tiles/home-first.ts";
import type { Picker } from "../../picker/tiles/picker-control.ts";
import { usePickerView } from "../../picker/tiles/use-picker-view.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";
import { pauseOf } from "../../ui/pause.ts";
import { promosOn } from "../../ui/promos-on.ts";
import { useWalletReach } from "../../ui/use-wallet-reach.ts";
import { itemOfVoucher } from "./voucher-item.ts";
import type { PickerBrand, VoucherEvent, VoucherState } from "./voucher-state.ts";

export type Voucher = ReturnType<typeof useVoucher>;

interface Options {
  /** The family is shown: what the picker needs is asked for. */
  readonly isOpen: boolean;
  /** ISO 3166-1 alpha-2: what is sold here comes first. */
  readonly homeCountry: string;
}

/** The machine of a voucher joined to the gateway: what it knows and what can be done. */
export function useVoucher(
  state: VoucherState,
  dispatch: (event: VoucherEvent) => void,
  compose: (item: LineItem) => void,
  { isOpen, homeCountry }: Options,
) {
  const format = useFormat();
  const language = useTranslation().i18n.language;
  const wallet = useWalletReach();
  const brands = useQuery(brandsQuery("VOUCHER", isOpen));
  const brandTiles = useMemo(
    () => homeFirst(brands.data?.list ?? [], homeCountry),
    [brands.data, homeCountry],
  );
  const { brand, country } = state;
  const offers = useQuery(
    offersOfQuery(
      "VOUCHER",
      brand && country !== "" ? { brand: brand.brand, country } : undefined,
      language,
    ),
  );
  const amount = useAmount(state.offer, state.amount, dispatch);

  const brandPicker: Picker<PickerBrand> = {
    source: brands,
    state: state.brands,
    view: usePickerView(brandTiles, state.brands),
    dispatch: (event) => dispatch({ type: "brands", event }),
    onPick: (picked) => dispatch({ type: "brand-picked", brand: picked, home: homeCountry }),
  };
  const countryTiles = useMemo(
    () => countriesHomeFirst(brand?.countries ?? [], homeCountry, format.country),
    [brand, format, homeCountry],
  );
  const countryPicker: Picker<string> = {
    state: state.tiles,
    view: usePickerView(countryTiles, state.tiles),
    dispatch: (event) => dispatch({ type: "tiles", event }),
    onPick: (picked) => dispatch({ type: "country-picked", country: picked }),
  };
  const offerTiles = useMemo(
    () =>
      (offers.data?.list ?? []).map((offer) => ({
        id: offer.offerId,
        name: offer.title,
        item: offer,
      })),
    [offers.data],
  );
  const offerPicker: Picker<PosVoucherOffer> = {
    source: offers,
    state: state.tiles,
    view: usePickerView(offerTiles, state.tiles),
    dispatch: (event) => dispatch({ type: "tiles", event }),
    cannotPay: wallet.cannotPay,
    onPick: (offer) => {
      dispatch({ type: "offer-picked", offer });
      if (offer.priceType === "FIXED" && offer.requiredFields.length === 0) {
        finish(offer, { quote: undefined, fields: NO_FIELDS });
      }
    },
  };

  function finish(offer: PosVoucherOffer, rest: Pick<VoucherState, "quote" | "fields">) {
    const item = itemOfVoucher(offer, rest);
    if (item) {
      compose(item);
    }
  }

  const asked = state.offer?.requiredFields ?? [];
  const fields: Fields = {
    state: state.fields,
    fields: asked,
    onText: (text) => dispatch({ type: "field-typed", text }),
    onEntered: () => {
      const { offer } = state;
      const isLast = state.fields.index === asked.length - 1;
      const isComplete = asked.every(
        (field) => fieldProblem(field, state.fields.texts[field.key] ?? "") === undefined,
      );
      if (offer && isLast && isComplete) {
        finish(offer, state);
      } else {
        dispatch({ type: "field-entered" });
      }
    },
  };

  return {
    state,
    dispatch,
    promosOn: promosOn(offers.data),
    brandPicker,
    countryPicker,
    offerPicker,
    amount,
    fields,
    pause: pauseOf(brands.data?.list.find((one) => one.brand === brand?.brand)),
    enterAmount: (quote: PosQuote) => {
      dispatch({ type: "amount-entered", quote });
      if (state.offer && asked.length === 0) {
        finish(state.offer, { ...state, quote });
      }
    },
  };
}
