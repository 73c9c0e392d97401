import { useQuery } from "@tanstack/react-query";
import { useEffectEvent, useLayoutEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Region } from "../../../../../server/contract/common.ts";
import type { EsimDestinations } from "../../../../../server/contract/pos/esims.ts";
import type { PosEsimOffer } from "../../../../../server/contract/pos/offers.ts";
import { type PlaceWords, usePlaceWords } from "../../../../lib/destination.ts";
import {
  brandsQuery,
  destinationsQuery,
  esimQuery,
  offersOfQuery,
} from "../../api/offer-queries.ts";
import { type Picker, usePickerView } from "../../picker/tiles/picker-control.ts";
import { isFoundBy, type PickerTile } from "../../picker/tiles/picker-index.ts";
import {
  NO_PICKER,
  type PickerEvent,
  type PickerState,
  pickerReducer,
} from "../../picker/tiles/picker-state.ts";
import { type LineItem, lineOfOffer } from "../../sale/attempt/line-item.ts";
import { type Pause, pauseOf } from "../../ui/pause.tsx";
import { promosOn } from "../../ui/promo.tsx";
import { useWalletReach } from "../../ui/wallet.tsx";
import type { FamilyContext } from "../interface/family.ts";
import { iccidProblem } from "./iccid.ts";
import {
  dataChoices,
  dayChoices,
  filterPlans,
  type PlanWords,
  usePlanWords,
} from "./plan-filters.ts";

export type EsimStep = "place" | "iccid" | "plan" | "device";

export type Destination =
  | { readonly kind: "country"; readonly country: string }
  | {
      readonly kind: "region";
      readonly region: Region;
      /** Country that the clerk searched for. Only the region's plans that cover it are listed. */
      readonly within?: string;
    }
  /** Any place that the brand of an eSIM sold by this shop covers. */
  | { readonly kind: "brand"; readonly brandName: string };

/** The customer's existing eSIM, to which a plan is added. */
export interface OwnEsim {
  readonly iccid: string;
  readonly brand: string;
}

export interface EsimState {
  readonly step: EsimStep;
  readonly places: PickerState;
  readonly place: Destination | undefined;
  readonly plans: PickerState;
  /** Only plans with this much data; undefined for all. */
  readonly dataFilter: string | undefined;
  /** Only plans for this many days; undefined for all. */
  readonly dayFilter: number | undefined;
  readonly plan: PosEsimOffer | undefined;
  readonly iccidText: string;
  /** Undefined if a new eSIM is sold. */
  readonly own: OwnEsim | undefined;
  /** True if the phone shows no EID and therefore does not support eSIM. */
  readonly isUnfit: boolean;
  /** Plan picked in the number field. Set until the gateway has listed the plans. */
  readonly wantedPlan?: string | undefined;
}

export const INITIAL_ESIM: EsimState = {
  step: "place",
  places: NO_PICKER,
  place: undefined,
  plans: NO_PICKER,
  dataFilter: undefined,
  dayFilter: undefined,
  plan: undefined,
  iccidText: "",
  own: undefined,
  isUnfit: false,
};

export type EsimEvent =
  | { readonly type: "places"; readonly event: PickerEvent }
  | { readonly type: "plans"; readonly event: PickerEvent }
  | { readonly type: "place-picked"; readonly place: Destination }
  /**
   * The clerk picked a product in the number field. `offerId` is set if the search matched one
   * offer.
   */
  | { readonly type: "wanted"; readonly place: Destination; readonly offerId: string | undefined }
  | { readonly type: "wanted-gone" }
  | { readonly type: "data-filtered"; readonly data: string | undefined }
  | { readonly type: "days-filtered"; readonly days: number | undefined }
  /**
   * `asksDevice`: the clerk must ask whether the phone supports eSIM before the line is complete.
   */
  | { readonly type: "plan-picked"; readonly plan: PosEsimOffer; readonly asksDevice: boolean }
  | { readonly type: "iccid-opened" }
  | { readonly type: "iccid-begun"; readonly text: string }
  | { readonly type: "iccid-typed"; readonly text: string }
  | { readonly type: "iccid-known"; readonly own: OwnEsim; readonly place: Destination }
  | { readonly type: "device-unfit" }
  | { readonly type: "back" };

