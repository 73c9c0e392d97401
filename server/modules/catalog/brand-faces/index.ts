import type { Base, Module } from "../../module.ts";
import type { CatalogService } from "../catalog/index.ts";
import { BrandFaceService } from "./brand-face-service.ts";

export type { BrandFaceService } from "./brand-face-service.ts";

type BrandFacesModuleDeps = Base & { catalog: CatalogService };

export function createBrandFacesModule(deps: BrandFacesModuleDeps) {
  const brandFaces = new BrandFaceService(deps);
  return {
    services: { brandFaces },
    pos: async (app) =>
      (await import("./brand-face-routes.ts")).registerBrandFaceRoutes(app, {
        accountId: deps.accountId,
        brandFaces,
      }),
  } satisfies Module;
}
