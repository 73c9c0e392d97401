import { Problem } from "../../../contract/problem.ts";
import { Bill, BillQuery } from "../../../contract/v1/bills.ts";
import { type BillPayOffer, OfferParams } from "../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../contract/v1/purchase-record.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inScope } from "../../../db/scope-filters.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { DAY, toTimestamp } from "../../../lib/clock.ts";
import { askInTime } from "../../../providers/ask-in-time.ts";
import { addDeviations } from "../../../providers/deviation-store.ts";
import type { ProviderOf } from "../../../providers/provider.ts";
import { findSupply } from "../../../providers/supply.ts";
import {
  type CatalogService,
  type PricedScope,
  type Quote,
  quoteDelivered,
} from "../../catalog/catalog/index.ts";
import type { Base, Module } from "../../module.ts";

const BILL_VALID_MS = DAY;

type BillDeps = Base & { catalog: CatalogService; providerOf: ProviderOf };

/** rules#bill-retrieval */
export class BillService {
  readonly #deps: BillDeps;

  constructor(deps: BillDeps) {
    this.#deps = deps;
  }

  /**
   * Queries the amount due, and stores it for the check of a payment.
   * @throws Problem NOT_FOUND if there is no such offer, REQUIRED_FIELD_MISSING naming the field,
   * BILL_NOT_FOUND, SYSTEM_UNAVAILABLE if the provider does not answer
   */
  async retrieve(scope: PricedScope, offerId: string, fields: BillFields): Promise<Bill> {
    const { catalog, clock, providerOf, transactor } = this.#deps;
    const offer = await catalog.getOffer(scope, "BILL_PAY", offerId);
    checkRetrievable(offer, fields);
    const { accountId, environment } = scope;
    const supply = findSupply(offer);
    const providerId = supply?.providerId;
    const provider = await providerOf({ accountId, environment, providerId });
    if (!provider?.findBill) {
      throw new Problem(
        "SYSTEM_UNAVAILABLE",
        "No provider that looks up bills is connected to this environment.",
      );
    }
    const findBill = provider.findBill.bind(provider);
    const asked = supply ? { ...offer, offerId: supply.productId } : offer;
    const { decided, deviations } = await askInTime(clock, (signal) =>
      findBill({ ...scope, offer: asked, fields }, signal),
    );
    const retrievedAt = clock.now();
    if (deviations.length > 0) {
      const what = { operation: "BILL", reference: offerId, provider: provider.name } as const;
      await transactor.transact(accountId, (tx) =>
        addDeviations(tx, { accountId, environment, ...what, at: retrievedAt }, deviations),
      );
    }
    if (!decided) {
      throw new Problem(
        "SYSTEM_UNAVAILABLE",
        "The provider's answer does not say clearly what is due. Try again shortly.",
      );
    }
    const { amountDue } = decided;
    if (amountDue === undefined) {
      throw new Problem("BILL_NOT_FOUND", `${offer.brandName} has no such bill.`);
    }
    await transactor.transact(scope.accountId, (tx) =>
      recordBill(tx, scope, { offer, fields, amountDue, retrievedAt }),
    );
    return toBill(offer, quoteDelivered(offer, amountDue), retrievedAt);
  }

  /**
   * Compares a payment with its retrieved bill, if any (rules#bill-exact-payment), in the unit that
   * the payer chose, because rounding must not look like an over- or underpayment.
   * @returns the amount due, in the offer's send currency; undefined if no bill was retrieved
   * recently
   * @throws Problem VALUE_OUT_OF_RANGE naming the value
   */
  async checkPayment(
    scope: Scope,
    offer: BillPayOffer,
    payment: { fields: BillFields; value: PurchaseValue | undefined; quote: Quote },
  ): Promise<number | undefined> {
    const { db, clock } = this.#deps;
    const bill = await findBill(db, scope, offer, payment.fields);
    if (!bill || clock.now() - bill.retrievedAt > BILL_VALID_MS) return undefined;
    const side = SIDES[payment.value?.type ?? "ZEND"];
    const due = quoteDelivered(offer, bill.amountDue)[side];
    const paid = payment.quote[side];
    if (paid > due && !offer.supportsOverpayment) {
      throw outOfRange(offer, `must not be more than the bill: ${due}`);
    }
    if (paid < due && !offer.supportsUnderpayment) {
      throw outOfRange(offer, `must not be less than the bill: ${due}`);
    }
    return bill.amountDue;
  }
}

