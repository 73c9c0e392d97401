import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import { isolateNamed, isolateText } from "./direction.ts";
import { saysBrand } from "./offer-title.ts";

/** What a line says of what it sells; amounts in minor units of the currency beside them. */
export interface Sold {
  readonly brandName: string;
  readonly title: string;
  /** What a bill is for, as the catalog says it: "Electricity". */
  readonly service?: string | undefined;
  readonly value?: SaleLine["value"];
  readonly send?: number;
  readonly sendCurrency?: string;
  readonly sendCurrencyDivisor?: number;
}

/** How one language says the parts of it: the clerk's on the screen, the customer's on paper. */
export interface SoldWords {
  readonly locale: string;
  readonly contents: (title: string) => string;
  readonly kind: (kind: string) => string;
  readonly delivered: (minor: number, currency: string, divisor: number) => string;
  /** Of an amount that is not known yet. */
  readonly anyAmount: string;
}

/**
 * What is sold, as its name: "Tigo 12 GB, 30 days", "EEGSA · Electricity · Q 200". What the customer
 * chose the amount of is named by the amount that was chosen: its title has nothing but limits.
 */
export function soldTitle(sold: Sold, words: SoldWords): string {
  const { brandName, title, value, service = "" } = sold;
  const contents = value === undefined ? words.contents(title) : amountOf(sold, words);
  if (service !== "") {
    const parts = [brandName, words.kind(service), contents ?? words.anyAmount];
    return parts.map((part) => isolateText(part, words.locale)).join(" · ");
  }
  if (contents === undefined) {
    return `${isolateText(brandName, words.locale)} · ${words.anyAmount}`;
  }
  return saysBrand(contents, brandName)
    ? isolateText(contents, words.locale)
    : isolateNamed(brandName, contents, words.locale);
}

function amountOf(
  { send, sendCurrency, sendCurrencyDivisor }: Sold,
  words: SoldWords,
): string | undefined {
  return send !== undefined && sendCurrency && sendCurrencyDivisor
    ? words.delivered(send, sendCurrency, sendCurrencyDivisor)
    : undefined;
}
