import type { Environment } from "../../../contract/common.ts";
import type { Provider, ProviderOf } from "../../../providers/provider.ts";
import type { ScenarioOf } from "../../../providers/simulator/scenario.ts";
import { Simulator } from "../../../providers/simulator/simulator.ts";
import { ANY_PROVIDER } from "../../../providers/supply.ts";
import type { CatalogService, CatalogUpdateService } from "../../catalog/catalog/index.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import { readShopCountry } from "../../shop/shop/index.ts";
import { SYNC_JOB } from "./catalog-sync.ts";
import { ProviderDesk } from "./provider-desk.ts";
import { ProviderOrders } from "./provider-orders.ts";
import { createRecipientCheck } from "./sandbox-recipient.ts";
import { registerHookRoutes, UpstreamHooks } from "./upstream-hooks.ts";
import { UpstreamService } from "./upstream-service.ts";
import { UpstreamSync } from "./upstream-sync.ts";

export { UpstreamService } from "./upstream-service.ts";
export { toComparison, toUpstreamState } from "./upstream-status.ts";
export { providerNames, type StoredUpstream } from "./upstream-store.ts";

type UpstreamModuleDeps = Base & {
  catalog: CatalogService;
  catalogUpdates: CatalogUpdateService;
  phones: PhoneService;
  /** Outcomes of the simulator, in a sandbox only. */
  scenarioOf?: ScenarioOf | undefined;
  /** Providers instead of the simulator or the shop's own provider. */
  providers?: Partial<Record<Environment, Provider>>;
};

export function createUpstreamModule(deps: UpstreamModuleDeps) {
  const upstream = new UpstreamService(deps);
  const upstreamHooks = new UpstreamHooks(deps);
  const providerOrders = new ProviderOrders(deps);
  const upstreamSync = new UpstreamSync({
    ...deps,
    upstream,
    readShopCountry: (accountId) => readShopCountry(deps.db, accountId),
  });
  const test = new Simulator({
    ...deps,
    findRecipientFault: createRecipientCheck(deps),
  });
  const fixed = { test, ...deps.providers };
  const providerOf: ProviderOf = async ({ accountId, environment, providerId }) => {
    const asked = { accountId, environment, ...(providerId !== ANY_PROVIDER && { providerId }) };
    if (fixed[environment]) return fixed[environment];
    return upstream.findProvider(
      providerId === ANY_PROVIDER ? await upstream.resolve(asked) : asked,
    );
  };
  return {
    services: {
      upstream,
      providerOrders,
      upstreamHooks,
      upstreamSync,
      providerOf,
      simulator: test,
    },
    jobs: [{ kind: SYNC_JOB, run: (subject) => upstreamSync.run(subject) }],
    pos: async (app) =>
      (await import("./upstream-routes.ts")).registerUpstreamRoutes(app, {
        upstream,
        upstreamSync,
        upstreamHooks,
        providerOrders,
        providerDesk: new ProviderDesk(deps),
      }),
    hooks: (app) => registerHookRoutes(app, upstreamHooks),
    recover: () => upstreamSync.recover(),
    stop: () => upstream.stop(),
  } satisfies Module;
}
