import { PROMOTED_FAMILIES } from "../../contract/pos/families.ts";
import type { PosOffer, PosOfferPromo } from "../../contract/pos/offers.ts";
import type { PosPromo, PosPromoQuery } from "../../contract/pos/promos.ts";
import type { Offer } from "../../contract/v1/offers.ts";
import type { Scope } from "../../db/changes.ts";
import type { CatalogService, PromoService } from "../catalog/index.ts";
import { CounterCatalog } from "../counter-catalog/index.ts";
import type { ShopService } from "../shop/index.ts";
import { inShopPrices } from "./promo-prices.ts";
import { type Promised, promisedFor, type RunningPromo } from "./promo-rules.ts";

interface Deps {
  catalog: CatalogService;
  promos: PromoService;
  shop: ShopService;
}

/** Promotions, as far as the counter tells customers of them. */
export class PromoCounterService {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Promotions that run now on what is sold here, in the language asked for, else the shop's, else
   * English; those that end first come first.
   */
  async list(scope: Scope, query: PosPromoQuery): Promise<PosPromo[]> {
    return (await this.#listRunning(scope, query)).map(({ promo }) => promo);
  }

  /** Those that apply to what is delivered of an offer, minor units of what it delivers, or may. */
  async listFor(
    scope: Scope,
    offer: Offer,
    { send, language }: { send: number; language: string | undefined },
  ): Promise<PosPromo[]> {
    const terms = await this.#deps.shop.get(scope.accountId);
    const running = await this.#listRunning(scope, {
      brand: offer.brand,
      ...(language !== undefined && { language }),
    });
    return running.flatMap((one) => {
      const promised = promisedFor(one, offer, { terms, send });
      if (promised === "NO") return [];
      return [promised === "YES" ? one.promo : { ...one.promo, may: true }];
    });
  }

  /** Those that apply to any of the offers that are shown together, or may, each with its offers. */
  async listOn(
    scope: Scope,
    offers: readonly PosOffer[],
    language: string | undefined,
  ): Promise<PosOfferPromo[]> {
    const terms = await this.#deps.shop.get(scope.accountId);
    const running = await this.#listRunning(scope, language === undefined ? {} : { language });
    return running.flatMap((one) => {
      const by = Map.groupBy(offers, (offer) => promisedFor(one, offer, { terms }));
      const idsOf = (promised: Promised) => (by.get(promised) ?? []).map(({ offerId }) => offerId);
      const [offerIds, mayOfferIds] = [idsOf("YES"), idsOf("MAY")];
      if (offerIds.length + mayOfferIds.length === 0) return [];
      const may = offerIds.length === 0 ? { may: true } : {};
      return [{ ...one.promo, ...may, offerIds, mayOfferIds }];
    });
  }

  async #listRunning(scope: Scope, query: PosPromoQuery): Promise<RunningPromo[]> {
    const { catalog, promos, shop } = this.#deps;
    const terms = await shop.get(scope.accountId);
    const language = query.language ?? terms.language;
    const page = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };
    const { list } = await promos.list(scope, { ...query, language, status: "active" }, page);
    const snapshot = await catalog.getSnapshot(scope);
    const counter = CounterCatalog.of(snapshot);
    const texts = new Map(
      snapshot.promos.map(({ id, description, descriptions }) => [
        id,
        [description, ...descriptions],
      ]),
    );
    return list
      .flatMap((running): RunningPromo[] => {
        const { id, country, startAt, endAt, minValue, maxValue, description } = running;
        const { currency, currencyDivisor } = running;
        const { brand, brandName } = running.brand;
        const offer = findSold(counter, brand, country);
        // Nothing of that brand is sold here: nothing to tell of.
        if (!offer) return [];
        const unit = "send" in offer ? offer.send : undefined;
        // Where nothing is delivered in money, what the text names are prices before the shop's rate.
        const said = (text: string) => (unit ? text : inShopPrices(text, { currency }, terms));
        const promo = {
          promoId: id,
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
        };
        const region = running.regions;
        return [{ promo, currency, currencyDivisor, region, texts: texts.get(id) ?? [] }];
      })
      .sort((a, b) => a.promo.endAt.localeCompare(b.promo.endAt));
  }
}

/** Something of a brand that a promotion in a country may be on. */
function findSold(catalog: CounterCatalog, brand: string, country: string): PosOffer | undefined {
  const place = country === "" ? {} : { country };
  return PROMOTED_FAMILIES.map(
    (productType) => catalog.list({ productType, brand, ...place })[0],
  ).find((offer) => offer !== undefined);
}
