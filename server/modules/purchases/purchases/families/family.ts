import type { Static, TSchema } from "typebox";
import type { ErrorCode } from "../../../../contract/error-codes.ts";
import type { WantedLine } from "../../../../contract/pos/sale-lines.ts";
import { Problem } from "../../../../contract/problem.ts";
import type { PurchaseExtras } from "../../../../contract/v1/fulfilment.ts";
import type { Offer, ProductFamily } from "../../../../contract/v1/offers.ts";
import type { PurchaseValue } from "../../../../contract/v1/purchase-record.ts";
import type { Scope } from "../../../../db/changes.ts";
import { orderFieldsBy } from "../../../../lib/field-order.ts";
import {
  type CatalogService,
  type PricedScope,
  quoteOffer,
} from "../../../catalog/catalog/index.ts";
import type { BillService } from "../../billpay/index.ts";
import { isOf, type PurchaseOf, type StoredPurchase } from "../purchase-store.ts";
import type { NewPurchase } from "../purchase-writes.ts";

export const VALUE_REFUSALS = [
  "VALUE_REQUIRED",
  "VALUE_NOT_ALLOWED",
  "VALUE_OUT_OF_RANGE",
] as const satisfies readonly ErrorCode[];

/** Dependencies of the checks of a purchase. */
export interface PrepareDeps {
  catalog: Pick<CatalogService, "getOfferForSale">;
  bills: Pick<BillService, "checkPayment">;
}

/** A line of a sale whose amount and offer are known. */
export type LineToBuy = WantedLine & { transactionId: string };
/** Optional fields of a line, beside its offer. */
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
  /** The summary of the operation that buys from this family. */
  buying: string;
  /** Error codes of this family, in addition to those of every purchase. */
  refusals: readonly ErrorCode[];
  /** Fields that a line of a sale accepts; all others are refused. */
  lineFields: Readonly<Partial<Record<LineField, "required" | "optional">>>;
}

/** How one family is bought and shown, in its own types. */
interface OwnFamily<F extends ProductFamily, Input extends TSchema, Row extends TSchema>
  extends Described {
  /** The body of `POST /<family>/purchases`. */
  input: Input;
  /** The record that a purchase returns. */
  record: Row;
  /**
   * Checks a purchase against the catalog and calculates its amounts. Writes nothing.
   * @throws Problem OFFER_NOT_FOUND, OFFER_DISABLED and the `refusals`
   */
  prepare(deps: PrepareDeps, scope: PricedScope, input: Static<Input>): Promise<NewPurchase>;
  /** Returns the same purchase from a line of a sale. */
  inputOf(line: LineToBuy): Static<Input>;
  toRecord(purchase: PurchaseOf<F>): Static<Row>;
}

/** A family without its own types, for callers that handle purchases of any family. */
export interface PurchasedFamily extends Described {
  input: TSchema;
  record: TSchema;
  /** @param input fits the schema `input` */
  prepare(deps: PrepareDeps, scope: PricedScope, input: unknown): Promise<NewPurchase>;
  prepareLine(deps: PrepareDeps, scope: Scope, line: LineToBuy): Promise<NewPurchase>;
  /** @throws RangeError for a purchase of another family */
  toRecord(purchase: StoredPurchase): object;
}

/**
 * A family of the list. Fastify checks by these schemas that a body fits `input` and that an answer
 * fits `record`; the compiler cannot see through their parameters.
 */
export function purchasedFamily<
  F extends ProductFamily,
  Input extends TSchema,
  Row extends TSchema,
>(family: F, own: OwnFamily<F, Input, Row>): PurchasedFamily {
  // A webhook has the same bytes as the response to GET, which its schema puts in order.
  const inOrder = orderFieldsBy(own.record);
  return {
    ...own,
    prepare: (deps, scope, input) => own.prepare(deps, scope, input as Static<Input>),
    prepareLine: (deps, scope, line) => own.prepare(deps, scope, own.inputOf(line)),
    toRecord(purchase) {
      if (isOf(family, purchase)) return inOrder(own.toRecord(purchase));
      throw new RangeError(`a purchase of ${purchase.offer.productType} is not one of ${family}`);
    },
  };
}

/** The purchase of an offer, with its amounts. */
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
 * Refuses a purchase whose cost, price or delivered amount is zero: the provider would charge for it
 * (rules#purchase-no-zero).
 * @throws Problem OFFER_DISABLED, of a RANGE offer VALUE_OUT_OF_RANGE
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
