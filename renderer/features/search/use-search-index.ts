import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { contentsWords } from "../../lib/contents-words.ts";
import { regionWords } from "../../lib/region-words.ts";
import { searchIndexQuery } from "./api/search-queries.ts";
import { SearchIndex } from "./search-index.ts";

/** Returns the search index in the clerk's language. Countries also have their English names. */
export function useSearchIndex(enabled: boolean): {
  readonly index: SearchIndex | undefined;
  readonly isAway: boolean;
} {
  const { t, i18n } = useTranslation();
  const { data, failureReason } = useQuery({ ...searchIndexQuery(), enabled });
  const index = useMemo(() => {
    if (!data) {
      return undefined;
    }
    const ownNames = new Intl.DisplayNames(i18n.language, { type: "region" });
    const english = new Intl.DisplayNames("en", { type: "region" });
    return new SearchIndex(data, {
      country: (code) => `${ownNames.of(code)} ${english.of(code)}`,
      region: (region) => `${regionWords(region, t)} ${region}`,
      contents: (title) =>
        contentsWords(title, i18n.language, (key, values) => t(`counter.${key}`, values)),
      family: (productType) => t(`family.${productType}.one`),
    });
  }, [data, i18n.language, t]);
  return { index, isAway: failureReason !== null && !data };
}
