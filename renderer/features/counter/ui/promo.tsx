import { IconGift } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { PosOfferPromo } from "../../../../server/contract/pos/offers.ts";
import type { PosPromo } from "../../../../server/contract/pos/promos.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./promo.module.css";

/** Marks an offer with a promotion. The promotion's terms are above the tiles. */
export function PromoMark({ on }: { readonly on: PromoOn }) {
  const { t } = useTranslation();
  return on === undefined ? null : (
    <span className={classes.mark} data-may={on === "may"}>
      <IconGift size="1.25rem" aria-hidden="true" />
      {on === "may" ? <span aria-hidden="true">?</span> : null}
      <span className="spoken">
        {t(on === "may" ? "counter.promo.markMay" : "counter.promo.mark")}
      </span>
    </span>
  );
}

/** Maximum number of promotions. Those that end first are shown. */
const MAX_SHOWN = 2;

export function PromoNotes({ promos }: { readonly promos: readonly PosPromo[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (promos.length === 0) {
    return null;
  }
  return (
    <ul className="stack gap-1" aria-label={t("counter.promo.title")}>
      {promos.slice(0, MAX_SHOWN).map(({ promoId, description, terms, language, endAt, may }) => (
        <li key={promoId} className="flex items-start gap-2">
          <IconGift size="1.25rem" aria-hidden="true" className="flex-none good" />
          <span className="leading-130 pretty">
            {may ? <span className="soft medium">{t("counter.promo.may")} </span> : null}
            {/* The language of the text may differ from the till's. */}
            <span className="medium" lang={language} dir="auto" title={terms}>
              {description}
            </span>{" "}
            <span className="soft">{t("counter.promo.until", { day: format.day(endAt) })}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** "yes" if a promotion applies to the offer, "may" if it possibly applies. */
export type PromoOn = "yes" | "may" | undefined;

interface PromosOn {
  readonly promos: readonly PosOfferPromo[];
  of(offerId: string): PromoOn;
}

export function promosOn(
  offers: { readonly promos: readonly PosOfferPromo[] } | undefined,
): PromosOn {
  const promos = offers?.promos ?? [];
  const on = new Set(promos.flatMap(({ offerIds }) => offerIds));
  const may = new Set(promos.flatMap(({ mayOfferIds }) => mayOfferIds));
  return {
    promos,
    of: (offerId) => {
      if (on.has(offerId)) {
        return "yes";
      }
      return may.has(offerId) ? "may" : undefined;
    },
  };
}
