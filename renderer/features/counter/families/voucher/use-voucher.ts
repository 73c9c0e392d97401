import { useQuery } from "@tanstack/react-query";
import { useEffectEvent, useLayoutEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PosQuote } from "../../../../../server/contract/pos/counter.ts";
import type { PosVoucherOffer } from "../../../../../server/contract/pos/offers.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { brandsQuery, offersOfQuery } from "../../api/offer-queries.ts";
import { amountsOf } from "../../picker/amount/amount-state.ts";
import { useAmount } from "../../picker/amount/use-amount.ts";
import { fieldProblem } from "../../picker/fields/field-rules.ts";
import type { Fields } from "../../picker/fields/fields-control.ts";
import { givenFields, NO_FIELDS } from "../../picker/fields/fields-state.ts";
import { countriesHomeFirst, homeFirst } from "../../picker/tiles/home-first.ts";
import { type Picker, usePickerView } from "../../picker/tiles/picker-control.ts";
import type { PickerTile } from "../../picker/tiles/picker-index.ts";
import { type LineItem, lineOfOffer } from "../../sale/attempt/line-item.ts";
import { PAGE_SIZE } from "../../ui/page-size.ts";
import { pauseOf } from "../../ui/pause.tsx";
import { promosOn } from "../../ui/promo.tsx";
import { useWalletReach } from "../../ui/wallet.tsx";
import type { FamilyContext } from "../interface/family.ts";
import {
  type BrandScope,
  fieldsAsked,
  type PickerBrand,
  type VoucherState,
  type VoucherStep,
  type VoucherTypes,
} from "./voucher-state.ts";

export type Voucher = ReturnType<typeof useVoucher>;

export function useVoucher(context: FamilyContext<VoucherTypes>) {
  const { state, dispatch } = context;
  const answers = useVoucherAnswers(context);
  const actions = voucherActions(context);
  const choices = useVoucherChoices(context, answers, actions);
  useWantedVoucher(context, answers, actions);
  const { brands, offers, amount } = answers;
  const fields: Fields = {
    state: state.fields,
    fields: fieldsAsked(state),
    onText: (text) => dispatch({ type: "field-typed", text, home: context.till.country }),
    onEntered: actions.enterField,
  };
  return {
    state,
    dispatch,
    ...choices,
    ...actions,
    promosOn: promosOn(offers.data),
    amount,
    fields,
    pause: pauseOf(brands.data?.list.find(({ brand }) => brand === state.brand?.brand)),
  };
}

function useVoucherChoices(
  { state, dispatch, till }: FamilyContext<VoucherTypes>,
  { brands, offers, wallet }: VoucherAnswers,
  { pickOffer }: VoucherActions,
) {
  const format = useFormat();
  const { brand } = state;
  const home = till.country;

  const isSearched = state.brands.query !== "";
  const allBrands = useMemo(() => homeFirst(brands.data?.list ?? [], home), [brands.data, home]);
  const brandFilters = useMemo(() => filtersOf(allBrands, state.scope), [allBrands, state.scope]);
  const brandTiles = useMemo(
    () => (isSearched ? allBrands : filterBrands(brandFilters.tiles, state.kind)),
    [allBrands, brandFilters, isSearched, state.kind],
  );
  const brandPicker: Picker<PickerBrand> = {
    source: brands,
    state: state.brands,
    view: usePickerView(brandTiles, state.brands),
    dispatch: (event) => dispatch({ type: "brands", event }),
    onPick: (picked) => dispatch({ type: "brand-picked", brand: picked, home }),
  };

  const countryTiles = useMemo(
    () => countriesHomeFirst(brand?.countries ?? [], home, format.country),
    [brand, format, home],
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
    onPick: pickOffer,
  };

  return { brandFilters, brandPicker, countryPicker, offerPicker };
}

type BrandTiles = readonly PickerTile<PickerBrand>[];

const MOST_KINDS = 5;

/** Without a brand for the shop's own country, the scope is always "everywhere". */
function filtersOf(all: BrandTiles, wanted: BrandScope) {
  const here = all.filter(({ isHome }) => isHome);
  const scope = here.length === 0 ? "everywhere" : wanted;
  const tiles = scope === "here" ? here : all;
  // One page of brands needs no further filter.
  const byKind = Map.groupBy(
    tiles.length > PAGE_SIZE ? tiles : [],
    ({ item }) => item.subTypes[0] ?? "",
  );
  const kinds = [...byKind]
    .filter(([kind]) => kind !== "")
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, MOST_KINDS)
    .map(([kind]) => kind);
  return { scope, tiles, kinds, counts: { here: here.length, everywhere: all.length } };
}

