import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import type { PurchaseService } from "../../purchases/purchases/index.ts";
import type { RequireEnvironment, ShopService } from "../../shop/shop/index.ts";
import type { RequireShift, SaleService } from "../sales/index.ts";
import { BulkChecker, CHECK_JOB } from "./bulk-checker.ts";
import { BulkResultService } from "./bulk-results.ts";
import { BulkRunService } from "./bulk-run-service.ts";
import { BulkSeller, SELL_JOB } from "./bulk-seller.ts";

type BulkCheckoutModuleDeps = Base & {
  catalog: CatalogService;
  phones: PhoneService;
  purchases: PurchaseService;
  sales: SaleService;
  shop: ShopService;
  requireShift: RequireShift;
  requireEnvironment: RequireEnvironment;
};

export function createBulkCheckoutModule(deps: BulkCheckoutModuleDeps) {
  const bulkRuns = new BulkRunService(deps);
  const bulkResults = new BulkResultService(deps);
  const checker = new BulkChecker(deps);
  const seller = new BulkSeller(deps);
  return {
    services: {},
    jobs: [
      { kind: CHECK_JOB, run: (subject) => checker.advance(subject), concurrency: 1 },
      { kind: SELL_JOB, run: (subject) => seller.advance(subject), concurrency: 1 },
    ],
    pos: (app) => registerBulkRoutes(app, { bulkRuns, bulkResults }),
  } satisfies Module;
}

interface BulkRoutesDeps {
  bulkRuns: BulkRunService;
  bulkResults: BulkResultService;
}

async function registerBulkRoutes(
  app: App,
  { bulkRuns, bulkResults }: BulkRoutesDeps,
): Promise<void> {
  const { bulkOperations } = await import("../../../contract/pos/bulk-runs.ts");
  handle(app, bulkOperations.create, ({ actor, body }) => bulkRuns.create(actor, body));

  handle(app, bulkOperations.list, ({ actor }) => bulkRuns.list(actor));

  handle(app, bulkOperations.get, ({ actor, params }) => bulkRuns.get(actor, params.runId));

  handle(app, bulkOperations.listLines, ({ actor, params, query }) =>
    bulkRuns.listLines(actor, params.runId, query),
  );

  handle(app, bulkOperations.confirm, ({ actor, params, body }) =>
    bulkRuns.confirm(actor, params.runId, body),
  );

  handle(app, bulkOperations.pause, ({ actor, params }) => bulkRuns.pause(actor, params.runId));

  handle(app, bulkOperations.resume, ({ actor, params, body }) =>
    bulkRuns.resume(actor, params.runId, body.total),
  );

  handle(app, bulkOperations.stop, ({ actor, params }) => bulkRuns.stop(actor, params.runId));

  handle(app, bulkOperations.results, ({ actor, params, body }) =>
    bulkResults.write(actor, params.runId, body.reveal),
  );
}
