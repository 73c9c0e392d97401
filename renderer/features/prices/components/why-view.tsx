import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import { WhyPrice } from "../../../components/why-price.tsx";
import { OfferSearch } from "./offer-search.tsx";
import classes from "./prices.module.css";

interface WhyViewProps {
  readonly environment: Environment;
  readonly offerId: string | undefined;
  readonly onOffer: (offerId: string) => void;
}

/** Why an offer costs what it costs: searched here, or opened from a list. */
export function WhyView({ environment, offerId, onOffer }: WhyViewProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.form}>
      <p className={classes.soft}>{t("office.prices.why.intro")}</p>
      <OfferSearch
        label={t("office.prices.why.search")}
        onPick={(offer) => onOffer(offer.offerId)}
      />
      {offerId === undefined ? null : (
        <WhyPrice key={offerId} environment={environment} offerId={offerId} />
      )}
    </div>
  );
}
