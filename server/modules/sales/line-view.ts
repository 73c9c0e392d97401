import type { Outcome } from "../../contract/pos/outcome.ts";
import type { SaleLine } from "../../contract/pos/sale-lines.ts";
import { SECOND, toTimestamp } from "../../lib/clock.ts";
import { type CatalogBrand, sendUnitOf } from "../catalog/index.ts";
import { areaOf } from "../counter-catalog/index.ts";
import { formatPhoneNumber } from "../phone-lookup/index.ts";
import { isBeingFoundOut, openUntil, type StoredPurchase } from "../purchases/index.ts";
import type { SaleLineRow } from "./sale-store.ts";
import { toEsimSlip, toVoucherSlip } from "./slips.ts";

/** A purchase without an outcome this long after acceptance is called slow. */
const SLOW_AFTER_MS = 30 * SECOND;

export interface LineSurroundings {
  brand: CatalogBrand | undefined;
  givenBack: boolean;
  /** The shop's. */
  language: string;
  /** Until when delivered details are shown. */
  slipUntil: number | "always" | "never";
  /** Whether the recipient is shown. */
  showsRecipient: boolean;
  now: number;
}

/** A line as the till shows it. */
export function viewLine(
  line: SaleLineRow,
  purchase: StoredPurchase,
  around: LineSurroundings,
): SaleLine {
  const { transaction, offer, quote, value, fulfilment, nextAttemptAt } = purchase;
  const { currency: sendCurrency, currencyDivisor: sendCurrencyDivisor } = sendUnitOf(offer);
  const area = areaOf(offer);
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
    ...serviceOf(offer),
    ...(area && { area }),
    ...(around.showsRecipient ? recipientOf(line, purchase) : { recipientFormatted: "" }),
    ...(value && { value }),
    price: line.price,
    discount: line.discount,
    send: quote.send,
    sendCurrency,
    sendCurrencyDivisor,
    status: transaction.status,
    outcome: outcomeOf(purchase, around.now),
    slowAfter: toTimestamp(slowAfterOf(purchase)),
    keepTryingUntil: toTimestamp(openUntil(purchase)),
    ...(isBeingFoundOut(purchase) && { beingFoundOut: true }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: toTimestamp(nextAttemptAt) }),
    ...(transaction.finishedAt !== undefined && {
      finishedAt: toTimestamp(transaction.finishedAt),
    }),
    ...(fulfilment && {
      confirmationNumber: fulfilment.confirmation.confirmationNumber,
      referenceNumber: fulfilment.confirmation.externalReferenceId,
    }),
    ...slipOf(purchase, around),
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

function serviceOf({ productType, subTypes }: StoredPurchase["offer"]): Pick<SaleLine, "service"> {
  const [service] = subTypes;
  return productType === "BILL_PAY" && service !== undefined ? { service } : {};
}

function recipientOf(
  { recipient }: SaleLineRow,
  { offer, extras }: StoredPurchase,
): Pick<SaleLine, "recipientPhoneNumber" | "recipientFormatted" | "fields" | "iccid"> {
  return {
    ...(offer.productType === "TOPUP" && { recipientPhoneNumber: recipient }),
    recipientFormatted: formatPhoneNumber(recipient),
    ...(extras.fields && { fields: extras.fields }),
    ...(extras.iccid !== undefined && { iccid: extras.iccid }),
  };
}

/** Whether a purchase delivered something that a customer redeems. */
function hasSlip({ fulfilment }: Pick<StoredPurchase, "fulfilment">): boolean {
  return fulfilment?.receipt !== undefined || fulfilment?.esim !== undefined;
}

function slipOf(
  { offer, fulfilment, withheld }: StoredPurchase,
  { slipUntil, brand, language }: LineSurroundings,
): Pick<SaleLine, "slip" | "slipUntil" | "voucher" | "esim"> {
  if (!fulfilment || !hasSlip({ fulfilment })) return { slip: "NONE" };
  if (withheld !== undefined) return { slip: withheld };
  if (slipUntil === "never") return { slip: "HIDDEN" };
  const { receipt, esim } = fulfilment;
  const { country } = offer;
  return {
    slip: "SHOWN",
    ...(slipUntil !== "always" && { slipUntil: toTimestamp(slipUntil) }),
    ...(receipt && { voucher: toVoucherSlip(receipt, { brand, country, language }) }),
    ...(esim && { esim: toEsimSlip(esim) }),
  };
}

function slowAfterOf({ transaction }: StoredPurchase): number {
  return transaction.createdAt + SLOW_AFTER_MS;
}

/** The outcome of a line (rules#sale-outcomes): SENDING while nothing unusual has happened. */
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
