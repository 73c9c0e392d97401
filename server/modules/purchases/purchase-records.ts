import type { TopupPurchase, VoucherPurchase } from "../../contract/v1/purchases.ts";
import { toTimestamp } from "../../lib/clock.ts";
import { toLogItem } from "../transactions/index.ts";
import type { PurchaseOf, StoredPurchase } from "./purchase-store.ts";

/** Purchase record common fields (spec §2.6). */
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
  return {
    send: quote.send,
    sendCurrency: offer.send.currency,
    sendCurrencyDivisor: offer.send.currencyDivisor,
  };
}

/** The topup purchase record of spec §2.6. */
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

/** The voucher purchase record of spec §2.6. */
export function toVoucherRecord(purchase: PurchaseOf<"VOUCHER">): VoucherPurchase {
  const { extras, fulfilment } = purchase;
  return {
    ...commonFields(purchase),
    ...sendFields(purchase),
    fields: extras.fields ?? [],
    ...(fulfilment && { confirmation: fulfilment.confirmation }),
    ...(fulfilment?.receipt && { receipt: fulfilment.receipt }),
  };
}
