import type { Static, TSchema } from "typebox";
import type { ErrorCode } from "../../../../contract/error-codes.ts";
import type { WantedLine } from "../../../../contract/pos/sale-lines.ts";
import { Problem } from "../../../../contract/problem.ts";
import type { PurchaseExtras } from "../../../../contract/v1/fulfilment.ts";
import type { Offer, ProductFamily } from "../../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../../contract/v1/purchase-record.ts";
import type { Scope } from "../../../../db/changes.ts";
import { toTimestamp } from "../../../../lib/clock.ts";
import { orderFieldsBy } from "../../../../lib/field-order.ts";
import { toLogItem } from "../../../books/transactions/index.ts";
import {
  type CatalogService,
  type PricedScope,
  quoteOffer,
  sendUnitOf,
} from "../../../catalog/catalog/index.ts";
import type { BillService } from "../../billpay/index.ts";
import { isOf, type PurchaseOf, type StoredPurchase } from "../purchase-store.ts";
import type { NewPurchase } from "../purchase-writes.ts";

export const VALUE_REFUSALS = [
  "VALUE_REQUIRED",
  "VALUE_NOT_ALLOWED",
  "VALUE_OUT_OF_RANGE",
] as const satisfies readonly ErrorCode[];

export interface PrepareDeps {
  catalog: Pick<CatalogService, "getOfferForSale">;
  bills: Pick<BillService, "checkPayment">;
}

export type LineToBuy = WantedLine & { transactionId: string };
export const LINE_FIELDS = [
  "recipientPhoneNumber",
  "fields",
  "iccid",
  "value",
  "sender",
  "recipient",
] as const satisfies readonly (keyof WantedLine)[];
type LineField = (typeof LINE_FIELDS)[number];

interface Described {
  buying: string;
  /** Error codes in addition to the codes of every purchase. */
  refusals: readonly ErrorCode[];
  /** All other fields of a line are refused. */
  lineFields: Readonly<Partial<Record<LineField, "required" | "optional">>>;
}

interface OwnFamily<F extends ProductFamily, Input extends TSchema, Row extends TSchema>
  extends Described {
  input: Input;
  record: Row;
  quote: TSchema;
  /**
   * Checks the input and quotes the price. Writes nothing.
   * @throws Problem OFFER_NOT_FOUND, OFFER_DISABLED and the `refusals`
   */
  prepare(deps: PrepareDeps, scope: PricedScope, input: Static<Input>): Promise<NewPurchase>;
  inputOf(line: LineToBuy): Static<Input>;
  toRecord(purchase: PurchaseOf<F>): Static<Row>;
}

export interface PurchasedFamily extends Described {
  input: TSchema;
  record: TSchema;
  quote: TSchema;
  /** @param input fits the schema `input` */
  prepare(deps: PrepareDeps, scope: PricedScope, input: unknown): Promise<NewPurchase>;
  prepareLine(deps: PrepareDeps, scope: Scope, line: LineToBuy): Promise<NewPurchase>;
  /** @throws RangeError for a purchase of another family */
  toRecord(purchase: StoredPurchase): object;
  /** @throws RangeError for a purchase of another family */
  toQuote(purchase: StoredPurchase): object;
}

/**
 * Hides the family's own types. Fastify checks bodies against `input` and responses against
 * `record`.
 */
export function purchasedFamily<
  F extends ProductFamily,
  Input extends TSchema,
  Row extends TSchema,
>(family: F, own: OwnFamily<F, Input, Row>): PurchasedFamily {
  // A webhook must have the same bytes as the response to GET, which Fastify orders by the schema.
  const inOrder = orderFieldsBy(own.record);
  // The response has two schemas, and is not ordered by either.
  const withoutOutcome = orderFieldsBy(own.quote);
  const toRecord = (purchase: StoredPurchase) => {
    if (isOf(family, purchase)) return own.toRecord(purchase);
    throw new RangeError(`a purchase of ${purchase.offer.productType} is not one of ${family}`);
  };
  return {
    ...own,
    prepare: (deps, scope, input) => own.prepare(deps, scope, input as Static<Input>),
    prepareLine: (deps, scope, line) => own.prepare(deps, scope, own.inputOf(line)),
    toRecord: (purchase) => inOrder(toRecord(purchase)),
    toQuote: (purchase) => withoutOutcome(toRecord(purchase)),
  };
}

export function prepared(
  scope: Scope,
  offer: Offer,
  input: { transactionId: string; value?: PurchaseValue },
  { recipient, extras }: { recipient: string; extras: PurchaseExtras },
): NewPurchase {
  const quote = quoteOffer(offer, input.value);
  requireNoZero(offer, quote);
  return {
    accountId: scope.accountId,
    environment: scope.environment,
    transactionId: input.transactionId,
    offer,
    recipient,
    value: input.value,
    extras,
    quote,
  };
}

/**
 * Refuses amounts that round to zero, for which the provider would charge
 * (rules#purchase-no-zero).
 * @throws Problem OFFER_DISABLED; for a RANGE offer VALUE_OUT_OF_RANGE
 */
function requireNoZero(offer: Offer, { costBase, priceBase, send }: NewPurchase["quote"]): void {
  const amounts = [costBase, priceBase, ...("send" in offer ? [send] : [])];
  if (amounts.every((amount) => amount > 0)) return;
  if (offer.priceType === "RANGE") {
    throw new Problem("VALUE_OUT_OF_RANGE", "The value is so small that an amount of it is zero.", {
      "value.value": "must be larger",
    });
  }
  throw new Problem("OFFER_DISABLED", `The offer ${offer.offerId} has an amount of zero.`, {
    offerId: "has a cost, a price or a delivered amount of zero",
  });
}

/** rules#record-whole */
export function commonFields(purchase: StoredPurchase) {
  const { transaction, offer, quote, value } = purchase;
  return {
    transactionId: transaction.transactionId,
    offerId: offer.offerId,
    brand: offer.brand,
    brandName: offer.brandName,
    country: offer.country,
    status: transaction.status,
    createdAt: toTimestamp(transaction.createdAt),
    updatedAt: toTimestamp(transaction.updatedAt),
    ...(transaction.error && { error: transaction.error }),
    log: transaction.log.map(toLogItem),
    cost: quote.costBase + quote.costFee,
    costBase: quote.costBase,
    costFee: quote.costFee,
    costCurrency: transaction.currency,
    costCurrencyDivisor: transaction.currencyDivisor,
    price: quote.priceBase + quote.priceFee,
    priceBase: quote.priceBase,
    priceFee: quote.priceFee,
    priceCurrency: offer.price.currency,
    priceCurrencyDivisor: offer.price.currencyDivisor,
    priceType: offer.priceType,
    productType: transaction.productType,
    regions: offer.regions,
    subTypes: offer.subTypes,
    notes: offer.notes,
    shortNotes: offer.shortNotes,
    ...(value && { value }),
  };
}

export function sendFields({ offer, quote }: StoredPurchase) {
  const { currency, currencyDivisor } = sendUnitOf(offer);
  return { send: quote.send, sendCurrency: currency, sendCurrencyDivisor: currencyDivisor };
}
