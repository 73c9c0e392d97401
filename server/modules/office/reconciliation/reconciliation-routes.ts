import { reconciliationOperations } from "../../../contract/pos/reconciliation.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { ReconciliationService } from "./reconciliation-service.ts";

export function registerReconciliationRoutes(
  app: App,
  reconciliation: ReconciliationService,
): void {
  handle(app, reconciliationOperations.list, async ({ actor, query }) => {
    const { accountId } = actor;
    const { environment, ...page } = query;
    return { ...page, ...(await reconciliation.list({ accountId, environment }, page)) };
  });

  handle(app, reconciliationOperations.settle, ({ actor, params, body }) => {
    const { accountId, staffId } = actor;
    const { environment, ...decision } = body;
    const { transactionId } = params;
    return reconciliation.settle(
      { accountId, environment, staffId },
      { transactionId, ...decision },
    );
  });
}
