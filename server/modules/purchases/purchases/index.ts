import { CommitCache } from "../../../db/commit-cache.ts";
import type { WriteHealth } from "../../../db/write-health.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { laneOfSubject } from "../../../jobs/job-subject.ts";
import { toTimestamp } from "../../../lib/clock.ts";
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
import { registerPurchaseRoutes, registerQrCodeRoutes } from "./purchase-routes.ts";
import { PurchaseService } from "./purchase-service.ts";
import { PurchaseVerification } from "./purchase-verification.ts";
import { ADVANCE_JOB } from "./purchase-writes.ts";

export { listPausedBrands, PROBE_JOB } from "./brand-pauses.ts";
export { withCanonicalNumbers } from "./buyer-fields.ts";
export { findRawAnswer } from "./commit-decision.ts";
export { isShortAtProvider } from "./decision.ts";
export { eraseDetails, sealDetails } from "./details-keeping.ts";
export { LINE_FIELDS } from "./families/family.ts";
export { PURCHASED_FAMILIES } from "./families/index.ts";
export { PurchaseService } from "./purchase-service.ts";
export {
  countUnfinished,
  doubtUnfinished,
  findPurchases,
  listDelivered,
  listInDoubt,
  orderOf,
  type PurchaseOf,
  readExtras,
  type StoredPurchase,
} from "./purchase-store.ts";
export { ADVANCE_JOB } from "./purchase-writes.ts";
export { MOVED_TO } from "./refusals.ts";
export {
  hasBeenAskedEnough,
  isBeingFoundOut,
  NO_ANSWER,
  openUntil,
  RETRY_INTERVAL_MS,
  RETRY_WINDOW_MS,
  SHORTEST_PAUSE_MS,
} from "./retry-policy.ts";
export { TimeAsked } from "./time-asked.ts";

/**
 * Maximum number of purchases advanced at a time in an environment: enough to fill a commit, but
 * not too many for a provider that answers inquiries slowly.
 */
const PURCHASES_AT_ONCE = 128;
const SETTINGS_REMEMBERED = 100;

type Settings = Awaited<ReturnType<typeof getSettings>>;

type PurchasesModuleDeps = Base & {
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

export function createPurchasesModule(deps: PurchasesModuleDeps) {
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
    pos: (app) => registerBrandPauseRoutes(app, brandPauses),
    recover: () => engine.recover(),
    release: () => engine.stop(),
  } satisfies Module;
}

async function registerBrandPauseRoutes(app: App, pauses: BrandPauseService): Promise<void> {
  const { brandPauseOperations } = await import("../../../contract/pos/brands.ts");
  async function view(scope: Parameters<BrandPauseService["list"]>[0]) {
    const list = await pauses.list(scope);
    return {
      list: list.map(({ brand, pausedSince, pausedByHand }) => ({
        brand,
        pausedSince: toTimestamp(pausedSince),
        byHand: pausedByHand,
      })),
    };
  }

  handle(app, brandPauseOperations.list, ({ actor, query }) =>
    view({ accountId: actor.accountId, environment: query.environment }),
  );

  handle(app, brandPauseOperations.pause, async ({ actor, params, query }) => {
    const { accountId, staffId } = actor;
    const author = { accountId, staffId, environment: query.environment };
    await pauses.pause(author, params.brand);
    return view(author);
  });

  handle(app, brandPauseOperations.resume, async ({ actor, params, query }) => {
    const { accountId, staffId } = actor;
    const author = { accountId, staffId, environment: query.environment };
    await pauses.resume(author, params.brand);
    return view(author);
  });
}
