import type { TopupSubtype } from "../../../../../server/contract/common.ts";
import type { PosTopupOffer } from "../../../../../server/contract/pos/offers.ts";
import { PAGE_SIZE } from "../../ui/page-size.ts";

const ORDER: readonly TopupSubtype[] = ["Mobile Top Up", "Mobile Bundle", "Mobile Data"];

export interface OfferView {
  readonly subTypes: readonly TopupSubtype[];
  readonly subType: TopupSubtype | undefined;
  readonly page: number;
  readonly pages: number;
  /** Tiles of the page. The digit of a tile is its index plus one. */
  readonly tiles: readonly PosTopupOffer[];
  readonly all: readonly PosTopupOffer[];
}

/** Selects the wanted tab and page. Replaces either of them if it does not exist. */
export function viewOffers(
  offers: readonly PosTopupOffer[],
  wanted: { readonly subType: TopupSubtype | undefined; readonly page: number },
): OfferView {
  const subTypes = ORDER.filter((subType) => offers.some((offer) => offer.subType === subType));
  const subType =
    wanted.subType && subTypes.includes(wanted.subType) ? wanted.subType : subTypes[0];
  const ofTab = withRangeInReach(offers.filter((offer) => offer.subType === subType));
  const pages = Math.max(1, Math.ceil(ofTab.length / PAGE_SIZE));
  const page = Math.min(Math.max(0, wanted.page), pages - 1);
  return {
    subTypes,
    subType,
    page,
    pages,
    all: ofTab,
    tiles: ofTab.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
  };
}

/** Moves "Any amount" to the last tile of the first page, because a later page would hide it. */
function withRangeInReach(offers: readonly PosTopupOffer[]): readonly PosTopupOffer[] {
  const index = offers.findIndex(({ priceType }) => priceType === "RANGE");
  const range = offers[index];
  if (!range || index < PAGE_SIZE) {
    return offers;
  }
  const others = offers.toSpliced(index, 1);
  return others.toSpliced(PAGE_SIZE - 1, 0, range);
}

/** Returns the next or previous tab. Wraps around at the ends. */
export function neighbourTab(view: OfferView, step: -1 | 1): TopupSubtype | undefined {
  const index = view.subType === undefined ? -1 : view.subTypes.indexOf(view.subType);
  const count = view.subTypes.length;
  return index < 0 ? undefined : view.subTypes[(index + step + count) % count];
}

/**
 * Returns the next or previous tile, or the first tile if none has the focus. Wraps around at the
 * ends.
 */
export function neighbourTile(
  view: OfferView,
  focused: string | undefined,
  step: -1 | 1,
): string | undefined {
  const count = view.tiles.length;
  const index = view.tiles.findIndex(({ offerId }) => offerId === focused);
  if (index < 0) {
    return view.tiles[step === 1 ? 0 : count - 1]?.offerId;
  }
  return view.tiles[(index + step + count) % count]?.offerId;
}

/** Key of each tab. It is the same in every language, so that clerks learn it once. */
export const TAB_LETTERS: Readonly<Record<TopupSubtype, string>> = {
  "Mobile Top Up": "t",
  "Mobile Bundle": "b",
  "Mobile Data": "d",
};

export function tabOfLetter(view: OfferView, letter: string): TopupSubtype | undefined {
  return view.subTypes.find((subType) => TAB_LETTERS[subType] === letter);
}