function filterBrands(tiles: BrandTiles, kind: string | undefined): BrandTiles {
  return kind === undefined ? tiles : tiles.filter(({ item }) => item.subTypes[0] === kind);
}

/** Picks the brand chosen in the number field, once the brands are loaded. */
function useWantedVoucher(
  { state, dispatch }: FamilyContext<VoucherTypes>,
  { brands, offers, wallet }: VoucherAnswers,
  { pickOffer }: VoucherActions,
): void {
  const { wanted, step } = state;
  const listed = { brand: brands.data, offer: offers.data, country: [], amount: [], field: [] }[
    step
  ];
  const choose = useEffectEvent((open: VoucherStep) => {
    const brand = brands.data?.list.find((one) => one.brand === wanted?.brand);
    const isPaused = pauseOf(brand)?.byHand ?? false;
    const offer = offers.data?.list.find(({ offerId }) => offerId === wanted?.offerId);
    if (open === "brand" && wanted && brand) {
      dispatch({ type: "brand-picked", brand, home: wanted.country });
    } else if (open === "offer" && offer && !wallet.cannotPay(offer) && !isPaused) {
      pickOffer(offer);
    } else {
      dispatch({ type: "wanted-gone" });
    }
  });
  const isListed = listed !== undefined;
  useLayoutEffect(() => {
    if (wanted && isListed) {
      choose(step);
    }
  }, [wanted, isListed, step]);
}

type VoucherAnswers = ReturnType<typeof useVoucherAnswers>;

function useVoucherAnswers({ state, dispatch, isOpen }: FamilyContext<VoucherTypes>) {
  const language = useTranslation().i18n.language;
  const { brand, country } = state;
  const place = brand && country !== "" ? { brand: brand.brand, country } : undefined;
  return {
    brands: useQuery(brandsQuery("VOUCHER", isOpen)),
    offers: useQuery(offersOfQuery("VOUCHER", place, language)),
    amount: useAmount(state.offer, state.amount, dispatch),
    wallet: useWalletReach(),
  };
}

type VoucherActions = ReturnType<typeof voucherActions>;

function voucherActions({ state, dispatch, compose }: FamilyContext<VoucherTypes>) {
  const asked = fieldsAsked(state);

  function finish(offer: PosVoucherOffer, rest: Pick<VoucherState, "quote" | "fields">) {
    const item = itemOfVoucher(offer, rest);
    if (item) {
      compose(item);
    }
  }

  return {
    pickOffer: (offer: PosVoucherOffer) => {
      dispatch({ type: "offer-picked", offer });
      if (offer.priceType === "FIXED" && offer.requiredFields.length === 0) {
        finish(offer, { quote: undefined, fields: NO_FIELDS });
      }
    },
    enterAmount: (quote: PosQuote) => {
      dispatch({ type: "amount-entered", quote });
      if (state.offer && asked.length === 0) {
        finish(state.offer, { ...state, quote });
      }
    },
    enterField: () => {
      const { offer } = state;
      const { index, texts, home } = state.fields;
      const isLast = index === asked.length - 1;
      const isComplete = asked.every(
        (field) => fieldProblem(field, texts[field.key] ?? "", home) === undefined,
      );
      if (offer && isLast && isComplete) {
        finish(offer, state);
      } else {
        dispatch({ type: "field-entered" });
      }
    },
  };
}

/** Returns the voucher's line; undefined while a RANGE offer's value is not quoted. */
function itemOfVoucher(
  offer: PosVoucherOffer,
  { quote, fields }: Pick<VoucherState, "quote" | "fields">,
): LineItem | undefined {
  if (offer.priceType === "RANGE" && !quote) {
    return undefined;
  }
  const { send } = offer;
  return {
    ...lineOfOffer(offer),
    send: send.fixed ?? 0,
    sendCurrency: send.currency,
    sendCurrencyDivisor: send.currencyDivisor,
    ...(quote && amountsOf(quote)),
    fields: givenFields(fields, offer.requiredFields),
  };
}
