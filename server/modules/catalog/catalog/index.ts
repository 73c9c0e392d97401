import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { CatalogBrand } from "../../../contract/catalog-content.ts";
import { Input, toLanguage } from "../../../contract/common.ts";
import { FACE_SHAPE, type FacedBrand, faceOf } from "../../../contract/faces/face.ts";
import { glyphOfBrand } from "../../../contract/faces/glyph-of-brand.ts";
import { FAMILIES, FAMILY_FACTS, wordsOf } from "../../../contract/pos/families.ts";
import { Problem } from "../../../contract/problem.ts";
import {
  BrandDetail,
  BrandPage,
  BrandParams,
  BrandQuery,
  RedemptionInstructions,
  RedemptionQuery,
} from "../../../contract/v1/brands.ts";
import { OFFER_SCHEMAS, OfferParams } from "../../../contract/v1/offers.ts";
import { Promo, PromoPage, PromoParams, PromoQuery } from "../../../contract/v1/promos.ts";
import type { Scope } from "../../../db/changes.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { CATALOG_ANSWER } from "../../../http/catalog-answers.ts";
import { preparedJson } from "../../../http/remembered-answers.ts";
import type { Base, Module } from "../../module.ts";
import { CatalogBrowser } from "./catalog-browser.ts";
import { CatalogChoiceService } from "./catalog-choice-service.ts";
import { CatalogMessages, MESSAGE_JOB, type Messages } from "./catalog-messages.ts";
import { CatalogService } from "./catalog-service.ts";
import { CatalogUpdateService } from "./catalog-update.ts";
import { CatalogWriter } from "./catalog-writer.ts";
import { PromoService } from "./promo-service.ts";

const FALLBACK_LANGUAGE = "en";

class BrandService {
  readonly #catalog: CatalogService;

  constructor(catalog: CatalogService) {
    this.#catalog = catalog;
  }

  /** Returns brands in order of code; if a country is given, only brands with an offer there. */
  async list(
    scope: Scope,
    country: string | undefined,
    page: { limit: number; offset: number },
  ): Promise<{ total: number; list: { brand: string; brandName: string }[] }> {
    const snapshot = await this.#catalog.getSnapshot(scope);
    const inCountry = country === undefined ? undefined : snapshot.listBrandsIn(country);
    const found = [...snapshot.brands.values()].filter(
      ({ brand }) => inCountry?.has(brand) ?? true,
    );
    return {
      total: found.length,
      list: found
        .slice(page.offset, page.offset + page.limit)
        .map(({ brand, brandName }) => ({ brand, brandName })),
    };
  }

  /** @throws Problem NOT_FOUND */
  async get(scope: Scope, code: string): Promise<BrandDetail> {
    const { redemptionInstructionInfos: _texts, ...detail } = await this.#get(scope, code);
    return detail;
  }

  /**
   * Returns the brand from the live catalog or, if missing there, from the test catalog.
   * @throws Problem NOT_FOUND
   */
  async getFaced(accountId: string, code: string): Promise<FacedBrand> {
    for (const environment of ["live", "test"] as const) {
      const { brands, offers } = await this.#catalog.getSnapshot({ accountId, environment });
      const brand = brands.get(code);
      const glyph = glyphOfBrand(offers.filter((offer) => offer.brand === code));
      if (brand) return { ...brand, glyph };
    }
    throw new Problem("NOT_FOUND", `There is no brand ${code}.`);
  }

