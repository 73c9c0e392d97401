import { useQuery } from "@tanstack/react-query";
import { useEffectEvent, useLayoutEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PosBrands } from "../../../../../server/contract/pos/brands.ts";
import type { PosQuote } from "../../../../../server/contract/pos/counter.ts";
import type { PosField, PosVoucherOffer } from "../../../../../server/contract/pos/offers.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { brandsQuery, offersOfQuery } from "../../api/offer-queries.ts";
import {
  type AmountEvent,
  type AmountState,
  amountReducer,
  amountsOf,
  NO_AMOUNT,
} from "../../picker/amount/amount-state.ts";
import { useAmount } from "../../picker/amount/use-amount.ts";
import { fieldProblem } from "../../picker/fields/field-rules.ts";
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
import type { PickerTile } from "../../picker/tiles/picker-index.ts";
import {
  NO_PICKER,
  type PickerEvent,
  type PickerState,
  pickerReducer,
} from "../../picker/tiles/picker-state.ts";
import { type LineItem, lineOfOffer } from "../../sale/attempt/line-item.ts";
import { PAGE_SIZE } from "../../ui/page-size.ts";
import { pauseOf } from "../../ui/pause.tsx";
import { promosOn } from "../../ui/promo.tsx";
import { useWalletReach } from "../../ui/wallet.tsx";
import type { FamilyContext } from "../interface/family.ts";
import type { WantedThing } from "../interface/sold-thing.ts";

export type PickerBrand = PosBrands["list"][number];

/** "here": brands that are sold for the shop's own country. */
export type BrandScope = "here" | "everywhere";

export type VoucherStep = "brand" | "country" | "offer" | "amount" | "field";

export interface VoucherState {
  readonly step: VoucherStep;
  /** Keeps its state while the clerk chooses an offer. */
  readonly brands: PickerState;
  readonly scope: BrandScope;
  /** Only brands of this kind are listed; undefined for all kinds. */
  readonly kind: string | undefined;
  readonly brand: PickerBrand | undefined;
  readonly tiles: PickerState;
  readonly country: string;
  readonly offer: PosVoucherOffer | undefined;
  readonly amount: AmountState;
  readonly quote: PosQuote | undefined;
  readonly fields: FieldsState;
  /** Product picked in the number field. Set until the gateway has listed the brands. */
  readonly wanted?: WantedThing | undefined;
}

export const INITIAL_VOUCHER: VoucherState = {
  step: "brand",
  brands: NO_PICKER,
  scope: "here",
  kind: undefined,
  brand: undefined,
  tiles: NO_PICKER,
  country: "",
  offer: undefined,
  amount: NO_AMOUNT,
  quote: undefined,
  fields: NO_FIELDS,
};

export type VoucherEvent =
  | { readonly type: "wanted"; readonly wanted: WantedThing }
  | { readonly type: "wanted-gone" }
  | { readonly type: "brands"; readonly event: PickerEvent }
  | { readonly type: "scope-chosen"; readonly scope: BrandScope }
  | { readonly type: "kind-chosen"; readonly kind: string | undefined }
  | { readonly type: "tiles"; readonly event: PickerEvent }
  /** `home` is the shop's country, which is chosen without asking if the brand is sold for it. */
  | { readonly type: "brand-picked"; readonly brand: PickerBrand; readonly home: string }
  | { readonly type: "country-opened" }
  | { readonly type: "country-picked"; readonly country: string }
  | { readonly type: "offer-picked"; readonly offer: PosVoucherOffer }
  | AmountEvent
  | { readonly type: "amount-entered"; readonly quote: PosQuote }
  | { readonly type: "field-typed"; readonly text: string; readonly home: string }
  | { readonly type: "field-entered" }
  | { readonly type: "back" };

export interface VoucherTypes {
  readonly state: VoucherState;
  readonly event: VoucherEvent;
}

function fieldsAsked({ offer }: VoucherState): readonly PosField[] {
  return offer?.requiredFields ?? [];
}

/**
 * Composes one voucher:
 *
 *   brand ─► country ─► offer ─► amount ─► field, one after another ─► (the line)
 *
 * The country is skipped if there is only one, or if the brand is sold for the shop's own country;
 * a key opens the other countries. A FIXED offer skips the amount, and an offer without required
 * fields skips the fields.
 */
export function voucherReducer(state: VoucherState, event: VoucherEvent): VoucherState {
  switch (event.type) {
    case "wanted":
      return { ...INITIAL_VOUCHER, wanted: event.wanted };
    case "wanted-gone":
      return { ...state, wanted: undefined };
    case "brands":
      return { ...state, brands: pickerReducer(state.brands, event.event) };
    case "scope-chosen":
      return { ...state, scope: event.scope, kind: undefined, brands: NO_PICKER };
    case "kind-chosen":
      return { ...state, kind: event.kind, brands: NO_PICKER };
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
      return { ...state, fields: typeField(state.fields, fieldsAsked(state), event) };
    case "field-entered": {
      // After the last field the line is complete. The field stays open for undo.
      const fields = enterField(state.fields, fieldsAsked(state));
      return fields.index < fieldsAsked(state).length ? { ...state, fields } : state;
    }
    case "back":
      return back({ ...state, wanted: undefined });
  }
}

export function canChangeCountry({ brand }: Pick<VoucherState, "brand">): boolean {
  return (brand?.countries.length ?? 0) > 1;
}

/** Opens the fields. Without fields the line is already complete, so the step does not change. */
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
