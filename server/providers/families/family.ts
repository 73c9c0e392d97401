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

export type Delivered = Omit<Fulfilment, "confirmation">;

export interface SuppliedFamily {
  /**
   * Returns the delivery of the sandbox provider.
   * @param digest digest of the order, from which all values are derived
   */
  simulate(order: Order, digest: Buffer, confirmation: Confirmation): Delivered;
  /**
   * Builds the request body that buys an order at another gateway, with this gateway's transaction
   * id (rules#idempotency-upstream-key).
   */
  toPurchaseInput(order: Order): PurchaseInput;
  /** "needed" if the confirmation's number and time are the proof of the delivery. */
  confirmation: Importance;
  /**
   * Reads the delivery of an order that another gateway reports as DONE. Replaces unreadable parts
   * by empty values, and notes missing parts.
   */
  readDelivered(order: Order, record: FieldReader): Delivered;
}

export function inputHead({ offer, transactionId }: Order) {
  return { offerId: offer.offerId, transactionId };
}

/** Returns the delivered amount for a request, because cost and price differ between gateways. */
export function inputValue({ offer, send }: Order): { value?: PurchaseValue } {
  return offer.priceType === "RANGE" ? { value: { type: "ZEND", value: send } } : {};
}
