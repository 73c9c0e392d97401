import { useTranslation } from "react-i18next";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import { isolateText } from "./direction.ts";
import { offerTitle } from "./offer-title.ts";
import { useFormat } from "./use-format.ts";

interface Sold {
  readonly brandName: string;
  readonly title: string;
  readonly value?: SaleLine["value"];
  readonly send?: number;
  readonly sendCurrency?: string;
  readonly sendCurrencyDivisor?: number;
}

/** What was sold, as its name; a chosen amount is named by what arrived, not by its limits. */
export function useLineTitle(): (sold: Sold) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ brandName, title, value, send, sendCurrency, sendCurrencyDivisor }) => {
    if (value === undefined) {
      return isolateText(offerTitle(brandName, format.contents(title)), format.locale);
    }
    return send !== undefined && sendCurrency && sendCurrencyDivisor
      ? isolateText(
          `${brandName} ${format.moneyShort(send, sendCurrency, sendCurrencyDivisor, "code")}`,
          format.locale,
        )
      : `${isolateText(brandName, format.locale)} · ${t("counter.anyAmount")}`;
  };
}
