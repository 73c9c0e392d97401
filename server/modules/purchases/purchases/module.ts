import { CommitCache } from "../../../db/commit-cache.ts";
import type { WriteHealth } from "../../../db/write-health.ts";
import { laneOfSubject } from "../../../jobs/job-subject.ts";
import type { ProviderOf } from "../../../providers/provider.ts";
import type { ScenarioOf } from "../../../providers/simulator/scenario.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { MayCost, RequireFloor } from "../../catalog/prices/index.ts";
import type { Verifier } from "../../messages/webhooks/index.ts";
import type { Base, Module } from "../../module.ts";
import { getSettings, type SettingsService } from "../../shop/settings/index.ts";
import type { BillService } from "../billpay/index.ts";
import type { EsimService } from "../esims/index.ts";
import { BrandPauseService, PROBE_JOB } from "./brand-pauses.ts";
import { NextProviders } from "./next-providers.ts";
import { PurchaseEngine } from "./purchase-engine.ts";
import { registerPurchaseRoutes } from "./purchase-routes.ts";
import { PurchaseService } from "./purchase-service.ts";
import { PurchaseVerification } from "./purchase-verification.ts";
import { ADVANCE_JOB } from "./purchase-writes.ts";
import { registerQrCodeRoutes } from "./qr-code-routes.ts";

/**
 * Maximum number of purchases advanced at a time in an environment: enough to fill a commit, but
 * not too many for a provider that answers inquiries slowly.
 */
const PURCHASES_AT_ONCE = 128;
const SETTINGS_REMEMBERED = 100;

type Settings = Awaited<ReturnType<typeof getSettings>>;

type Deps = Base & {
  bills: BillService;
  esims: EsimService;
  catalog: CatalogService;
  verifier: Verifier;
  health: WriteHealth;
  providerOf: ProviderOf;
  requireFloor: RequireFloor;
  mayCost: MayCost;
  upstream: ConstructorParameters<typeof NextProviders>[0]["upstream"];
  settings: SettingsService;
  scenarioOf?: ScenarioOf | undefined;
};

export function createPurchasesModule(deps: Deps) {
  const { verifier, esims, health } = deps;
  const brandPauses = new BrandPauseService(deps);
  // Each answer of an unavailable provider reads the setting.
  const remembered = new CommitCache<Settings>(deps.watch, SETTINGS_REMEMBERED);
  const engine = new PurchaseEngine({
    ...deps,
    async isQueueEnabled(reader, scope) {
      const read = () => getSettings(reader, scope);
      const of = `${scope.accountId}/${scope.environment}`;
      const settings = await remembered.get(of, read, deps.watch.stampOfTurn());
      return settings?.queueEnabled ?? false;
    },
    nextProviders: new NextProviders(deps),
    verification: new PurchaseVerification({ ...deps, verifier }),
    whenWritable: () => health.whenWritable(),
  });
  const purchases = new PurchaseService({ ...deps, starter: engine });
  return {
    services: { purchases, brandPauses, engine },
    jobs: [
      {
        kind: ADVANCE_JOB,
        run: (subject) => engine.advance(subject),
        laneOf: laneOfSubject,
        concurrency: PURCHASES_AT_ONCE,
      },
      { kind: PROBE_JOB, run: (subject) => brandPauses.runProbe(subject) },
    ],
    v1(app) {
      registerPurchaseRoutes(app, purchases);
      registerQrCodeRoutes(app, { purchases, esims });
    },
    pos: async (app) =>
      (await import("./brand-pause-routes.ts")).registerBrandPauseRoutes(app, brandPauses),
    recover: () => engine.recover(),
    release: () => engine.stop(),
  } satisfies Module;
}
