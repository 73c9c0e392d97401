import type { Base, Module } from "../../module.ts";
import { registerBalanceRoutes } from "./balance-routes.ts";
import { WalletService } from "./wallet-service.ts";

export function createWalletModule({ db, clock }: Base) {
  const wallet = new WalletService(db);
  return {
    services: { wallet },
    v1: (app) => registerBalanceRoutes(app, wallet, clock),
  } satisfies Module;
}
