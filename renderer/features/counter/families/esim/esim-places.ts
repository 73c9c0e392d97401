import type { EsimDestinations } from "../../../../../server/contract/pos/esims.ts";
import type { PlaceWords } from "../../../../lib/destination.ts";
import { isFoundBy, type PickerTile } from "../../picker/tiles/picker-index.ts";
import type { Destination } from "./esim-state.ts";

/** A place on the picker, with how many plans work there and what the cheapest costs. */
export interface Place {
  readonly place: Destination;
  readonly offers: number;
  readonly fromPrice: number;
  /** For a region, where one of its plans works: it is found by these countries, too. */
  readonly countries: readonly string[];
}

export function nameOfPlace(place: Destination, words: PlaceWords): string {
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

/** The whole world first, then regions, then countries. */
export function placeTiles(
  destinations: EsimDestinations | undefined,
  words: PlaceWords,
): readonly PickerTile<Place>[] {
  return placesOf(destinations).map((one) => ({
    id: idOf(one.place),
    name: nameOfPlace(one.place, words),
    also: one.countries.map(words.country),
    item: one,
  }));
}

/** A region that a country led to is meant for that country, if it was one alone. */
export function foundBy(
  { place, countries }: Place,
  query: string,
  words: PlaceWords,
): Destination {
  if (place.kind !== "region" || query.trim() === "") return place;
  if (isFoundBy(words.region(place.region), query)) return place;
  const [within, ...others] = countries.filter((code) => isFoundBy(words.country(code), query));
  return within === undefined || others.length > 0 ? place : { ...place, within };
}

/** How the gateway is asked for the plans of a place. */
export function queryOfPlace(place: Destination) {
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
