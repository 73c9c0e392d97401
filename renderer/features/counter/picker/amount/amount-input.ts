import type { PosQuoteInput } from "../../../../../server/contract/pos/counter.ts";
import type { PosVoucherOffer } from "../../../../../server/contract/pos/offers.ts";
import { parseAmount } from "../../../../lib/money.ts";
import type { AmountSide } from "./amount-state.ts";

export type RangeOffer = Pick<
  PosVoucherOffer,
  "offerId" | "brand" | "brandName" | "brandColor" | "price" | "send"
>;

export interface AmountInput {
  /** Undefined if the offer does not allow the typed amount. */
  readonly input: PosQuoteInput | undefined;
  /** Price of the lower step, if the typed price is between two steps. */
  readonly stepped: number | undefined;
}

export function readAmount(
  offer: Pick<RangeOffer, "offerId" | "price" | "send">,
  side: AmountSide,
  text: string,
): AmountInput {
  const range = side === "ZEND" ? offer.send : offer.price;
  const typed = parseAmount(text, range.currencyDivisor);
  const min = Math.max(1, range.min ?? 1);
  if (typed === undefined || typed < min || typed > (range.max ?? typed)) {
    return { input: undefined, stepped: undefined };
  }
  const step = side === "PRICE" ? (offer.price.increment ?? 1) : 1;
  const value = typed - ((typed - (range.min ?? 0)) % step);
  return {
    input: { offerId: offer.offerId, value: { type: side, value } },
    stepped: value === typed ? undefined : value,
  };
}
