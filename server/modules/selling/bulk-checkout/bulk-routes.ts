import { bulkOperations } from "../../../contract/pos/bulk-runs.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { BulkResultService } from "./bulk-results.ts";
import type { BulkRunService } from "./bulk-run-service.ts";

interface BulkRoutesDeps {
  bulkRuns: BulkRunService;
  bulkResults: BulkResultService;
}

export function registerBulkRoutes(app: App, { bulkRuns, bulkResults }: BulkRoutesDeps): void {
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
