import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { SearchIndexService } from "./search-index-service.ts";
import { UsualChoiceService } from "./usual-choice-service.ts";

type SearchModuleDeps = Base & { catalog: CatalogService; shop: ShopService };

export function createSearchModule(deps: SearchModuleDeps) {
  const search = new SearchIndexService(deps);
  return {
    services: { search },
    pos: async (app) =>
      (await import("./search-routes.ts")).registerSearchRoutes(
        app,
        search,
        new UsualChoiceService(deps),
      ),
  } satisfies Module;
}
