import { Bill, BillQuery } from "../../../contract/v1/bills.ts";
import { OfferParams } from "../../../contract/v1/offers.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import type { ProviderOf } from "../../../providers/provider.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { Base, Module } from "../../module.ts";
import { BillService } from "./bill-service.ts";

export { BillService } from "./bill-service.ts";

type Deps = Base & { catalog: CatalogService; providerOf: ProviderOf };

export function createBillpayModule(deps: Deps) {
  const bills = new BillService(deps);
  return {
    services: { bills },
    v1: (app) => registerBillRoutes(app, bills),
  } satisfies Module;
}

/** Registers `/billpay/offers/{offerId}/bill` (rules#bill-retrieval). */
function registerBillRoutes(app: App, bills: BillService): void {
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
