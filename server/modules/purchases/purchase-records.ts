import type { BillPayPurchase } from "../../contract/v1/billpay-purchases.ts";
import type { EsimPurchase } from "../../contract/v1/esim-purchases.ts";
import type { ProductFamily } from "../../contract/v1/offers.ts";
import type { TopupPurchase } from "../../contract/v1/topup-purchases.ts";
import type { VoucherPurchase } from "../../contract/v1/voucher-purchases.ts";
import { toTimestamp } from "../../lib/clock.ts";
import { sendUnitOf } from "../catalog/index.ts";
import { toLogItem } from "../transactions/index.ts";
import { isOf, type PurchaseOf, type StoredPurchase } from "./purchase-store.ts";

/** The fields that all purchase records have (rules#record-whole). */
function commonFields(purchase: StoredPurchase) {
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

function sendFields({ offer, quote }: StoredPurchase) {
  const { currency, currencyDivisor } = sendUnitOf(offer);
  return { send: quote.send, sendCurrency: currency, sendCurrencyDivisor: currencyDivisor };
}

/** The topup purchase record. */
export function toTopupRecord(purchase: PurchaseOf<"TOPUP">): TopupPurchase {
  const { offer, extras, fulfilment } = purchase;
  return {
    ...commonFields(purchase),
    recipientPhoneNumber: purchase.recipient,
    ...sendFields(purchase),
    ...(extras.sender && { sender: extras.sender }),
    ...(fulfilment && { confirmation: fulfilment.confirmation }),
    dataGB: offer.dataGB,
    dataUnlimited: offer.dataUnlimited,
    durationDays: offer.durationDays,
    smsNumber: offer.smsNumber,
    smsUnlimited: offer.smsUnlimited,
    voiceMinutes: offer.voiceMinutes,
    voiceUnlimited: offer.voiceUnlimited,
  };
}

/** The voucher purchase record (rules#voucher-receipt). */
export function toVoucherRecord(purchase: PurchaseOf<"VOUCHER">): VoucherPurchase {
  const { extras, fulfilment, withheld } = purchase;
  const { currencyDivisor } = sendUnitOf(purchase.offer);
  return {
    ...commonFields(purchase),
    ...sendFields(purchase),
    fields: extras.fields ?? [],
    ...(fulfilment && { confirmation: fulfilment.confirmation }),
    ...(fulfilment?.receipt && {
      receipt: { ...fulfilment.receipt, currencyDivisor, ...(withheld && { withheld }) },
    }),
  };
}

/** The eSIM purchase record (rules#esim-confirmation). */
export function toEsimRecord(purchase: PurchaseOf<"ESIM">): EsimPurchase {
  const { offer, fulfilment, withheld, refundStatus } = purchase;
  return {
    ...commonFields(purchase),
    ...(fulfilment?.esim && {
      confirmation: { ...fulfilment.esim, ...(withheld && { withheld }) },
    }),
    dataGB: offer.dataGB,
    dataSpeeds: offer.dataSpeeds,
    dataUnlimited: offer.dataUnlimited,
    durationDays: offer.durationDays,
    roaming: offer.roaming,
    smsNumber: offer.smsNumber,
    smsUnlimited: offer.smsUnlimited,
    voiceMinutes: offer.voiceMinutes,
    voiceUnlimited: offer.voiceUnlimited,
    ...(refundStatus && { refund: { status: refundStatus } }),
  };
}

/** The BillPay purchase record (rules#bill-parties). */
export function toBillPayRecord(purchase: PurchaseOf<"BILL_PAY">): BillPayPurchase {
  const { extras, fulfilment } = purchase;
  return {
    ...commonFields(purchase),
    ...sendFields(purchase),
    fields: extras.fields ?? [],
    ...(extras.billSender && { sender: extras.billSender }),
    ...(extras.billRecipient && { recipient: extras.billRecipient }),
    ...(fulfilment && { confirmation: fulfilment.confirmation }),
  };
}

/** The record of a purchase of any family, as GET answers it. */
export function toRecord(purchase: StoredPurchase): object {
  return RECORD_OF[purchase.offer.productType](purchase);
}

const RECORD_OF: Record<ProductFamily, (purchase: StoredPurchase) => object> = {
  TOPUP: recordOf("TOPUP", toTopupRecord),
  VOUCHER: recordOf("VOUCHER", toVoucherRecord),
  ESIM: recordOf("ESIM", toEsimRecord),
  BILL_PAY: recordOf("BILL_PAY", toBillPayRecord),
};

function recordOf<Family extends ProductFamily>(
  family: Family,
  toRecordOf: (purchase: PurchaseOf<Family>) => object,
) {
  return (purchase: StoredPurchase) => {
    if (isOf(family, purchase)) return toRecordOf(purchase);
    throw new RangeError(`a purchase of ${purchase.offer.productType} is not one of ${family}`);
  };
}
