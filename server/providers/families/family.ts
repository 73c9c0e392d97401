import type { BillPayPurchaseInput } from "../../contract/v1/billpay-purchases.ts";
import type { EsimPurchaseInput } from "../../contract/v1/esim-purchases.ts";
import type { Fulfilment } from "../../contract/v1/fulfilment.ts";
import type { Confirmation, PurchaseValue } from "../../contract/v1/purchase-record.ts";
import type { TopupPurchaseInput } from "../../contract/v1/topup-purchases.ts";
import type { VoucherPurchaseInput } from "../../contract/v1/voucher-purchases.ts";
import type { FieldReader, Importance } from "../field-reader.ts";
import type { Order } from "../provider.ts";

export type PurchaseInput =
  | TopupPurchaseInput
  | VoucherPurchaseInput
  | EsimPurchaseInput
  | BillPayPurchaseInput;

/** What a buyer is given beside the confirmation of the provider. */
export type Delivered = Omit<Fulfilment, "confirmation">;

/** How one family is ordered and delivered. */
export interface SuppliedFamily {
  /**
   * What the sandbox provider hands over.
   * @param digest of the order, see `digestOf`: all that is made up follows from it
   */
  simulate(order: Order, digest: Buffer, confirmation: Confirmation): Delivered;
  /** The body that buys an order at another gateway, under our transaction id (rules#idempotency-upstream-key). */
  toPurchaseInput(order: Order): PurchaseInput;
  /** Importance of the confirmation's number and time: "needed" where they are the proof of delivery. */
  confirmation: Importance;
  /**
   * Reads what another gateway handed over with an order that it calls DONE. A part that cannot be read
   * is empty, and a part without which the customer can do nothing is noted as needed.
   */
  readDelivered(order: Order, record: FieldReader): Delivered;
}

/** What every body has that buys at another gateway. */
export function inputHead({ offer, transactionId }: Order) {
  return { offerId: offer.offerId, transactionId };
}

/**
 * The amount of a RANGE offer, as another gateway is asked for it: what is delivered is the same at
 * both ends; cost and price have each their own.
 */
export function inputValue({ offer, send }: Order): { value?: PurchaseValue } {
  return offer.priceType === "RANGE" ? { value: { type: "ZEND", value: send } } : {};
}
