import { queryOptions, skipToken } from "@tanstack/react-query";
import { counterOperations, type PosBillInput } from "../../../../server/contract/pos/counter.ts";
import type { Family } from "../../../../server/contract/pos/families.ts";
import type { PosOffer, PosOfferQuery, PosOffers } from "../../../../server/contract/pos/offers.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** The catalog seldom changes; a `shop` event marks these answers stale. */
const STALE_MS = 60_000;

export function brandsQuery(productType: Family, enabled: boolean) {
  return queryOptions({
    ...operationQuery(counterOperations.listBrands, { query: { productType } }),
    staleTime: STALE_MS,
    enabled,
  });
}

type Place = Pick<PosOfferQuery, "country" | "region" | "brand">;

/**
 * Offers of a place or a brand; disabled until one of them is given. The answer includes promotions
 * on these offers, in `language` where a translation exists.
 */
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

/** Narrows the type of the offers. All offers belong to the requested family already. */
function offersOf<Asked extends Family>(productType: Asked, { list, promos }: PosOffers) {
  const isAsked = (offer: PosOffer): offer is Extract<PosOffer, { productType: Asked }> =>
    offer.productType === productType;
  return { list: list.filter(isAsked), promos };
}

export function destinationsQuery(enabled: boolean) {
  return queryOptions({
    ...operationQuery(counterOperations.listEsimDestinations),
    staleTime: STALE_MS,
    enabled,
  });
}

/** An eSIM that this shop sold, with its remaining data. */
export function esimQuery(iccid: string | undefined) {
  return queryOptions({
    ...operationQuery(counterOperations.findEsim, iccid ? { params: { iccid } } : skipToken),
    staleTime: 10_000,
  });
}

/**
 * The amount due at a biller. Not repeated within a minute: the payment is compared with this bill.
 */
export function billQuery(input: PosBillInput | undefined) {
  return queryOptions({
    ...operationQuery(counterOperations.retrieveBill, input ? { body: input } : skipToken),
    staleTime: 60_000,
  });
}