  /**
   * Returns the instructions in the requested language, or in English.
   * @throws Problem NOT_FOUND
   */
  async getRedemptionInstructions(
    scope: Scope,
    code: string,
    query: RedemptionQuery,
  ): Promise<RedemptionInstructions> {
    const language = toLanguage(query.language ?? FALLBACK_LANGUAGE);
    const found = pickInstructions(await this.#get(scope, code), { ...query, language });
    if (found) return found;
    throw new Problem(
      "NOT_FOUND",
      `There are no instructions for ${code} by ${query.deliveryType} in ${query.country}.`,
    );
  }

  async #get(scope: Scope, code: string): Promise<CatalogBrand> {
    const brand = (await this.#catalog.getSnapshot(scope)).brands.get(code);
    if (!brand) throw new Problem("NOT_FOUND", `There is no brand ${code}.`);
    return brand;
  }
}

export function pickInstructions(
  { redemptionInstructionInfos }: CatalogBrand,
  wanted: { country: string; deliveryType: string; language: string },
): RedemptionInstructions | undefined {
  const fitting = redemptionInstructionInfos.filter(
    (info) => info.country === wanted.country && info.deliveryType === wanted.deliveryType,
  );
  const inLanguage = (language: string) => fitting.find((info) => info.language === language);
  return inLanguage(wanted.language) ?? inLanguage(FALLBACK_LANGUAGE);
}

const PROMO_TAGS = ["Promotions"];

function registerPromoRoutes(app: App, promos: PromoService): void {
  app.get(
    "/promos",
    {
      config: CATALOG_ANSWER,
      schema: {
        operationId: "listPromos",
        summary: "List promotions",
        tags: PROMO_TAGS,
        querystring: PromoQuery,
        response: answers(PromoPage),
      },
    },
    async (request) => {
      const { _limit: limit, _offset: offset, ...filter } = request.query;
      const found = await promos.list(clientOf(request), filter, { limit, offset });
      return { limit, offset, ...found };
    },
  );

  app.get(
    "/promos/:promoId",
    {
      config: CATALOG_ANSWER,
      schema: {
        operationId: "getPromo",
        summary: "Get a promotion",
        tags: PROMO_TAGS,
        params: PromoParams,
        response: answers(Promo),
      },
    },
    (request) => promos.get(clientOf(request), request.params.promoId),
  );
}

function registerOfferRoutes(app: App, catalog: CatalogService): void {
  for (const family of FAMILIES) {
    const { path, tag, name, words } = FAMILY_FACTS[family];
    const { query, offer, page } = OFFER_SCHEMAS[family];
    app.get(
      `/${path}/offers`,
      {
        config: CATALOG_ANSWER,
        // Runs after the key and rate checks. A cached page needs no validation of the query.
        preParsing(request, reply, payload, done) {
          const page = catalog.recallPage(forApi(request), request.url);
          if (page) reply.send(preparedJson(reply, page));
          else done(null, payload);
        },
        schema: {
          operationId: `list${name}Offers`,
          summary: `List ${wordsOf(family)} offers`,
          tags: [tag],
          querystring: query,
          response: answers(page),
        },
      },
      async (request, reply) => {
        const { _limit: limit, _offset: offset, ...filter } = request.query;
        const asked = { filter, limit, offset, address: request.url };
        const json = await catalog.listOffers(forApi(request), family, asked);
        return preparedJson(reply, json);
      },
    );

    app.get(
      `/${path}/offers/:offerId`,
      {
        config: CATALOG_ANSWER,
        schema: {
          operationId: `get${name}Offer`,
          summary: `Get ${words} offer`,
          tags: [tag],
          params: OfferParams,
          response: answers(offer),
        },
      },
      async (request, reply) => {
        const { offerId } = request.params;
        const text = await catalog.getOfferText(forApi(request), family, offerId);
        return preparedJson(reply, text);
      },
    );
  }
}

function forApi(request: FastifyRequest) {
  return { ...clientOf(request), channel: "API" as const };
}

const PICTURES = {
  "logo.svg": { width: 100, height: 100, radius: 18 },
  "big.svg": { width: 200, height: 100, radius: 0 },
  "gift.svg": { ...FACE_SHAPE, radius: 6 },
} as const;

type Picture = keyof typeof PICTURES;

/** Pixels per unit of the layout. */
const SCALE = 4;
const FONTS = "IBM Plex Sans, IBM Plex Sans Arabic, system-ui, sans-serif";
const XML: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Returns an SVG that depends only on the brand and loads no external resources. */
function drawBrand(brand: FacedBrand, picture: Picture): string {
  const { width, height, radius } = PICTURES[picture];
  const { ground, ink, glyph, name } = faceOf(brand, "CARD", { width, height });
  const lines = name.lines.map(
    ({ text, x, y }) =>
      `<text x="${x}" y="${y}"${
        name.isRightToLeft ? ' direction="rtl"' : ""
      }>${escaped(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width * SCALE}" height="${height * SCALE}" role="img">
  <title>${escaped(brand.brandName)}</title>
  <rect width="${width}" height="${height}" rx="${radius}" fill="${ground}"/>
  <path d="${glyph.path}" transform="${glyph.transform}" fill="none" stroke="${ink}"
    stroke-width="${glyph.stroke}" stroke-linecap="round" stroke-linejoin="round"/>
  <g font-family="${FONTS}" font-weight="600" font-size="${name.size}" fill="${ink}">${lines.join("")}</g>
</svg>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => XML[character] ?? "");
}

const BRAND_TAGS = ["Brands"];

function registerBrandRoutes(app: App, brands: BrandService): void {
  app.get(
    "/brands",
    {
      config: CATALOG_ANSWER,
      schema: {
        operationId: "listBrands",
        summary: "List brands",
        tags: BRAND_TAGS,
        querystring: BrandQuery,
        response: answers(BrandPage),
      },
    },
    async (request) => {
      const { _limit: limit, _offset: offset, country } = request.query;
      const found = await brands.list(clientOf(request), country, { limit, offset });
      return { limit, offset, ...found };
    },
  );

  app.get(
    "/brands/:brand",
    {
      config: CATALOG_ANSWER,
      schema: {
        operationId: "getBrand",
        summary: "Get a brand",
        tags: BRAND_TAGS,
        params: BrandParams,
        response: answers(BrandDetail),
      },
    },
    async (request) => {
      const detail = await brands.get(clientOf(request), request.params.brand);
      return withAbsoluteLinks(detail, request);
    },
  );

  app.get(
    "/brands/:brand/redemptionInstructions",
    {
      config: CATALOG_ANSWER,
      schema: {
        operationId: "getRedemptionInstructions",
        summary: "Get how a brand's products are redeemed",
        description: "In English where the language asked for is not there.",
        tags: BRAND_TAGS,
        params: BrandParams,
        querystring: RedemptionQuery,
        response: answers(RedemptionInstructions),
      },
    },
    (request) =>
      brands.getRedemptionInstructions(clientOf(request), request.params.brand, request.query),
  );
}

/** Serves the pictures without an API key, because web pages link to them. */
function registerBrandPictures(app: App, brands: BrandService, accountId: string): void {
  app.get(
    "/brands/:brand/:picture",
    {
      schema: {
        hide: true,
        params: Input({
          ...BrandParams.properties,
          picture: Type.String({ minLength: 1, maxLength: 16 }),
        }),
      },
    },
    async (request, reply) => {
      const { brand, picture } = request.params;
      if (!isPicture(picture)) throw new Problem("NOT_FOUND", `There is no picture ${picture}.`);
      const faced = await brands.getFaced(accountId, brand);
      reply.type("image/svg+xml").header("cache-control", "public, max-age=86400");
      return drawBrand(faced, picture);
    },
  );
}

function isPicture(name: string): name is Picture {
  return Object.hasOwn(PICTURES, name);
}

function withAbsoluteLinks(detail: BrandDetail, request: FastifyRequest): BrandDetail {
  const origin = `${request.protocol}://${request.headers.host}`;
  const absolute = (link: string) => (link.startsWith("/") ? origin + link : link);
  return {
    ...detail,
    brandBigImage: absolute(detail.brandBigImage),
    brandGiftImage: absolute(detail.brandGiftImage),
    brandLogo: absolute(detail.brandLogo),
    redemptionInstructions: detail.redemptionInstructions.map((item) => ({
      ...item,
      link: absolute(item.link),
    })),
  };
}

type CatalogModuleDeps = Base &
  Messages &
  Pick<ConstructorParameters<typeof CatalogService>[0], "readPricing"> &
  Pick<ConstructorParameters<typeof CatalogUpdateService>[0], "readWalletUnit" | "recordAudit">;

export function createCatalogModule(deps: CatalogModuleDeps) {
  const catalog = new CatalogService(deps);
  const catalogWriter = new CatalogWriter(deps);
  const catalogBrowser = new CatalogBrowser({ ...deps, catalog });
  const catalogChoices = new CatalogChoiceService({ ...deps, catalog, catalogBrowser });
  const brands = new BrandService(catalog);
  const promos = new PromoService(catalog, deps.clock);
  const catalogMessages = new CatalogMessages({ ...deps, promos });
  const catalogUpdates = new CatalogUpdateService({ ...deps, catalogWriter, catalogMessages });
  return {
    services: { catalog, catalogChoices, catalogUpdates, brands, promos },
    jobs: [{ kind: MESSAGE_JOB, run: (subject) => catalogMessages.send(subject) }],
    pos: async (app) =>
      (await import("./office-catalog-routes.ts")).registerOfficeCatalogRoutes(app, {
        catalogBrowser,
        catalogChoices,
      }),
    v1Public: (app) => registerBrandPictures(app, brands, deps.accountId),
    v1(app) {
      registerBrandRoutes(app, brands);
      registerOfferRoutes(app, catalog);
      registerPromoRoutes(app, promos);
    },
    recover: () => catalogWriter.recover(),
    start: () => catalogWriter.start(),
    stop: () => catalogWriter.stop(),
  } satisfies Module;
}

export type { CatalogChoiceService } from "./catalog-choice-service.ts";
export {
  type CatalogChoices,
  endReplacement,
  fitsTarget,
  isTroubled,
  listInForce,
  listJoinedSellers,
  listSellers,
  noteChoice,
  noteProviderState,
  type OfferSwitch,
  OfferSwitches,
  readPins,
} from "./catalog-choices.ts";
export { changesNothing, describeDifference } from "./catalog-difference.ts";
export {
  type CatalogFile,
  CatalogFileFault,
  catalogFileParts,
  formatCatalogFile,
  loadSandboxCatalog,
  type PlacedFault,
  packCatalog,
  readCatalogFile,
  readSandboxCatalog,
  readSandboxRows,
  unpackCatalog,
} from "./catalog-file.ts";
export { recordCatalogUpdate } from "./catalog-history.ts";
export { CatalogService } from "./catalog-service.ts";
export type { CatalogSnapshot } from "./catalog-snapshot.ts";
export { countOffers, findCatalogVersion } from "./catalog-store.ts";
export {
  CatalogRefused,
  type CatalogReport,
  CatalogUpdateService,
  compareByStored,
} from "./catalog-update.ts";
export {
  getLowestCost,
  type PricedScope,
  type Pricing,
  priceOffer,
  type Quote,
  quoteDelivered,
  quoteOffer,
  sendUnitOf,
  sumCost,
  viewRange,
} from "./offer-quote.ts";
export {
  compareCosts,
  costOf,
  getLargestAmount,
  getSoldBrand,
  type ProductCosts,
  providerOf,
} from "./products.ts";
export { PromoService } from "./promo-service.ts";
export {
  type ProviderRouting,
  readRouting,
  writeRouting,
} from "./provider-routing.ts";
