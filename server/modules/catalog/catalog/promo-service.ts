import type { CatalogPromo } from "../../../contract/catalog-content.ts";
import { toLanguage } from "../../../contract/common.ts";
import { PROMOTED_FAMILIES } from "../../../contract/pos/families.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Promo, PromoQuery, PromoStatus } from "../../../contract/v1/promos.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Unit } from "../../../lib/money.ts";
import type { CatalogService } from "./catalog-service.ts";
import type { CatalogSnapshot } from "./catalog-snapshot.ts";
import { sendUnitOf } from "./offer-quote.ts";

const UNKNOWN: Unit = { currency: "", currencyDivisor: 1 };

const remembered = new WeakMap<CatalogSnapshot, Map<string, Unit>>();

type PromoFilter = Pick<PromoQuery, "brand" | "country" | "language" | "region" | "status">;

/** Statuses depend on the clock (rules#promo-status). */
export class PromoService {
  readonly #catalog: CatalogService;
  readonly #clock: Clock;

  constructor(catalog: CatalogService, clock: Clock) {
    this.#catalog = catalog;
    this.#clock = clock;
  }

  /** Returns promotions newest first, then by id. */
  async list(
    scope: Scope,
    filter: PromoFilter,
    page: { limit: number; offset: number },
  ): Promise<{ total: number; list: Promo[] }> {
    const { brand, country, language, region, status } = filter;
    const countries = country?.split(",");
    const snapshot = await this.#catalog.getSnapshot(scope);
    const found = snapshot.promos
      .filter(
        (promo) =>
          (brand === undefined || promo.brand.brand === brand) &&
          (countries === undefined || countries.includes(promo.country)) &&
          (region === undefined || promo.regions === region),
      )
      .map((promo) => this.#view(snapshot, promo, language))
      .filter((promo) => status === undefined || promo.status === status);
    return { total: found.length, list: found.slice(page.offset, page.offset + page.limit) };
  }

  /** @throws Problem NOT_FOUND */
  async get(scope: Scope, promoId: string): Promise<Promo> {
    const promo = await this.find(scope, promoId);
    if (!promo) throw new Problem("NOT_FOUND", `There is no promotion ${promoId}.`);
    return promo;
  }

  async find(scope: Scope, promoId: string): Promise<Promo | undefined> {
    const snapshot = await this.#catalog.getSnapshot(scope);
    const promo = snapshot.promos.find(({ id }) => id === promoId);
    return promo && this.#view(snapshot, promo, undefined);
  }

  #view(
    snapshot: CatalogSnapshot,
    { descriptions, ...promo }: CatalogPromo,
    language: string | undefined,
  ): Promo {
    const wanted = language === undefined ? undefined : toLanguage(language);
    const description =
      descriptions.find((candidate) => candidate.language === wanted) ?? promo.description;
    const unit = getPromoUnit(snapshot, promo);
    const { id, brand, country, regions, minValue, maxValue, ...times } = promo;
    const { createdAt, updatedAt, startAt, endAt } = times;
    // The order of the response, because a webhook sends the same bytes.
    return {
      id,
      brand,
      country,
      regions,
      status: this.#getStatus(promo),
      createdAt,
      updatedAt,
      startAt,
      endAt,
      minValue,
      maxValue,
      ...unit,
      description,
    };
  }

  #getStatus({ startAt, endAt }: Pick<Promo, "startAt" | "endAt">): PromoStatus {
    const now = this.#clock.now();
    if (now < Date.parse(startAt)) return "pending";
    return now < Date.parse(endAt) ? "active" : "expired";
  }
}

/**
 * Returns the unit of `minValue` and `maxValue`: the delivered unit of the brand's offers in the
 * country, or the unit of their cost if they deliver no money (eSIMs). Without such an offer, the
 * currency is empty.
 */
function getPromoUnit(snapshot: CatalogSnapshot, promo: PromoPlace): Unit {
  const units = remembered.get(snapshot) ?? new Map<string, Unit>();
  remembered.set(snapshot, units);
  const key = JSON.stringify([promo.brand.brand, promo.country]);
  const unit = units.get(key) ?? readUnit(snapshot, promo);
  units.set(key, unit);
  return unit;
}

type PromoPlace = Pick<CatalogPromo, "brand" | "country">;

function readUnit(snapshot: CatalogSnapshot, { brand: { brand }, country }: PromoPlace): Unit {
  const place = country === "" ? {} : { country };
  for (const family of PROMOTED_FAMILIES) {
    const [found] = snapshot.list(family, { brand, ...place });
    if (!found) continue;
    const { currency, currencyDivisor } = sendUnitOf(found.offer);
    return { currency, currencyDivisor };
  }
  return UNKNOWN;
}
