import { EsimRefund } from "../../../contract/v1/esims.ts";
import { TransactionParams } from "../../../contract/v1/purchase-record.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { laneOfSubject } from "../../../jobs/job-subject.ts";
import type { ProviderOf } from "../../../providers/provider.ts";
import type { Base, Module } from "../../module.ts";
import type { EsimService } from "../esims/index.ts";
import type { PurchaseService } from "../purchases/index.ts";
import { toRefundRecord } from "./refund-booking.ts";
import { REFUND_JOB, RefundEngine } from "./refund-engine.ts";
import { RefundService } from "./refund-service.ts";

export { bookRefund } from "./refund-booking.ts";
export { NO_REFUND_ANSWER, REFUND_JOB } from "./refund-engine.ts";
export { RefundService } from "./refund-service.ts";
export { findRefundedIds, listUnderRefund } from "./refund-store.ts";

type Deps = Base & { purchases: PurchaseService; esims: EsimService; providerOf: ProviderOf };

export function createRefundsModule(deps: Deps) {
  const refunds = new RefundService(deps);
  const engine = new RefundEngine(deps);
  return {
    services: { refunds },
    jobs: [{ kind: REFUND_JOB, run: (subject) => engine.advance(subject), laneOf: laneOfSubject }],
    v1: (app) => registerRefundRoutes(app, refunds),
  } satisfies Module;
}

const tags = ["eSIM"];
const PATH = "/esim/purchases/:transactionId/refund";

/** Registers `/esim/purchases/{transactionId}/refund` (rules#refund-credit). */
function registerRefundRoutes(app: App, refunds: RefundService): void {
  app.post(
    PATH,
    {
      schema: {
        operationId: "createEsimRefund",
        summary: "Refund an eSIM purchase",
        description:
          "Once, when the purchase is DONE, not installed and no older than 30 days. Poll the refund until it is DONE or FAILED.",
        tags,
        params: TransactionParams,
        response: answers(EsimRefund, ["REFUND_NOT_ALLOWED"]),
      },
    },
    async (request) => {
      const { transactionId } = request.params;
      const refund = await refunds.request(clientOf(request), transactionId);
      return toRefundRecord(refund, transactionId);
    },
  );

  app.get(
    PATH,
    {
      schema: {
        operationId: "getEsimRefund",
        summary: "Get the refund of an eSIM purchase",
        tags,
        params: TransactionParams,
        response: answers(EsimRefund),
      },
    },
    async (request) => {
      const { transactionId } = request.params;
      return toRefundRecord(await refunds.get(clientOf(request), transactionId), transactionId);
    },
  );
}
