import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { EsimArea } from "../../server/contract/pos/esims.ts";
import { FAMILY_FACTS, type Family } from "../../server/contract/pos/families.ts";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import { joinParts } from "./direction.ts";
import { regionWords } from "./region-words.ts";
import { useFormat } from "./use-format.ts";

interface Destined {
  readonly productType: Family;
  /** ISO 3166-1 alpha-2, empty for an eSIM of a region. */
  readonly country: string;
  readonly area?: EsimArea;
}

export interface PlaceWords {
  readonly locale: string;
  readonly country: (code: string) => string;
  readonly region: (region: string) => string;
}

/** Returns the country or the regions that an eSIM covers; empty for all other products. */
export function destinationOf({ productType, country, area }: Destined, words: PlaceWords): string {
  if (FAMILY_FACTS[productType].recipientKind !== "esim") return "";
  return country === ""
    ? joinParts((area?.regions ?? []).map(words.region), words.locale)
    : words.country(country);
}

export function countryNames({ countries }: EsimArea, words: PlaceWords): string[] {
  return countries.map(words.country).sort(new Intl.Collator(words.locale).compare);
}

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
