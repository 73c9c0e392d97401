import {
  ReconciliationCases,
  ReconciliationInput,
  ReconciliationParams,
  ReconciliationQuery,
  ReconciliationResult,
} from "../../contract/pos/reconciliation.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireOwner } from "../../http/staff-guard.ts";
import type { ReconciliationService } from "./reconciliation-service.ts";

/** `/pos/reconciliation`: transactions whose outcome only the provider knows, for an owner to settle. */
export function registerReconciliationRoutes(
  app: App,
  reconciliation: ReconciliationService,
): void {
  const onRequest = requireOwner;

  app.get(
    "/reconciliation",
    {
      onRequest,
      schema: { querystring: ReconciliationQuery, response: answers(ReconciliationCases) },
    },
    async (request) => {
      const { accountId } = cashierOf(request);
      const { environment, ...page } = request.query;
      return { ...page, ...(await reconciliation.list({ accountId, environment }, page)) };
    },
  );

  app.post(
    "/reconciliation/:transactionId",
    {
      onRequest,
      schema: {
        params: ReconciliationParams,
        body: ReconciliationInput,
        response: answers(ReconciliationResult),
      },
    },
    (request) => {
      const { accountId, staffId } = cashierOf(request);
      const { environment, ...decision } = request.body;
      const { transactionId } = request.params;
      return reconciliation.settle(
        { accountId, environment, staffId },
        { transactionId, ...decision },
      );
    },
  );
}
