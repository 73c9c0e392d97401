import type { Base, Module } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import type { FloatService } from "../figures/index.ts";
import type { RechargeService } from "../recharges/index.ts";
import { StatementService } from "./statement-service.ts";
import { WalletOfficeService } from "./wallet-office-service.ts";

export { findAlert, type WalletOfficeService } from "./wallet-office-service.ts";

type WalletOfficeModuleDeps = Base & {
  floats: FloatService;
  recharges: RechargeService;
  shop: ShopService;
};

export function createWalletOfficeModule(deps: WalletOfficeModuleDeps) {
  const walletOffice = new WalletOfficeService(deps);
  const statements = new StatementService(deps);
  return {
    services: { walletOffice },
    pos: async (app) =>
      (await import("./wallet-office-routes.ts")).registerWalletOfficeRoutes(app, {
        ...deps,
        walletOffice,
        statements,
      }),
  } satisfies Module;
}
