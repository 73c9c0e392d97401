import type { Outcome } from "../../contract/pos/outcome.ts";
import type { SaleLine } from "../../contract/pos/sale-lines.ts";
import { SECOND, toTimestamp } from "../../lib/clock.ts";
import { type CatalogBrand, sendUnitOf } from "../catalog/index.ts";
import { formatPhoneNumber } from "../phone-lookup/index.ts";
import { type StoredPurchase, windowEnd } from "../purchases/index.ts";
import type { SaleLineRow } from "./sale-store.ts";
import { toEsimSlip, toVoucherSlip } from "./slips.ts";

/** A purchase that has not been answered this long after acceptance is called slow. */
const SLOW_AFTER_MS = 30 * SECOND;

export interface LineSurroundings {
  brand: CatalogBrand | undefined;
  givenBack: boolean;
  /** The shop's. */
  language: string;
  /** Whether what a customer redeems is shown. */
  withSlips: boolean;
  now: number;
}

/** A line as the till shows it. */
export function viewLine(
  line: SaleLineRow,
  purchase: StoredPurchase,
  around: LineSurroundings,
): SaleLine {
  const { transaction, offer, quote, value, fulfilment, extras, nextAttemptAt } = purchase;
  const { currency: sendCurrency, currencyDivisor: sendCurrencyDivisor } = sendUnitOf(offer);
  return {
    position: line.position,
    transactionId: line.transaction_id,
    productType: line.product_type,
    offerId: offer.offerId,
    brand: offer.brand,
    brandName: offer.brandName,
    brandColor: around.brand?.brandColor ?? "",
    country: offer.country,
    title: offer.shortNotes,
    ...(offer.productType === "TOPUP" && { recipientPhoneNumber: line.recipient }),
    recipientFormatted: formatPhoneNumber(line.recipient),
    ...(extras.fields && { fields: extras.fields }),
    ...(extras.iccid !== undefined && { iccid: extras.iccid }),
    ...(value && { value }),
    price: line.price,
    discount: line.discount,
    send: quote.send,
    sendCurrency,
    sendCurrencyDivisor,
    status: transaction.status,
    outcome: outcomeOf(purchase, around.now),
    slowAfter: toTimestamp(slowAfterOf(purchase)),
    keepTryingUntil: toTimestamp(windowEnd(purchase)),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: toTimestamp(nextAttemptAt) }),
    ...(transaction.finishedAt !== undefined && {
      finishedAt: toTimestamp(transaction.finishedAt),
    }),
    ...(fulfilment && {
      confirmationNumber: fulfilment.confirmation.confirmationNumber,
      referenceNumber: fulfilment.confirmation.externalReferenceId,
    }),
    ...slipsOf(purchase, around),
    givenBack: around.givenBack,
    ...(transaction.error && {
      failure: {
        code: transaction.error.code,
        message: transaction.error.message,
        ...transaction.errorFigures,
        currency: transaction.currency,
        currencyDivisor: transaction.currencyDivisor,
      },
    }),
  };
}

function slipsOf(
  { offer, fulfilment }: StoredPurchase,
  { withSlips, brand, language }: LineSurroundings,
): Pick<SaleLine, "voucher" | "esim"> {
  if (!withSlips || !fulfilment) return {};
  const { receipt, esim } = fulfilment;
  const { country } = offer;
  return {
    ...(receipt && { voucher: toVoucherSlip(receipt, { brand, country, language }) }),
    ...(esim && { esim: toEsimSlip(esim) }),
  };
}

function slowAfterOf({ transaction }: StoredPurchase): number {
  return transaction.createdAt + SLOW_AFTER_MS;
}

/** The three outcomes of product lesson 5, and SENDING while nothing unusual has happened. */
export function outcomeOf(purchase: StoredPurchase, now: number): Outcome {
  switch (purchase.transaction.status) {
    case "DONE":
      return "DELIVERED";
    case "FAILED":
      return "NOT_DELIVERED";
    case "PENDING":
      return "STILL_SENDING";
    default: {
      const retried = purchase.attempts > 1 || purchase.attemptState === "FAILED";
      return retried || now >= slowAfterOf(purchase) ? "STILL_SENDING" : "SENDING";
    }
  }
}
