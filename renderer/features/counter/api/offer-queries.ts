import { queryOptions, skipToken } from "@tanstack/react-query";
import { counterOperations, type PosBillInput } from "../../../../server/contract/pos/counter.ts";
import type { Family } from "../../../../server/contract/pos/families.ts";
import type { PosOffer, PosOfferQuery, PosOffers } from "../../../../server/contract/pos/offers.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** The catalog seldom changes. After a change, a `shop` event marks the cached offers stale. */
const STALE_MS = 60_000;

export function brandsQuery(productType: Family, enabled: boolean) {
  return {
    ...operationQuery(counterOperations.listBrands, { query: { productType } }),
    staleTime: STALE_MS,
    enabled,
  };
}

type Place = Pick<PosOfferQuery, "country" | "region" | "brand">;

/** Disabled without a place or a brand. Includes promotions, in `language` if translated. */
export function offersOfQuery<Asked extends Family>(
  productType: Asked,
  place: Place | undefined,
  language: string,
) {
  return queryOptions({
    ...operationQuery(
      counterOperations.listOffers,
      place ? { query: { productType, ...place, language } } : skipToken,
    ),
    select: (offers) => offersOf(productType, offers),
    staleTime: STALE_MS,
  });
}

/** Narrows only the type: all offers belong to the requested family. */
function offersOf<Asked extends Family>(productType: Asked, { list, promos }: PosOffers) {
  const isAsked = (offer: PosOffer): offer is Extract<PosOffer, { productType: Asked }> =>
    offer.productType === productType;
  return { list: list.filter(isAsked), promos };
}

export function destinationsQuery(enabled: boolean) {
  return {
    ...operationQuery(counterOperations.listEsimDestinations),
    staleTime: STALE_MS,
    enabled,
  };
}

export function esimQuery(iccid: string | undefined) {
  return {
    ...operationQuery(counterOperations.findEsim, iccid ? { params: { iccid } } : skipToken),
    staleTime: 10_000,
  };
}

/** Cached for a minute, because the gateway compares the payment with this bill. */
export function billQuery(input: PosBillInput | undefined) {
  return {
    ...operationQuery(counterOperations.retrieveBill, input ? { body: input } : skipToken),
    staleTime: 60_000,
  };
}
