import type { ProviderOf } from "../../../providers/provider.ts";
import type { Base, Module } from "../../module.ts";
import { registerEsimRoutes } from "./esim-routes.ts";
import { EsimService } from "./esim-service.ts";

type Deps = Base & { providerOf: ProviderOf };

export function createEsimsModule(deps: Deps) {
  const esims = new EsimService(deps);
  return {
    services: { esims },
    v1: (app) => registerEsimRoutes(app, esims),
  } satisfies Module;
}
