import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import { destinationOf, type PlaceWords } from "./destination.ts";
import { regionWords } from "./region-words.ts";
import { useFormat } from "./use-format.ts";

export function usePlaceWords(): PlaceWords {
  const { t } = useTranslation();
  const { locale, country } = useFormat();
  return useMemo(
    () => ({ locale, country, region: (region: string) => regionWords(region, t) }),
    [locale, country, t],
  );
}

export function useRecipient(): (
  line: Pick<SaleLine, "recipientFormatted" | "productType" | "country" | "area">,
) => string {
  const words = usePlaceWords();
  return (line) => line.recipientFormatted || destinationOf(line, words);
}