export interface EsimTypes {
  readonly state: EsimState;
  readonly event: EsimEvent;
}

/**
 * Composes one eSIM:
 *
 *   place ─► plan ─► device ─► (the line)      a new eSIM; the device is asked once per sale
 *     │       ▲
 *     ▼       │
 *   iccid ────┘  plan ─► (the line)            a plan for an eSIM that this shop sold
 */
export function esimReducer(state: EsimState, event: EsimEvent): EsimState {
  switch (event.type) {
    case "places":
      return { ...state, places: pickerReducer(state.places, event.event) };
    case "plans":
      return { ...state, plans: pickerReducer(state.plans, event.event) };
    case "place-picked":
      return openPlans({ ...state, own: undefined, place: event.place });
    case "wanted":
      return { ...openPlans({ ...INITIAL_ESIM, place: event.place }), wantedPlan: event.offerId };
    case "wanted-gone":
      return { ...state, wantedPlan: undefined };
    case "iccid-begun":
      return { ...INITIAL_ESIM, step: "iccid", iccidText: event.text };
    case "data-filtered":
      return { ...state, plans: NO_PICKER, dataFilter: event.data };
    case "days-filtered":
      return { ...state, plans: NO_PICKER, dayFilter: event.days };
    case "plan-picked":
      return event.asksDevice
        ? { ...state, step: "device", plan: event.plan, isUnfit: false, wantedPlan: undefined }
        : { ...state, plan: event.plan, wantedPlan: undefined };
    case "iccid-opened":
      return state.step === "place" ? { ...state, step: "iccid", iccidText: "" } : state;
    case "iccid-typed":
      return { ...state, iccidText: event.text };
    case "iccid-known":
      return state.step === "iccid"
        ? openPlans({ ...state, own: event.own, place: event.place })
        : state;
    case "device-unfit":
      return state.step === "device" ? { ...state, isUnfit: true } : state;
    case "back":
      return back({ ...state, wantedPlan: undefined });
  }
}

function openPlans(state: EsimState): EsimState {
  return { ...state, step: "plan", plans: NO_PICKER, dataFilter: undefined, dayFilter: undefined };
}

function back(state: EsimState): EsimState {
  switch (state.step) {
    case "place":
      return INITIAL_ESIM;
    case "iccid":
      return { ...state, step: "place", iccidText: "", own: undefined };
    case "plan":
      return { ...state, step: state.own ? "iccid" : "place", plan: undefined };
    case "device":
      return { ...state, step: "plan", plan: undefined, isUnfit: false };
  }
}

const NO_PLANS: readonly PosEsimOffer[] = [];

export type Esim = ReturnType<typeof useEsim>;

export function useEsim(context: FamilyContext<EsimTypes>) {
  const { state, dispatch } = context;
  const words: EsimWords = { places: usePlaceWords(), plans: usePlanWords() };
  const answers = useEsimAnswers(context);
  const actions = esimActions(context, answers, words);
  const choices = useEsimChoices(context, answers, actions, words);
  useWantedPlan(context, answers, actions);
  const { offers, held, pauseOfBrand } = answers;
  return {
    state,
    dispatch,
    ...choices,
    ...actions,
    promosOn: promosOn(offers.data),
    nameOf: (place: Destination) => nameOfPlace(place, words.places),
    held,
    pause: pauseOfBrand((state.plan ?? choices.planPicker.view.chosen?.item)?.brand),
    pauseOfBrand,
  };
}

