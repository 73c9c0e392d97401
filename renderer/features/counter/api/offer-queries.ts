import { queryOptions, skipToken } from "@tanstack/react-query";
import { counterOperations, type PosBillInput } from "../../../../server/contract/pos/counter.ts";
import type { Family } from "../../../../server/contract/pos/families.ts";
import type { PosOffer, PosOfferQuery, PosOffers } from "../../../../server/contract/pos/offers.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

/** What the catalog sells changes seldom; a `shop` event marks it stale. */
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
 * Asked for once there is a place or a brand to ask for. Promotions on them come with them, in the
 * language where there is one.
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

/** Those of one family, which are all there are where that family was asked for. */
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

/** An eSIM that was sold here, and what is left on it. */
export function esimQuery(iccid: string | undefined) {
  return queryOptions({
    ...operationQuery(counterOperations.findEsim, iccid ? { params: { iccid } } : skipToken),
    staleTime: 10_000,
  });
}

/** What a biller says is due. Asked once for what was typed: the payment is held against it. */
export function billQuery(input: PosBillInput | undefined) {
  return queryOptions({
    ...operationQuery(counterOperations.retrieveBill, input ? { body: input } : skipToken),
    staleTime: 60_000,
  });
}
