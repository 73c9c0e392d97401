import type { PosBrand } from "../../../../../server/contract/pos/brands.ts";
import type { PosEarlierSale, PosPhone } from "../../../../../server/contract/pos/counter.ts";
import type { PosTopupOffer } from "../../../../../server/contract/pos/offers.ts";
import type { PosQuote } from "../../../../../server/contract/pos/quotes.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";

interface Recipient {
  readonly phone: PosPhone | undefined;
  readonly chosenBrand: PosBrand | undefined;
}

/**
 * An offer for the typed number. A FIXED offer says its amounts itself, so that nothing waits for
 * the network; a RANGE offer needs the quote for its value.
 */
export function itemOfOffer(
  { phone, chosenBrand }: Recipient,
  offer: PosTopupOffer,
  quote?: PosQuote,
): LineItem | undefined {
  if (!phone || (offer.priceType === "RANGE" && !quote)) {
    return undefined;
  }
  const brands = chosenBrand ? [chosenBrand, ...phone.brands] : phone.brands;
  const brand = brands.find((candidate) => candidate.brand === offer.brand);
  return {
    productType: "TOPUP",
    number: phone.number,
    formatted: phone.formatted,
    country: phone.country,
    brand: offer.brand,
    brandName: offer.brandName,
    brandColor: brand?.brandColor ?? "",
    offerId: offer.offerId,
    title: offer.title,
    ...(quote?.value && { value: quote.value }),
    price: quote?.price ?? (offer.price.fixed ?? 0) + offer.price.fee,
    priceCurrency: offer.price.currency,
    priceCurrencyDivisor: offer.price.currencyDivisor,
    send: quote?.send ?? offer.send.fixed ?? 0,
    sendCurrency: offer.send.currency,
    sendCurrencyDivisor: offer.send.currencyDivisor,
  };
}

/** An earlier sale again, at the price it had; the exact amounts follow with a quote. */
export function itemOfEarlier(earlier: PosEarlierSale): LineItem {
  return {
    productType: "TOPUP",
    number: earlier.recipientPhoneNumber,
    formatted: earlier.recipientFormatted,
    country: earlier.country,
    brand: earlier.brand,
    brandName: earlier.brandName,
    brandColor: earlier.brandColor,
    offerId: earlier.offerId,
    title: earlier.title,
    ...(earlier.value && { value: earlier.value }),
    price: earlier.price,
    priceCurrency: earlier.priceCurrency,
    priceCurrencyDivisor: earlier.priceCurrencyDivisor,
  };
}
