import { cashEndings, smallestCash } from "../../../contract/pos/cash-endings.ts";
import type { StoredPriceList } from "../../../contract/pos/prices.ts";
import type { Offer, Price, TopupOffer } from "../../../contract/v1/offers.ts";
import type { PricingTerms } from "../../../lib/money.ts";
import { keepFixed, type PricedByRule, priceFixedAtFace } from "./fixed-price.ts";
import { PriceGrid } from "./price-grid.ts";
import { keepRange, keepRangeOnGrid, priceRangeAtFace } from "./range-price.ts";
import type { ShopMoney } from "./shop-money.ts";

/** Prices offers that no rule matches (rules#price-defaults). */
export class DefaultPrices {
  readonly #money: ShopMoney;
  readonly #hasFaceValue: boolean;
  /** Grid for a suggested price that is raised to the floor. */
  readonly #grid: PriceGrid;
  /** If undefined, FIXED prices stay as suggested. */
  readonly #endings: PriceGrid | undefined;
  /** Grid for RANGE prices: a single step by default, because a range has one increment. */
  readonly #rangeEndings: PriceGrid | undefined;

  constructor(
    { defaults, rounding }: Pick<StoredPriceList, "defaults" | "rounding">,
    money: ShopMoney,
  ) {
    const { currency, currencyDivisor } = money.terms;
    const coins = [{ step: smallestCash(currency, currencyDivisor), offset: 0 }];
    const hasEndings = defaults?.cashEndings === true;
    this.#money = money;
    this.#hasFaceValue = defaults?.faceValue === true;
    this.#grid = new PriceGrid(rounding);
    if (!hasEndings) return;
    this.#endings = new PriceGrid(rounding ?? cashEndings(currency, currencyDivisor));
    this.#rangeEndings = new PriceGrid(rounding ?? { direction: "UP", bands: coins });
  }

  /** @param suggested the offer's price in the shop's currency */
  price(offer: Offer, suggested: Price): Omit<PricedByRule, "rule"> {
    const money = this.#money;
    const face = this.#hasFaceValue ? getFaceValue(offer, money.terms) : undefined;
    if (offer.priceType === "FIXED") {
      const { fixed = 0 } = face ?? {};
      const atFace =
        fixed > 0 ? priceFixedAtFace(offer, { suggested, face: fixed, money }) : undefined;
      return (
        atFace ?? keepFixed(offer, suggested, { money, grid: this.#grid, endings: this.#endings })
      );
    }
    const grid = this.#rangeEndings;
    return (
      (face && priceRangeAtFace(offer, { suggested, face, money, grid })) ??
      (grid && keepRangeOnGrid(offer, { suggested, money, grid })) ??
      keepRange(offer, suggested, money)
    );
  }
}

/**
 * Returns undefined unless the offer is a top-up in the shop's country and currency
 * (rules#price-face-value).
 */
function getFaceValue(offer: Offer, terms: PricingTerms): TopupOffer["send"] | undefined {
  if (offer.productType !== "TOPUP" || !("send" in offer)) return undefined;
  const { country, send } = offer;
  const isDomestic =
    country === terms.country &&
    send.currency === terms.currency &&
    send.currencyDivisor === terms.currencyDivisor;
  return isDomestic ? send : undefined;
}
