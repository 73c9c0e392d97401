import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { offerTitle } from "../../../lib/offer-title.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { soldOffersQuery } from "../api/price-queries.ts";
import { findableOffers, findOffers, type SoldOffer } from "../found-offers.ts";
import { usePricesEnvironment } from "../prices-environment.ts";
import listClasses from "./price-lists.module.css";

interface OfferSearchProps {
  readonly label: string;
  readonly onPick: (offer: SoldOffer) => void;
}

export function OfferSearch({ label, onPick }: OfferSearchProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [typed, setTyped] = useState("");
  const wanted = useDeferredValue(typed);
  const { data } = useQuery(soldOffersQuery(usePricesEnvironment()));
  const all = useMemo(
    () =>
      data
        ? findableOffers(data, {
            country: format.country,
            family: (family) => t(`family.${family}.one`),
          })
        : [],
    [data, format, t],
  );
  const found = useMemo(() => findOffers(all, wanted), [all, wanted]);
  return (
    <search className="stack gap-2">
      <TextInput
        type="search"
        label={label}
        placeholder={t("office.prices.search.placeholder")}
        leftSection={<IconSearch size="1.25rem" aria-hidden="true" />}
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {wanted.trim() === "" ? null : (
        <ul className={listClasses.found} aria-label={t("office.prices.search.found")}>
          {found.map((offer) => (
            <li key={offer.offerId}>
              <button
                type="button"
                className={listClasses.offer}
                onClick={() => {
                  setTyped("");
                  onPick(offer);
                }}
              >
                <span>
                  {offerTitle(offer.brandName, format.contents(offer.title), format.locale)}
                </span>
                <span className="soft">
                  {offer.country === "" ? null : `${format.country(offer.country)} · `}
                  {t(`family.${offer.productType}.one`)}
                </span>
                <span className={listClasses.figure}>
                  {data ? format.money(offer.price, data.currency, data.currencyDivisor) : null}
                </span>
              </button>
            </li>
          ))}
          {found.length === 0 ? (
            <li className="soft">{t("office.prices.search.nothing")}</li>
          ) : null}
        </ul>
      )}
    </search>
  );
}
