import { Problem } from "../../contract/problem.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import { sectionOf } from "./catalog-content.ts";
import { ORDERED } from "./catalog-schema.ts";
import type { PreparedOffer } from "./catalog-snapshot.ts";

/** @throws Problem OFFER_NOT_FOUND or OFFER_DISABLED */
export function forSale<Wanted extends Offer>(
  offer: Wanted | undefined,
  offerId: string,
  family?: string,
): Wanted {
  if (!offer) {
    throw new Problem(
      "OFFER_NOT_FOUND",
      `There is no ${family === undefined ? "" : `${family} `}offer ${offerId}.`,
      { offerId: `is not an offer${family === undefined ? "" : " of this product family"}` },
    );
  }
  if (!offer.enabled) {
    throw new Problem("OFFER_DISABLED", `The offer ${offerId} is not sold at present.`, {
      offerId: "is disabled",
    });
  }
  return offer;
}

/** Most texts are never asked for while their copy lives: each is written when it first is. */
export function prepare(offer: Offer): PreparedOffer {
  let text: string | undefined;
  return {
    offer,
    get text() {
      text ??= JSON.stringify(inOrder(offer));
      return text;
    },
  };
}

/** Pricing puts the price's fields in an order of its own. */
function inOrder(offer: Offer): Offer {
  return ORDERED[sectionOf(offer.productType)](offer);
}
