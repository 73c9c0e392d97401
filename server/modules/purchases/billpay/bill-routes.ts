import { Bill, BillQuery } from "../../../contract/v1/bills.ts";
import { OfferParams } from "../../../contract/v1/offers.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import type { BillService } from "./bill-service.ts";

/** Registers `/billpay/offers/{offerId}/bill` (rules#bill-retrieval). */
export function registerBillRoutes(app: App, bills: BillService): void {
  app.get(
    "/billpay/offers/:offerId/bill",
    {
      schema: {
        operationId: "getBill",
        summary: "Retrieve a bill",
        description:
          "Asks the biller what is due. Which of the parameters are needed is in the offer's billRetrievalRequiredFields.",
        tags: ["BillPay"],
        params: OfferParams,
        querystring: BillQuery,
        response: answers(Bill, ["BILL_NOT_FOUND", "REQUIRED_FIELD_MISSING"]),
      },
    },
    (request) =>
      bills.retrieve(
        { ...clientOf(request), channel: "API" },
        request.params.offerId,
        request.query,
      ),
  );
}