function useEsimChoices(
  { state, dispatch }: FamilyContext<EsimTypes>,
  { destinations, offers, wallet }: EsimAnswers,
  { pickPlan }: EsimActions,
  { places, plans }: EsimWords,
) {
  const { place, dataFilter, dayFilter } = state;

  const placesShown = useMemo(
    () => placeTiles(destinations.data, places),
    [destinations.data, places],
  );
  const placePicker: Picker<Place> = {
    source: destinations,
    state: state.places,
    view: usePickerView(placesShown, state.places),
    dispatch: (event) => dispatch({ type: "places", event }),
    onPick: (picked) =>
      dispatch({ type: "place-picked", place: foundBy(picked, state.places.query, places) }),
  };

  const within = place?.kind === "region" ? place.within : undefined;
  const all = useMemo(
    () => plansWithin(offers.data?.list ?? NO_PLANS, within),
    [offers.data, within],
  );
  const plansShown = useMemo(
    () =>
      filterPlans(all, { dataFilter, dayFilter }).map((plan) => ({
        id: plan.offerId,
        name: plans.title(plan),
        item: plan,
      })),
    [all, dataFilter, dayFilter, plans],
  );
  const planPicker: Picker<PosEsimOffer> = {
    source: offers,
    state: state.plans,
    view: usePickerView(plansShown, state.plans),
    dispatch: (event) => dispatch({ type: "plans", event }),
    cannotPay: wallet.cannotPay,
    onPick: pickPlan,
  };

  return { placePicker, planPicker, dataChoices: dataChoices(all), dayChoices: dayChoices(all) };
}

function plansWithin(plans: readonly PosEsimOffer[], country: string | undefined) {
  return country === undefined ? plans : plans.filter(({ roaming }) => roaming.includes(country));
}

/** Picks the plan chosen in the number field, once the plans are loaded. */
function useWantedPlan(
  { state, dispatch }: FamilyContext<EsimTypes>,
  { offers, wallet }: EsimAnswers,
  { pickPlan }: EsimActions,
): void {
  const { wantedPlan, step } = state;
  const choose = useEffectEvent(() => {
    const plan = offers.data?.list.find(({ offerId }) => offerId === wantedPlan);
    dispatch({ type: "wanted-gone" });
    if (plan && step === "plan" && !wallet.cannotPay(plan)) {
      pickPlan(plan);
    }
  });
  const isListed = offers.data !== undefined;
  useLayoutEffect(() => {
    if (wantedPlan !== undefined && isListed) {
      choose();
    }
  }, [wantedPlan, isListed]);
}

interface EsimWords {
  readonly places: PlaceWords;
  readonly plans: PlanWords;
}

type EsimActions = ReturnType<typeof esimActions>;

function esimActions(
  { state, dispatch, compose, items }: FamilyContext<EsimTypes>,
  { held, pauseOfBrand }: EsimAnswers,
  words: EsimWords,
) {
  const { place, own } = state;

  function finish(plan: PosEsimOffer) {
    compose(
      itemOfPlan(plan, {
        title: words.plans.title(plan),
        place: place ? nameOfPlace(place, words.places) : "",
        own,
      }),
    );
  }

  return {
    pickPlan: (plan: PosEsimOffer) => {
      if (pauseOfBrand(plan.brand)?.byHand) {
        return;
      }
      // If the sale already contains a new eSIM, the clerk has asked about the phone.
      const deviceAsked = items.some(
        (item) => item.place !== undefined && item.iccid === undefined,
      );
      const asksDevice = own === undefined && !deviceAsked;
      dispatch({ type: "plan-picked", plan, asksDevice });
      if (!asksDevice) {
        finish(plan);
      }
    },
    enterIccid: () => {
      if (held.data) {
        const { iccid, brand, brandName, country } = held.data;
        dispatch({
          type: "iccid-known",
          own: { iccid, brand },
          place: country ? { kind: "country", country } : { kind: "brand", brandName },
        });
      }
    },
    confirmDevice: () => {
      if (state.plan && !state.isUnfit) {
        finish(state.plan);
      }
    },
  };
}

