import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import { WhyPrice } from "../../../components/why-price.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { productCostsQuery } from "../api/price-queries.ts";
import { OfferSearch } from "./offer-search.tsx";
import classes from "./prices.module.css";

interface WhyViewProps {
  readonly environment: Environment;
  readonly offerId: string | undefined;
  readonly onOffer: (offerId: string) => void;
}

/** Explains the price of a product, and which provider sells it. */
export function WhyView({ environment, offerId, onOffer }: WhyViewProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.form}>
      <p className="soft">{t("office.prices.why.intro")}</p>
      <OfferSearch
        label={t("office.prices.why.search")}
        onPick={(offer) => onOffer(offer.offerId)}
      />
      {offerId === undefined ? null : (
        <>
          <WhyPrice key={offerId} environment={environment} offerId={offerId} />
          {environment === "live" ? <ProviderLine offerId={offerId} /> : null}
        </>
      )}
    </div>
  );
}

/** Names the provider that sells a product, and its cost at the others, if there are several. */
function ProviderLine({ offerId }: { readonly offerId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(productCostsQuery(offerId));
  const [product] = data?.list ?? [];
  const used = product?.costs.find(({ providerId }) => providerId === product.used);
  if (!data || !product || !used) return null;
  const money = (minor: number) => format.money(minor, data.currency, data.currencyDivisor);
  const others = product.costs.filter((one) => one !== used);
  return (
    <p className="soft">
      {t("office.prices.why.providers", {
        provider: used.name,
        cost: money(used.cost),
        others: others.map(({ name, cost }) => `${name} ${money(cost)}`).join(" · "),
      })}
    </p>
  );
}
