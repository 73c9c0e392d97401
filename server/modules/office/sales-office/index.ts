import { transactionOfficeOperations } from "../../../contract/pos/transaction-office.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { PhoneService } from "../../catalog/phone-lookup/index.ts";
import type { Base, Module } from "../../module.ts";
import type { RefundService } from "../../purchases/refunds/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { requireFiguresReader } from "../figures/index.ts";
import { TransactionReader } from "./transaction-reader.ts";
import { TransactionFinder } from "./transaction-rows.ts";

export { TransactionReader } from "./transaction-reader.ts";

type SalesOfficeModuleDeps = Base & {
  phones: PhoneService;
  shop: ShopService;
  refunds: RefundService;
};

export function createSalesOfficeModule(deps: SalesOfficeModuleDeps) {
  const finder = new TransactionFinder(deps);
  const reader = new TransactionReader(deps);
  const operations = transactionOfficeOperations;
  return {
    services: {},
    pos(app) {
      handle(app, operations.list, ({ actor, query }) =>
        finder.list(requireFiguresReader(actor), query),
      );
      handle(app, operations.get, ({ actor, params }) =>
        reader.get(requireFiguresReader(actor), params.transactionId),
      );
      handle(app, operations.readAnswer, ({ actor, params }) =>
        reader.readAnswer(actor, params.transactionId),
      );
      handle(app, operations.refundEsim, async ({ actor, params }) => {
        const { accountId, environment, staffId } = actor;
        const author = { accountId, environment, staffId };
        const { transactionId, status } = await deps.refunds.request(author, params.transactionId);
        return { transactionId, status };
      });
    },
  } satisfies Module;
}
