import { useTranslation } from "react-i18next";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import { isolateDotted } from "./direction.ts";
import { kindWords } from "./kind-words.ts";
import { offerTitle } from "./offer-title.ts";
import { useFormat } from "./use-format.ts";

export interface Sold {
  readonly brandName: string;
  readonly title: string;
  readonly service?: string | undefined;
  readonly value?: SaleLine["value"];
  readonly send?: number;
  readonly sendCurrency?: string;
  readonly sendCurrencyDivisor?: number;
}

/**
 * Translations of the parts in one language: the clerk's on the screen, the customer's on paper.
 */
export interface SoldWords {
  readonly locale: string;
  readonly contents: (title: string) => string;
  readonly kind: (kind: string) => string;
  readonly delivered: (minor: number, currency: string, divisor: number) => string;
  readonly anyAmount: string;
}

/**
 * Returns a line's title: "Tigo 12 GB, 30 days", "EEGSA · Electricity · Q 200". A RANGE item is
 * named by its chosen amount.
 */
export function soldTitle(sold: Sold, words: SoldWords): string {
  const { brandName, title, value, service = "" } = sold;
  const contents = value === undefined ? words.contents(title) : amountOf(sold, words);
  if (service !== "") {
    const parts = [brandName, words.kind(service), contents ?? words.anyAmount];
    return isolateDotted(parts, words.locale);
  }
  if (contents === undefined) {
    return isolateDotted([brandName, words.anyAmount], words.locale);
  }
  return offerTitle(brandName, contents, words.locale);
}

function amountOf(
  { send, sendCurrency, sendCurrencyDivisor }: Sold,
  words: SoldWords,
): string | undefined {
  return send !== undefined && sendCurrency && sendCurrencyDivisor
    ? words.delivered(send, sendCurrency, sendCurrencyDivisor)
    : undefined;
}

export function useLineTitle(): (sold: Sold) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const words = {
    locale: format.locale,
    contents: format.contents,
    kind: (kind: string) => kindWords(kind, t),
    delivered: (minor: number, currency: string, divisor: number) =>
      format.moneyShort(minor, currency, divisor, "code"),
    anyAmount: t("counter.anyAmount"),
  };
  return (sold) => soldTitle(sold, words);
}
