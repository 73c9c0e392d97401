import type { Static, TSchema } from "typebox";
import { Paged } from "../../contract/common.ts";
import { parseCreatedAtFilter } from "../../contract/created-at-filter.ts";
import type { ErrorCode } from "../../contract/error-codes.ts";
import { FAMILIES } from "../../contract/pos/families.ts";
import { BillPayPurchase, BillPayPurchaseInput } from "../../contract/v1/billpay-purchases.ts";
import { EsimPurchase, EsimPurchaseInput } from "../../contract/v1/esim-purchases.ts";
import { FAMILY_FACTS, wordsOf } from "../../contract/v1/family-facts.ts";
import type { ProductFamily } from "../../contract/v1/offers.ts";
import {
  PurchaseAccepted,
  PurchaseQuery,
  TransactionParams,
} from "../../contract/v1/purchase-record.ts";
import { TopupPurchase, TopupPurchaseInput } from "../../contract/v1/topup-purchases.ts";
import { VoucherPurchase, VoucherPurchaseInput } from "../../contract/v1/voucher-purchases.ts";
import { type ApiClient, type App, answers, clientOf } from "../../http/app-types.ts";
import {
  toBillPayRecord,
  toEsimRecord,
  toTopupRecord,
  toVoucherRecord,
} from "./purchase-records.ts";
import type { PurchaseService } from "./purchase-service.ts";
import type { PurchaseOf } from "./purchase-store.ts";

/** Why any purchase can be refused (rules#error-statuses). */
const REFUSALS = ["OFFER_NOT_FOUND", "OFFER_DISABLED", "DUPLICATE_TRANSACTION_ID"] as const;
const VALUE_REFUSALS = ["VALUE_REQUIRED", "VALUE_NOT_ALLOWED", "VALUE_OUT_OF_RANGE"] as const;

/** What is told of a product family's purchases. */
interface Family<F extends ProductFamily, Input extends TSchema, Row extends TSchema> {
  family: F;
  buying: string;
  /** What a purchase can be refused for beside what every one can. */
  refusals: readonly ErrorCode[];
  input: Input;
  record: Row;
  buy(scope: ApiClient, input: Static<Input>): Promise<PurchaseAccepted>;
  toRecord(purchase: PurchaseOf<F>): Static<Row>;
}

/** `/topups/purchases` … `/billpay/purchases` (rules#purchase-accepted). */
export function registerPurchaseRoutes(app: App, purchases: PurchaseService): void {
  const register: Record<ProductFamily, () => void> = {
    TOPUP: () =>
      registerFamily(app, purchases, {
        family: "TOPUP",
        buying: "Buy a top-up, bundle or data pack",
        refusals: VALUE_REFUSALS,
        input: TopupPurchaseInput,
        record: TopupPurchase,
        buy: (scope, input) => purchases.buyTopup(scope, input),
        toRecord: toTopupRecord,
      }),
    VOUCHER: () =>
      registerFamily(app, purchases, {
        family: "VOUCHER",
        buying: "Buy a gift card or pay a utility",
        refusals: [...VALUE_REFUSALS, "REQUIRED_FIELD_MISSING"],
        input: VoucherPurchaseInput,
        record: VoucherPurchase,
        buy: (scope, input) => purchases.buyVoucher(scope, input),
        toRecord: toVoucherRecord,
      }),
    ESIM: () =>
      registerFamily(app, purchases, {
        family: "ESIM",
        buying: "Buy an eSIM, or a plan for one",
        refusals: [],
        input: EsimPurchaseInput,
        record: EsimPurchase,
        buy: (scope, input) => purchases.buyEsim(scope, input),
        toRecord: toEsimRecord,
      }),
    BILL_PAY: () =>
      registerFamily(app, purchases, {
        family: "BILL_PAY",
        buying: "Pay a bill",
        refusals: [...VALUE_REFUSALS, "REQUIRED_FIELD_MISSING"],
        input: BillPayPurchaseInput,
        record: BillPayPurchase,
        buy: (scope, input) => purchases.payBill(scope, input),
        toRecord: toBillPayRecord,
      }),
  };
  for (const family of FAMILIES) register[family]();
}

/**
 * The three operations that every family has. That a body fits `input` and an answer `record` is
 * what Fastify checks by these schemas; the compiler cannot see through their parameters.
 */
function registerFamily<F extends ProductFamily, Input extends TSchema, Row extends TSchema>(
  app: App,
  purchases: PurchaseService,
  about: Family<F, Input, Row>,
): void {
  const { family } = about;
  const { path: section, tag, name, words } = FAMILY_FACTS[family];
  const path = `/${section}/purchases`;
  const tags = [tag];
  const input: TSchema = about.input;
  const record: TSchema = about.record;

  app.get(
    path,
    {
      schema: {
        operationId: `list${name}Purchases`,
        summary: `List ${wordsOf(family)} purchases`,
        tags,
        querystring: PurchaseQuery,
        response: answers(Paged(record)),
      },
    },
    async (request) => {
      const { _limit: limit, _offset: offset, createdAt, status } = request.query;
      const filter = {
        ...(createdAt !== undefined && { createdAt: parseCreatedAtFilter(createdAt) }),
        ...(status !== undefined && { status }),
      };
      const page = { limit, offset };
      const found = await purchases.list(clientOf(request), family, filter, page);
      return { ...page, total: found.total, list: found.list.map(about.toRecord) };
    },
  );

  app.post(
    path,
    {
      schema: {
        operationId: `create${name}Purchase`,
        summary: about.buying,
        description:
          "Validates the request and answers with the transaction's status. Poll the purchase by its id until it is DONE or FAILED.",
        tags,
        body: input,
        response: answers(PurchaseAccepted, [...REFUSALS, ...about.refusals]),
      },
    },
    (request) => about.buy(clientOf(request), request.body as Static<Input>),
  );

  app.get(
    `${path}/:transactionId`,
    {
      schema: {
        operationId: `get${name}Purchase`,
        summary: `Get ${words} purchase`,
        tags,
        params: TransactionParams,
        response: answers(record),
      },
    },
    async (request) => {
      const { transactionId } = request.params;
      return about.toRecord(await purchases.get(clientOf(request), family, transactionId));
    },
  );
}
