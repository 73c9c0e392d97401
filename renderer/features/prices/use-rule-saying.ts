import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PosSearchIndex } from "../../../server/contract/pos/search-index.ts";
import type { MoneyUnit } from "../../lib/money.ts";
import { offerTitle } from "../../lib/offer-title.ts";
import type { RuleSaying } from "../../lib/price-rule-words.ts";
import { useFormat } from "../../lib/use-format.ts";
import { soldOffersQuery } from "./api/price-queries.ts";
import { usePricesEnvironment } from "./prices-environment.ts";

/**
 * Returns the formatting context of rules. A brand or offer that is no longer for sale is shown by
 * its code.
 */
export function useRuleSaying({ currency, currencyDivisor }: MoneyUnit): RuleSaying {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(soldOffersQuery(usePricesEnvironment()));
  const names = useMemo(() => namesOf(data), [data]);
  return {
    t,
    format,
    currency,
    currencyDivisor,
    brandName: (brand) => names.brands.get(brand) ?? brand,
    offerName: (offerId) => {
      const offer = names.offers.get(offerId);
      return offer
        ? offerTitle(offer.brandName, format.contents(offer.title), format.locale)
        : offerId;
    },
  };
}

function namesOf(index: PosSearchIndex | undefined) {
  const brands = new Map(index?.brands.map(({ brand, brandName }) => [brand, brandName]));
  const offers = new Map<string, { readonly brandName: string; readonly title: string }>();
  for (const group of index?.groups ?? []) {
    const brandName = brands.get(group.brand) ?? group.brand;
    for (const [offerId, title] of group.offers) {
      offers.set(offerId, { brandName, title });
    }
  }
  return { brands, offers };
}
