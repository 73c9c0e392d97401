import { EsimRefund } from "../../../contract/v1/esims.ts";
import { TransactionParams } from "../../../contract/v1/purchase-record.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { toRefundRecord } from "./refund-booking.ts";
import type { RefundService } from "./refund-service.ts";

const tags = ["eSIM"];
const PATH = "/esim/purchases/:transactionId/refund";

/** Registers `/esim/purchases/{transactionId}/refund` (rules#refund-credit). */
export function registerRefundRoutes(app: App, refunds: RefundService): void {
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
