import type { PosBill, PosBillInput } from "../../../../../server/contract/pos/bills.ts";
import type { PosBillOffer } from "../../../../../server/contract/pos/offers.ts";
import { type FieldsState, givenFields } from "../../picker/fields/fields-state.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";

/** What of the typed fields the biller is asked for a bill with. */
export function billAsked(offer: PosBillOffer, fields: FieldsState): PosBillInput {
  const retrieval = offer.retrievalFields.map(({ key }) => key);
  return {
    offerId: offer.offerId,
    fields: givenFields(fields, offer.requiredFields)
      .filter(({ key }) => retrieval.includes(key))
      .map(({ key, value }) => ({ key, value })),
  };
}

/**
 * The payment as a line.
 * @param due the bill it is for, where the biller could be asked
 */
export function itemOfBill(
  offer: PosBillOffer,
  fields: FieldsState,
  amounts: Pick<LineItem, "value" | "price" | "send">,
  due?: PosBill,
): LineItem {
  const { offerId, brand, brandName, brandColor, country, title, price, send } = offer;
  const [service] = offer.subTypes;
  return {
    productType: "BILL_PAY",
    offerId,
    brand,
    brandName,
    brandColor,
    country,
    title,
    fields: givenFields(fields, offer.requiredFields),
    priceCurrency: price.currency,
    priceCurrencyDivisor: price.currencyDivisor,
    sendCurrency: send.currency,
    sendCurrencyDivisor: send.currencyDivisor,
    ...amounts,
    ...(due && { due: due.send }),
    ...(service && { service }),
  };
}
