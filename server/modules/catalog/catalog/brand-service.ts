import type { CatalogBrand } from "../../../contract/catalog-content.ts";
import { toLanguage } from "../../../contract/common.ts";
import type { FacedBrand } from "../../../contract/faces/face.ts";
import { glyphOfBrand } from "../../../contract/faces/glyph-of-brand.ts";
import { Problem } from "../../../contract/problem.ts";
import type {
  BrandDetail,
  RedemptionInstructions,
  RedemptionQuery,
} from "../../../contract/v1/brands.ts";
import type { Scope } from "../../../db/changes.ts";
import type { CatalogService } from "./catalog-service.ts";

const FALLBACK_LANGUAGE = "en";

export class BrandService {
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
