import type { FigureChannel } from "../contract/pos/figures.ts";
import type { TaxKind } from "../contract/pos/taxes.ts";

/**
 * Stored codes of `purchases.channel`. A purchase stores null for the till. The schema reserves `H`
 * for hosted payment pages.
 */
export const CHANNEL_CODES = { TILL: null, API: "A", BULK: "B" } as const satisfies Record<
  FigureChannel,
  string | null
>;

/**
 * SQL condition: the purchase (`p`) was made through `/v1`, and its cost in the shop's currency is
 * known. Earlier versions did not store that cost.
 */
export const API_SALE = `p.channel = '${CHANNEL_CODES.API}' and p.shop_cost is not null`;

/** SQL of the price of a purchase (`p`) through `/v1`. */
export const API_PRICE = "p.price_base + p.price_fee";

interface Tax {
  kind: TaxKind;
  percent: string;
}

/** Returns the stored text of a tax: `P12` on the price, `M12` on the margin, null without tax. */
export function toTaxCode({ kind, percent }: Tax): string | null {
  return kind === "NONE" ? null : `${kind === "ON_PRICE" ? "P" : "M"}${percent}`;
}

/** SQL of the kind and the percentage of a purchase (`p`) with tax. */
export const TAX_OF_API_SALE = {
  kind: "case substr(p.tax_rate, 1, 1) when 'P' then 'ON_PRICE' else 'ON_MARGIN' end",
  percent: "substr(p.tax_rate, 2)",
};
