import type { PosOffer, PosOfferPromo } from "../../contract/pos/offers.ts";
import type { PosPromo, PosPromoQuery } from "../../contract/pos/promos.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import type { Scope } from "../../db/changes.ts";
import type { CatalogService, PromoService } from "../catalog/index.ts";
import type { ShopService } from "../shop/index.ts";
import { CounterCatalog } from "./counter-catalog.ts";
import { inShopPrices } from "./promo-prices.ts";

interface Parts {
  catalog: CatalogService;
  promos: PromoService;
  shop: ShopService;
}

/** Promotions, as far as the counter tells customers of them. */
export class PromoCounterService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Promotions that run now on what is sold here, in the language asked for, else the shop's, else
   * English; those that end first come first.
   */
  async list(scope: Scope, query: PosPromoQuery): Promise<PosPromo[]> {
    const { catalog, promos, shop } = this.#parts;
    const terms = await shop.get(scope.accountId);
    const language = query.language ?? terms.language;
    const page = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };
    const { list } = await promos.list(scope, { ...query, language, status: "active" }, page);
    const snapshot = await catalog.getSnapshot(scope);
    const counter = CounterCatalog.of(snapshot);
    return list
      .flatMap((promo): PosPromo[] => {
        const { country, startAt, endAt, minValue, maxValue, description } = promo;
        const { brand, brandName } = promo.brand;
        const offer = findSold(counter, brand, country);
        // Nothing of that brand is sold here: nothing to tell of.
        if (!offer) return [];
        const unit = "send" in offer ? offer.send : undefined;
        // Where nothing is delivered in money, what the text names are prices before the shop's rate.
        const paidIn = unit ? undefined : snapshot.offersById.get(offer.offerId)?.cost;
        const said = (text: string) => (paidIn ? inShopPrices(text, paidIn, terms) : text);
        return [
          {
            promoId: promo.id,
            brand,
            brandName,
            country,
            startAt,
            endAt,
            minValue,
            maxValue,
            ...(unit && { currency: unit.currency, currencyDivisor: unit.currencyDivisor }),
            ...description,
            description: said(description.description),
            terms: said(description.terms),
          },
        ];
      })
      .sort((a, b) => a.endAt.localeCompare(b.endAt));
  }

  /** Those that apply to what is delivered of an offer, minor units of what it delivers. */
  async listFor(
    scope: Scope,
    offer: Offer,
    { send, language }: { send: number; language: string | undefined },
  ): Promise<PosPromo[]> {
    const promos = await this.list(scope, {
      brand: offer.brand,
      ...(language !== undefined && { language }),
    });
    return promos.filter((promo) => isOn(promo, offer) && applies(promo, { min: send, max: send }));
  }

  /** Those that apply to any of the offers that are shown together, each with its offers. */
  async listOn(
    scope: Scope,
    offers: readonly PosOffer[],
    language: string | undefined,
  ): Promise<PosOfferPromo[]> {
    const promos = await this.list(scope, language === undefined ? {} : { language });
    return promos.flatMap((promo) => {
      const on = offers.filter((offer) => isOn(promo, offer) && applies(promo, sendOf(offer)));
      return on.length > 0 ? [{ ...promo, offerIds: on.map(({ offerId }) => offerId) }] : [];
    });
  }
}

type Range = Record<"min" | "max", number>;

function isOn(promo: PosPromo, offer: Pick<Offer, "brand" | "country" | "productType">): boolean {
  return (
    promo.brand === offer.brand &&
    // What is sold is promoted; bills of the same brand are none of that.
    offer.productType !== "BILL_PAY" &&
    (promo.country === "" || promo.country === offer.country) &&
    // One without a currency is of eSIMs, and those have none but that.
    (promo.currency === undefined) === (offer.productType === "ESIM")
  );
}

/** Whether it applies to any of these amounts; those of eSIMs deliver none. */
function applies({ currency, minValue, maxValue }: PosPromo, { min, max }: Range): boolean {
  return currency === undefined || (max >= minValue && (maxValue === 0 || min <= maxValue));
}

function sendOf(offer: PosOffer): Range {
  if (!("send" in offer)) return { min: 0, max: 0 };
  const { fixed, min = 0, max = 0 } = offer.send;
  return fixed === undefined ? { min, max } : { min: fixed, max: fixed };
}

/** Something of a brand that a promotion in a country may be on. */
function findSold(catalog: CounterCatalog, brand: string, country: string): PosOffer | undefined {
  const place = country === "" ? {} : { country };
  return (["TOPUP", "VOUCHER", "ESIM"] as const)
    .map((productType) => catalog.list({ productType, brand, ...place })[0])
    .find((offer) => offer !== undefined);
}
