import { toTimestamp } from "../../../../lib/clock.ts";
import { toLogItem } from "../../../books/transactions/index.ts";
import { sendUnitOf } from "../../../catalog/catalog/index.ts";
import type { StoredPurchase } from "../purchase-store.ts";

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
