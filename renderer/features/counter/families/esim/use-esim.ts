import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { EsimDestinations } from "../../../../../server/contract/pos/esims.ts";
import type { PosEsimOffer } from "../../../../../server/contract/pos/offers.ts";
import type { PlaceWords } from "../../../../lib/destination.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { usePlaceWords } from "../../../../lib/use-place-words.ts";
import {
  brandsQuery,
  destinationsQuery,
  esimQuery,
  offersOfQuery,
} from "../../api/offer-queries.ts";
import type { Picker } from "../../picker/tiles/picker-control.ts";
import { isFoundBy } from "../../picker/tiles/picker-index.ts";
import { usePickerView } from "../../picker/tiles/use-picker-view.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";
import { pauseOf } from "../../ui/pause.ts";
import { promosOn } from "../../ui/promos-on.ts";
import { useWalletReach } from "../../ui/use-wallet-reach.ts";
import type { Destination, EsimEvent, EsimState } from "./esim-state.ts";
import { iccidProblem } from "./iccid.ts";
import { dataChoices, dayChoices, filterPlans } from "./plan-filters.ts";
import { usePlanWords } from "./plan-words.ts";

export type Esim = ReturnType<typeof useEsim>;

/** A place on the picker, with how many plans work there and what the cheapest costs. */
export interface Place {
  readonly place: Destination;
  readonly offers: number;
  readonly fromPrice: number;
  /** For a region, where one of its plans works: it is found by these countries, too. */
  readonly countries: readonly string[];
}

const NO_PLANS: readonly PosEsimOffer[] = [];

interface Options {
  /** The family is shown: what the picker needs is asked for. */
  readonly isOpen: boolean;
  /** Another new eSIM is in the sale already, so the phone was checked. */
  readonly deviceAsked: boolean;
}

/** The machine of an eSIM joined to the gateway: what it knows and what can be done. */
export function useEsim(
  state: EsimState,
  dispatch: (event: EsimEvent) => void,
  compose: (item: LineItem) => void,
  { isOpen, deviceAsked }: Options,
) {
  const format = useFormat();
  const language = useTranslation().i18n.language;
  const wallet = useWalletReach();
  const planWords = usePlanWords();
  const places = usePlaceWords();
  const destinations = useQuery(destinationsQuery(isOpen));
  const brands = useQuery(brandsQuery("ESIM", isOpen));
  const nameOf = useCallback(
    (one: Destination): string => {
      switch (one.kind) {
        case "country":
          return format.country(one.country);
        case "region":
          return one.within === undefined
            ? places.region(one.region)
            : `${places.region(one.region)} · ${places.country(one.within)}`;
        case "brand":
          return one.brandName;
      }
    },
    [format, places],
  );
  const placeTiles = useMemo(
    () =>
      placesOf(destinations.data).map((one) => ({
        id: idOf(one.place),
        name: nameOf(one.place),
        also: one.countries.map(places.country),
        item: one,
      })),
    [destinations.data, nameOf, places],
  );
  const { place, own, dataFilter, dayFilter } = state;
  const offers = useQuery(
    offersOfQuery(
      "ESIM",
      place && { ...queryOf(place), ...(own && { brand: own.brand }) },
      language,
    ),
  );
  const within = place?.kind === "region" ? place.within : undefined;
  const all = useMemo(
    () => plansWithin(offers.data?.list ?? NO_PLANS, within),
    [offers.data, within],
  );
  const planTiles = useMemo(
    () =>
      filterPlans(all, { dataFilter, dayFilter }).map((plan) => ({
        id: plan.offerId,
        name: planWords.title(plan),
        item: plan,
      })),
    [all, dataFilter, dayFilter, planWords],
  );
  const iccidIsWhole = iccidProblem(state.iccidText) === undefined;
  const held = useQuery(esimQuery(iccidIsWhole ? state.iccidText : undefined));

  function pauseOfBrand(brand: string | undefined) {
    return pauseOf(brands.data?.list.find((one) => one.brand === brand));
  }

  function finish(plan: PosEsimOffer) {
    compose(itemOf(plan));
  }

  function itemOf(plan: PosEsimOffer): LineItem {
    const { offerId, brand, brandName, brandColor, country, price } = plan;
    return {
      productType: "ESIM",
      offerId,
      brand,
      brandName,
      brandColor,
      country,
      title: planWords.title(plan),
      place: place ? nameOf(place) : "",
      ...(country === "" && { area: { regions: plan.regions, countries: plan.roaming } }),
      price: (price.fixed ?? 0) + price.fee,
      priceCurrency: price.currency,
      priceCurrencyDivisor: price.currencyDivisor,
      ...(own && { iccid: own.iccid }),
    };
  }

  const placePicker: Picker<Place> = {
    source: destinations,
    state: state.places,
    view: usePickerView(placeTiles, state.places),
    dispatch: (event) => dispatch({ type: "places", event }),
    onPick: (picked) =>
      dispatch({ type: "place-picked", place: foundBy(picked, state.places.query, places) }),
  };
  const planPicker: Picker<PosEsimOffer> = {
    source: offers,
    state: state.plans,
    view: usePickerView(planTiles, state.plans),
    dispatch: (event) => dispatch({ type: "plans", event }),
    cannotPay: wallet.cannotPay,
    onPick: (plan) => {
      if (pauseOfBrand(plan.brand)?.byHand) {
        return;
      }
      const asksDevice = own === undefined && !deviceAsked;
      dispatch({ type: "plan-picked", plan, asksDevice });
      if (!asksDevice) {
        finish(plan);
      }
    },
  };

  return {
    state,
    dispatch,
    promosOn: promosOn(offers.data),
    placePicker,
    planPicker,
    nameOf,
    dataChoices: dataChoices(all),
    dayChoices: dayChoices(all),
    /** The eSIM of the typed ICCID, as it was sold here. */
    held,
    /** Of the plan that was picked, or is under the arrow keys. */
    pause: pauseOfBrand((state.plan ?? planPicker.view.chosen?.item)?.brand),
    pauseOfBrand,
    /** On to the plans that fit the eSIM of the typed ICCID. */
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
    /** The clerk confirms that the phone shows an EID. */
    confirmDevice: () => {
      if (state.plan && !state.isUnfit) {
        finish(state.plan);
      }
    },
  };
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

/** A region that a country led to is meant for that country, if it was one alone. */
function foundBy({ place, countries }: Place, query: string, words: PlaceWords): Destination {
  if (place.kind !== "region" || query.trim() === "") return place;
  if (isFoundBy(words.region(place.region), query)) return place;
  const [within, ...others] = countries.filter((code) => isFoundBy(words.country(code), query));
  return within === undefined || others.length > 0 ? place : { ...place, within };
}

function plansWithin(plans: readonly PosEsimOffer[], country: string | undefined) {
  return country === undefined ? plans : plans.filter(({ roaming }) => roaming.includes(country));
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

function queryOf(place: Destination) {
  switch (place.kind) {
    case "country":
      return { country: place.country };
    case "region":
      return { region: place.region };
    case "brand":
      return {};
  }
}
