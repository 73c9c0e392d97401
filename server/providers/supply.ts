import type { Offer } from "../contract/v1/offers.ts";

/** Id of the provider that a shop connected first. Offers and purchases without an id are its own. */
export const FIRST_PROVIDER = "first";

/** Asks for any connected provider. No provider has this id. */
export const ANY_PROVIDER = "any";

/** The provider that delivers an offer, and the provider's own id of the offer. */
export interface Supply {
  providerId: string;
  productId: string;
}

/** A symbol, so that no response and no stored offer contains the supply. Copies keep it. */
const SUPPLY = Symbol("supply");

/** Returns the same offer with its supply. An offer of the first provider needs none. */
export function withSupply<Supplied extends Offer>(offer: Supplied, supply: Supply): Supplied {
  return Object.assign(offer, { [SUPPLY]: supply });
}

export function findSupply(offer: Offer): Supply | undefined {
  return (offer as { [SUPPLY]?: Supply })[SUPPLY];
}

/** A symbol for the same reasons as that of the supply. */
const PRODUCT_IDS = Symbol("product ids");

/** Returns the same offer with the ids of all offers of its product, also its own. */
export function withProductIds(offer: Offer, ids: readonly string[]): Offer {
  return Object.assign(offer, { [PRODUCT_IDS]: ids });
}

/** Returns the ids of all offers that several providers state for the offer's product. */
export function listProductIds(offer: Offer): readonly string[] {
  return (offer as { [PRODUCT_IDS]?: readonly string[] })[PRODUCT_IDS] ?? [offer.offerId];
}

/**
 * Returns our id for a provider's id. Ids of the first provider stay. Other ids name the provider,
 * so that they stay if another provider later has the same id.
 */
export function toOwnId(id: string, providerId: string): string {
  return providerId === FIRST_PROVIDER ? id : `${id}:${providerId}`;
}

/** Returns the provider's id for one of our ids; undefined if it is not an id of the provider. */
export function findProductId(ownId: string, providerId: string): string | undefined {
  const end = toOwnId("", providerId);
  return end !== "" && ownId.endsWith(end) ? ownId.slice(0, -end.length) : undefined;
}

/** Returns the value of a column in which the first provider is null. */
export function toProviderColumn(providerId: string): string | null {
  return providerId === FIRST_PROVIDER ? null : providerId;
}
