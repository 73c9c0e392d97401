import type { CatalogBrand } from "../../../contract/catalog-content.ts";
import { splitBill } from "../../../contract/pos/bill-amounts.ts";
import { FAMILY_FACTS } from "../../../contract/pos/families.ts";
import type { NumberCheck } from "../../../contract/pos/number-check.ts";
import type { Outcome } from "../../../contract/pos/outcome.ts";
import type { EsimDetails, SaleLine, VoucherDetails } from "../../../contract/pos/sale-lines.ts";
import type { Fulfilment } from "../../../contract/v1/fulfilment.ts";
import { SECOND, toTimestamp } from "../../../lib/clock.ts";
import { toLpaCode } from "../../../lib/esim-profile.ts";
import { isRedeemable } from "../../../providers/redeemable.ts";
import { pickInstructions, sendUnitOf } from "../../catalog/catalog/index.ts";
import { getArea } from "../../catalog/counter-catalog/index.ts";
import { formatPhoneNumber } from "../../catalog/phone-lookup/index.ts";
import {
  isBeingFoundOut,
  openUntil,
  type StoredPurchase,
} from "../../purchases/purchases/index.ts";
import type { LineRefund } from "./refunded-money-store.ts";
import type { SaleLineRow } from "./sale-store.ts";

const SLOW_AFTER_MS = 30 * SECOND;

const PROOF_FIELDS = ["confirmation", "confirmation.confirmationNumber"];

export interface LineSurroundings {
  brand: CatalogBrand | undefined;
  refund: LineRefund | undefined;
  numberCheck: NumberCheck | undefined;
  language: string;
  detailsUntil: number | "always" | "never";
  showsRecipient: boolean;
  now: number;
}

/** Returns the biller's fee, which is part of the price before the discount. */
function getBillFee({ price }: SaleLineRow, { offer, quote }: StoredPurchase): number {
  const send = sendUnitOf(offer);
  return splitBill({
    price,
    priceFee: quote.priceFee,
    priceCurrency: offer.price.currency,
    priceCurrencyDivisor: offer.price.currencyDivisor,
    send: quote.send,
    sendCurrency: send.currency,
    sendCurrencyDivisor: send.currencyDivisor,
  }).fee;
}

export function viewLine(
  line: SaleLineRow,
  purchase: StoredPurchase,
  around: LineSurroundings,
): SaleLine {
  const { transaction, offer, quote, value, extras, fulfilment, nextAttemptAt } = purchase;
  const { currency: sendCurrency, currencyDivisor: sendCurrencyDivisor } = sendUnitOf(offer);
  const area = getArea(offer);
  const isCanceled = line.returned_at !== null && transaction.status === "DONE";
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
    ...pickService(offer),
    ...(area && { area }),
    ...(around.showsRecipient ? pickRecipient(line, purchase) : { recipientFormatted: "" }),
    ...(value && { value }),
    ...(around.numberCheck && { numberCheck: around.numberCheck }),
    price: line.price,
    discount: line.discount,
    ...(line.product_type === "BILL_PAY" && { fee: getBillFee(line, purchase) }),
    send: quote.send,
    sendCurrency,
    sendCurrencyDivisor,
    ...(extras.billDue !== undefined && { due: extras.billDue }),
    status: transaction.status,
    outcome: isCanceled ? "NOT_DELIVERED" : getOutcome(purchase, around.now),
    ...(isCanceled && { canceled: true }),
    slowAfter: toTimestamp(getSlowAt(purchase)),
    keepTryingUntil: toTimestamp(openUntil(purchase)),
    ...(isBeingFoundOut(purchase) && { beingFoundOut: true }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: toTimestamp(nextAttemptAt) }),
    ...(transaction.finishedAt !== undefined && {
      finishedAt: toTimestamp(transaction.finishedAt),
    }),
    ...(fulfilment && {
      confirmationNumber: fulfilment.confirmation.confirmationNumber,
      referenceNumber: fulfilment.confirmation.externalReferenceId,
      ...(isWithoutConfirmation(purchase) && { noConfirmation: true }),
    }),
    ...(isCanceled ? { details: "NONE" as const } : pickDetails(purchase, around)),
    refunded: around.refund !== undefined,
    ...around.refund,
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