interface PlanLine {
  readonly title: string;
  /** Requested destination, in the clerk's language. */
  readonly place: string;
  readonly own: OwnEsim | undefined;
}

function itemOfPlan(plan: PosEsimOffer, { title, place, own }: PlanLine): LineItem {
  return {
    ...lineOfOffer(plan),
    title,
    place,
    ...(plan.country === "" && { area: { regions: plan.regions, countries: plan.roaming } }),
    ...(own && { iccid: own.iccid }),
  };
}

type EsimAnswers = ReturnType<typeof useEsimAnswers>;

function useEsimAnswers({ state, isOpen }: FamilyContext<EsimTypes>) {
  const language = useTranslation().i18n.language;
  const { place, own, iccidText } = state;
  const brands = useQuery(brandsQuery("ESIM", isOpen));
  const wanted = place && { ...queryOfPlace(place), ...(own && { brand: own.brand }) };
  const iccidIsWhole = iccidProblem(iccidText) === undefined;
  return {
    destinations: useQuery(destinationsQuery(isOpen)),
    offers: useQuery(offersOfQuery("ESIM", wanted, language)),
    held: useQuery(esimQuery(iccidIsWhole ? iccidText : undefined)),
    wallet: useWalletReach(),
    pauseOfBrand: (brand: string | undefined): Pause | undefined =>
      pauseOf(brands.data?.list.find((one) => one.brand === brand)),
  };
}

interface Place {
  readonly place: Destination;
  readonly offers: number;
  readonly fromPrice: number;
  /** Countries that the region's plans cover. Searching for one also finds the region. */
  readonly countries: readonly string[];
}

function nameOfPlace(place: Destination, words: PlaceWords): string {
  switch (place.kind) {
    case "country":
      return words.country(place.country);
    case "region":
      return place.within === undefined
        ? words.region(place.region)
        : `${words.region(place.region)} · ${words.country(place.within)}`;
    case "brand":
      return place.brandName;
  }
}

/** The whole world, then regions, then countries, each sorted by name. */
function placeTiles(
  destinations: EsimDestinations | undefined,
  words: PlaceWords,
): readonly PickerTile<Place>[] {
  const { compare } = new Intl.Collator(words.locale);
  return placesOf(destinations)
    .map((one) => ({
      id: idOf(one.place),
      name: nameOfPlace(one.place, words),
      also: one.countries.map(words.country),
      item: one,
    }))
    .sort((a, b) => rankOf(a.item) - rankOf(b.item) || compare(a.name, b.name));
}

function rankOf({ place }: Place): number {
  if (place.kind !== "region") return 2;
  return place.region === "Global" ? 0 : 1;
}

/**
 * Limits a region to one country if the search matched that country's name and not the region's.
 */
function foundBy({ place, countries }: Place, query: string, words: PlaceWords): Destination {
  if (place.kind !== "region" || query.trim() === "") return place;
  if (isFoundBy(words.region(place.region), query)) return place;
  const [within, ...others] = countries.filter((code) => isFoundBy(words.country(code), query));
  return within === undefined || others.length > 0 ? place : { ...place, within };
}

function queryOfPlace(place: Destination) {
  switch (place.kind) {
    case "country":
      return { country: place.country };
    case "region":
      return { region: place.region };
    case "brand":
      return {};
  }
}

function placesOf(destinations: EsimDestinations | undefined): readonly Place[] {
  if (!destinations) {
    return [];
  }
  const { countries, regions, global } = destinations;
  return [
    ...(global ? [{ place: { kind: "region", region: "Global" } as const, ...global }] : []),
    ...regions.map(({ region, ...rest }) => ({
      place: { kind: "region", region } as const,
      ...rest,
    })),
    ...countries.map(({ country, ...rest }) => ({
      place: { kind: "country", country } as const,
      countries: [],
      ...rest,
    })),
  ];
}

function idOf(place: Destination): string {
  switch (place.kind) {
    case "country":
      return place.country;
    case "region":
      return place.region;
    case "brand":
      return place.brandName;
  }
}
