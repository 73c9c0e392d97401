import type { ProviderOf } from "../../../providers/provider.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { Base, Module } from "../../module.ts";
import { registerBillRoutes } from "./bill-routes.ts";
import { BillService } from "./bill-service.ts";

type Deps = Base & { catalog: CatalogService; providerOf: ProviderOf };

export function createBillpayModule(deps: Deps) {
  const bills = new BillService(deps);
  return {
    services: { bills },
    v1: (app) => registerBillRoutes(app, bills),
  } satisfies Module;
}
