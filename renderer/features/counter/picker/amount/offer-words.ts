import type { PosVoucherOffer } from "../../../../../server/contract/pos/offers.ts";
import type { Format } from "../../../../lib/use-format.ts";

type Amounts = Pick<PosVoucherOffer, "title" | "send" | "price">;

/** Returns the delivered amount, or the title if the offer delivers no money. */
export function offerFace({ title, send }: Amounts, format: Format): string {
  const { fixed, min = 0, max = 0, currency, currencyDivisor } = send;
  if (fixed === undefined) {
    return format.moneyRange([min, max], currency, currencyDivisor);
  }
  return fixed > 0 && /^[\d.,\s]+[A-Z]{3}$/.test(title)
    ? format.moneyShort(fixed, currency, currencyDivisor, "code")
    : title;
}

/** Returns the customer's price, including fees. */
export function offerPrice({ price }: Pick<Amounts, "price">, format: Format): string {
  const { fixed, min = 0, max = 0, fee, currency, currencyDivisor } = price;
  return fixed === undefined
    ? format.moneyRange([min + fee, max + fee], currency, currencyDivisor)
    : format.money(fixed + fee, currency, currencyDivisor);
}
