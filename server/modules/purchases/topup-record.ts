import type { TopupPurchase } from "../../contract/v1/purchases.ts";
import { toTimestamp } from "../../lib/clock.ts";
import { toLogItem } from "../transactions/index.ts";
import type { StoredPurchase } from "./purchase-store.ts";

/** The topup purchase record of spec §2.6. */
export function toTopupRecord(purchase: StoredPurchase): TopupPurchase {
  const { transaction, offer, quote, value, extras, confirmation } = purchase;
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
    recipientPhoneNumber: purchase.recipient,
    send: quote.send,
    sendCurrency: offer.send.currency,
    sendCurrencyDivisor: offer.send.currencyDivisor,
    ...(extras.sender && { sender: extras.sender }),
    ...(confirmation && { confirmation }),
    dataGB: offer.dataGB,
    dataUnlimited: offer.dataUnlimited,
    durationDays: offer.durationDays,
    smsNumber: offer.smsNumber,
    smsUnlimited: offer.smsUnlimited,
    voiceMinutes: offer.voiceMinutes,
    voiceUnlimited: offer.voiceUnlimited,
  };
}
