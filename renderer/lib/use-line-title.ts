import { useTranslation } from "react-i18next";
import { kindWords } from "./kind-words.ts";
import { type Sold, soldTitle } from "./sold-title.ts";
import { useFormat } from "./use-format.ts";

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
