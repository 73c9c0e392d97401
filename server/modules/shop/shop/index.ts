import type { Base, Module } from "../../module.ts";
import { readPilotState } from "../pilots/index.ts";
import type { SettingsService } from "../settings/index.ts";
import { registerSessionRoutes, type SessionService, type StaffService } from "../staff/index.ts";
import { LogoService } from "./logo-service.ts";
import { type AddStartingPrices, readReferenceRates, ShopService } from "./shop-service.ts";

export { findLogoPicture, readLogo, readLogoFile, replaceLogo } from "./logo-service.ts";
export { type ReferenceRates, ShopService, toInstant } from "./shop-service.ts";
export {
  environmentChanged,
  findShop,
  type RequireEnvironment,
  readShopCountry,
  readTerms,
  requireTillEnvironment,
  type Shop,
} from "./shop-store.ts";

type ShopModuleDeps = Base & {
  version: string;
  sessions: SessionService;
  settings: SettingsService;
  staff: StaffService;
  addStartingPrices: AddStartingPrices;
};

export function createShopModule(deps: ShopModuleDeps) {
  const rates = readReferenceRates(deps.config.resourcesDir);
  const shop = new ShopService({ ...deps, rates });
  const logos = new LogoService(deps);
  return {
    services: { shop, rates },
    async pos(app) {
      const { registerSetupRoutes, registerShopRoutes } = await import("./shop-routes.ts");
      registerSetupRoutes(app, {
        ...deps,
        shop,
        readPilot: (accountId, device) => readPilotState(deps.db, accountId, device),
      });
      registerShopRoutes(app, { ...deps, shop, logos });
      // Registered here, because the staff module cannot read the shop's environment.
      registerSessionRoutes(app, { ...deps, shop });
    },
  } satisfies Module;
}
