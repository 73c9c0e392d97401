import type { PosVoucherOffer } from "../../../../../server/contract/pos/offers.ts";
import { amountsOf } from "../../picker/amount/amount-state.ts";
import { givenFields } from "../../picker/fields/fields-state.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";
import type { VoucherState } from "./voucher-state.ts";

/** The voucher as a line; undefined while the amount of a RANGE offer is not quoted. */
export function itemOfVoucher(
  offer: PosVoucherOffer,
  { quote, fields }: Pick<VoucherState, "quote" | "fields">,
): LineItem | undefined {
  if (offer.priceType === "RANGE" && !quote) {
    return undefined;
  }
  const { offerId, brand, brandName, brandColor, country, title, price, send } = offer;
  return {
    productType: "VOUCHER",
    offerId,
    brand,
    brandName,
    brandColor,
    country,
    title,
    price: (price.fixed ?? 0) + price.fee,
    priceCurrency: price.currency,
    priceCurrencyDivisor: price.currencyDivisor,
    send: send.fixed ?? 0,
    sendCurrency: send.currency,
    sendCurrencyDivisor: send.currencyDivisor,
    ...(quote && amountsOf(quote)),
    fields: givenFields(fields, offer.requiredFields),
  };
}