const SIDES = { PRICE: "priceBase", COST: "costBase", ZEND: "send" } as const;

function outOfRange(offer: BillPayOffer, rule: string): Problem {
  const message = `The value ${rule}. ${offer.brandName} takes nothing else.`;
  return new Problem("VALUE_OUT_OF_RANGE", message, { "value.value": rule });
}

function checkRetrievable(offer: BillPayOffer, fields: BillFields): void {
  if (!offer.supportsBillRetrieval) {
    throw new Problem("BILL_NOT_FOUND", `Bills of ${offer.brandName} cannot be retrieved.`);
  }
  const missing = offer.billRetrievalRequiredFields.filter((name) => !fields[name]?.trim());
  if (missing.length === 0) return;
  throw new Problem(
    "REQUIRED_FIELD_MISSING",
    `A bill of ${offer.brandName} is retrieved with ${missing.join(", ")}.`,
    Object.fromEntries(missing.map((name) => [name, "is required"])),
  );
}

function toBill(offer: BillPayOffer, quote: Quote, retrievedAt: number): Bill {
  const { cost, price, send } = offer;
  return {
    send: quote.send,
    sendCurrency: send.currency,
    sendCurrencyDivisor: send.currencyDivisor,
    cost: quote.costBase,
    costCurrency: cost.currency,
    costCurrencyDivisor: cost.currencyDivisor,
    costFee: cost.fee,
    costFeePct: cost.feePct,
    costFeeTotal: quote.costFee,
    costTotal: quote.costBase + quote.costFee,
    price: quote.priceBase,
    priceCurrency: price.currency,
    priceCurrencyDivisor: price.currencyDivisor,
    priceFee: quote.priceFee,
    priceFx: price.fx ?? 0,
    priceType: offer.priceType,
    createdAt: toTimestamp(retrievedAt),
  };
}

/** Minor units of the offer's send currency. */
interface RetrievedBill {
  amountDue: number;
  retrievedAt: number;
}

/** Required fields by name. They identify a bill. */
type BillFields = Readonly<Record<string, string>>;

/** Stores a bill in place of an earlier answer for the same fields. */
async function recordBill(
  tx: Tx,
  scope: Scope,
  bill: RetrievedBill & { offer: BillPayOffer; fields: BillFields },
): Promise<void> {
  const answer = { amount_due: bill.amountDue, retrieved_at: bill.retrievedAt };
  await tx
    .insertInto("retrieved_bills")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      offer_id: bill.offer.offerId,
      bill_key: keyOf(bill.offer, bill.fields),
      ...answer,
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "environment", "offer_id", "bill_key"]).doUpdateSet(answer),
    )
    .execute();
}

async function findBill(
  db: Db | Tx,
  scope: Scope,
  offer: BillPayOffer,
  fields: BillFields,
): Promise<RetrievedBill | undefined> {
  const row = await db
    .selectFrom("retrieved_bills")
    .select(["amount_due", "retrieved_at"])
    .where(inScope(scope))
    .where("offer_id", "=", offer.offerId)
    .where("bill_key", "=", keyOf(offer, fields))
    .executeTakeFirst();
  return row && { amountDue: row.amount_due, retrievedAt: row.retrieved_at };
}

function keyOf(offer: BillPayOffer, fields: BillFields): string {
  return JSON.stringify(offer.billRetrievalRequiredFields.map((name) => fields[name] ?? ""));
}

export function createBillpayModule(deps: BillDeps) {
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