function pickService({
  productType,
  subTypes,
}: StoredPurchase["offer"]): Pick<SaleLine, "service"> {
  const [service] = subTypes;
  return productType === "BILL_PAY" && service !== undefined ? { service } : {};
}

function pickRecipient(
  { recipient }: SaleLineRow,
  { offer, extras }: StoredPurchase,
): Pick<SaleLine, "recipientPhoneNumber" | "recipientFormatted" | "fields" | "iccid"> {
  return {
    // `recipient` is empty after the number was erased.
    ...(FAMILY_FACTS[offer.productType].recipientKind === "number" &&
      recipient !== "" && { recipientPhoneNumber: recipient }),
    recipientFormatted: formatPhoneNumber(recipient),
    ...(extras.fields && { fields: extras.fields }),
    ...(extras.iccid !== undefined && { iccid: extras.iccid }),
  };
}

function hasDetails({ fulfilment }: Pick<StoredPurchase, "fulfilment">): boolean {
  return fulfilment?.receipt !== undefined || fulfilment?.esim !== undefined;
}

/** Returns whether a delivery has neither a confirmation number nor another proof. */
function isWithoutConfirmation({ offer, deviations }: StoredPurchase): boolean {
  const isProved = FAMILY_FACTS[offer.productType].redeemedBy !== "nothing";
  return !isProved && deviations.some(({ field }) => PROOF_FIELDS.includes(field));
}

function pickDetails(
  { offer, extras, fulfilment, withheld }: StoredPurchase,
  { detailsUntil, brand, language }: LineSurroundings,
): Pick<SaleLine, "details" | "detailsUntil" | "voucher" | "esim"> {
  if (!fulfilment || !hasDetails({ fulfilment })) return { details: "NONE" };
  if (withheld !== undefined) return { details: withheld };
  if (!isRedeemable({ offer, extras }, fulfilment)) return { details: "MISSING" };
  if (detailsUntil === "never") return { details: "HIDDEN" };
  const { receipt, esim } = fulfilment;
  const { country } = offer;
  return {
    details: "SHOWN",
    ...(detailsUntil !== "always" && { detailsUntil: toTimestamp(detailsUntil) }),
    ...(receipt && { voucher: toVoucherDetails(receipt, { brand, country, language }) }),
    ...(esim && { esim: toEsimDetails(esim) }),
  };
}

function getSlowAt({ transaction }: StoredPurchase): number {
  return transaction.createdAt + SLOW_AFTER_MS;
}

/** SENDING changes to STILL_SENDING after a delay or a failed attempt (rules#sale-outcomes). */
export function getOutcome(purchase: StoredPurchase, now: number): Outcome {
  switch (purchase.transaction.status) {
    case "DONE":
      return "DELIVERED";
    case "FAILED":
      return "NOT_DELIVERED";
    case "PENDING":
      return "STILL_SENDING";
    default: {
      const retried = purchase.attempts > 1 || purchase.attemptState === "FAILED";
      return retried || now >= getSlowAt(purchase) ? "STILL_SENDING" : "SENDING";
    }
  }
}

/**
 * Returns a voucher with the brand's instructions in the given language or in English, and with the
 * provider's own instructions.
 */
function toVoucherDetails(
  receipt: NonNullable<Fulfilment["receipt"]>,
  {
    brand,
    country,
    language,
  }: { brand: CatalogBrand | undefined; country: string; language: string },
): VoucherDetails {
  const { deliveryType } = receipt;
  const text = brand && pickInstructions(brand, { country, deliveryType, language });
  return {
    deliveryType,
    epin: receipt.epin,
    serialNumber: receipt.voucherId,
    redemptionUrl: receipt.redemptionUrl,
    accountId: receipt.accountId,
    expiresAt: receipt.expiresAt,
    language: text?.language ?? "",
    instructions: text?.redemptionInstructions ?? "",
    terms: text?.terms ?? "",
    providerInstructions: receipt.instructions,
    providerTerms: receipt.terms,
    notes: receipt.notes,
    customerService: receipt.recipientCustomerServiceNumber,
  };
}

function toEsimDetails(esim: NonNullable<Fulfilment["esim"]>): EsimDetails {
  const { iccid, smdpAddress, activationCode, redemptionInstructions } = esim;
  return {
    iccid,
    smdpAddress,
    activationCode,
    qrContent: toLpaCode(esim) ?? "",
    instructions: redemptionInstructions,
  };
}
