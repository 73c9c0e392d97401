import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  ProviderList,
  UnclearProducts,
} from "../../../../../server/contract/pos/providers.ts";
import { ErrorNotice } from "../../../../components/notice.tsx";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { announce } from "../../../../lib/announcer.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import {
  GATEWAY_ANSWERS,
  joinBrands,
  joinProducts,
  unclearProductsQuery,
} from "../../api/gateway-queries.ts";

interface ProvidersProps {
  readonly providers: ProviderList;
}

function useSaved() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return async () => {
    announce(t("office.providers.saved"));
    await invalidateAnswers(queryClient, GATEWAY_ANSWERS);
  };
}

/** Brands that providers name differently, and that are sold as one. */
export function BrandSection({ providers: { brands, joined } }: ProvidersProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [brand, setBrand] = useState("");
  const [as, setAs] = useState("");
  const onSaved = useSaved();
  const join = useMutation({
    mutationFn: joinBrands,
    onSuccess: async () => {
      setBrand("");
      setAs("");
      await onSaved();
    },
  });
  const options = [
    { value: "", label: t("office.providers.join.choose") },
    ...brands.map((one) => ({ value: one.brand, label: `${one.brandName} (${one.brand})` })),
  ];
  const isChosen = brand !== "" && as !== "" && brand !== as;
  return (
    <section className="card stack gap-3 pad-4" aria-labelledby="provider-brands">
      <h2 id="provider-brands" className="size-label">
        {t("office.providers.join.title")}
      </h2>
      <p className="soft">{t("office.providers.join.hint")}</p>
      <form
        className="flex wrap items-end gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isChosen && !join.isPending) {
            join.mutate({ brand, as });
          }
        }}
      >
        <NativeSelect
          label={t("office.providers.join.brand")}
          data={options}
          value={brand}
          onChange={({ currentTarget }) => setBrand(currentTarget.value)}
        />
        <NativeSelect
          label={t("office.providers.join.as")}
          data={options}
          value={as}
          onChange={({ currentTarget }) => setAs(currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!isChosen} loading={join.isPending}>
          {t("office.providers.join.save")}
        </Button>
      </form>
      {join.error ? <ErrorNotice words={errorWords(join.error, t, format)} /> : null}
      <JoinedBrands
        joined={joined}
        isBusy={join.isPending}
        onPart={(part) => join.mutate({ brand: part })}
      />
    </section>
  );
}

interface JoinedBrandsProps {
  readonly joined: ProvidersProps["providers"]["joined"];
  readonly isBusy: boolean;
  readonly onPart: (brand: string) => void;
}

function JoinedBrands({ joined, isBusy, onPart }: JoinedBrandsProps) {
  const { t } = useTranslation();
  return joined.length === 0 ? null : (
    <ul className="stack divided" aria-label={t("office.providers.join.list")}>
      {joined.map((one) => (
        <li key={one.brand} className="flex wrap items-center gap-3 pad-2-3">
          <span className="flex-1">
            {t("office.providers.join.entry", { brand: one.brandName, other: one.asName })}
          </span>
          <Button variant="default" disabled={isBusy} onClick={() => onPart(one.brand)}>
            {t("office.providers.join.part", { brand: one.brandName })}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface UnclearSectionProps extends ProvidersProps {
  /** Only products of this provider; all by default. */
  readonly providerId?: string;
}

/** Products that match several of another provider. The owner chooses those that are the same. */
export function UnclearSection({ providers, providerId }: UnclearSectionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery(unclearProductsQuery());
  const onSaved = useSaved();
  const join = useMutation({ mutationFn: joinProducts, onSuccess: onSaved });
  const list = (query.data?.list ?? []).filter(
    ({ offers }) =>
      providerId === undefined || offers.some((offer) => offer.providerId === providerId),
  );
  if (list.length === 0) return <QueryTrouble query={query} />;
  return (
    <section className="card stack gap-3 pad-4" aria-labelledby="provider-unclear">
      <h2 id="provider-unclear" className="size-label">
        {t("office.providers.unclear.title")}
      </h2>
      <p className="soft">{t("office.providers.unclear.hint")}</p>
      {join.error ? <ErrorNotice words={errorWords(join.error, t, format)} /> : null}
      {list.map((product) => (
        <UnclearProduct
          key={product.offers[0]?.offerId}
          product={product}
          providers={providers}
          isBusy={join.isPending}
          onChoice={(offerId, as) => join.mutate({ offerId, ...(as !== "" && { as }) })}
        />
      ))}
    </section>
  );
}

interface UnclearProductProps extends ProvidersProps {
  readonly product: UnclearProducts["list"][number];
  readonly isBusy: boolean;
  /** An empty id sells the offer apart. */
  readonly onChoice: (offerId: string, as: string) => void;
}

function UnclearProduct({ product, providers, isBusy, onChoice }: UnclearProductProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { brandName, country, send, offers } = product;
  const { list, currency, currencyDivisor } = providers;
  const describe = ({ providerId, notes, cost }: (typeof offers)[number]) => {
    const name = list.find((one) => one.providerId === providerId)?.name ?? providerId;
    return [name, notes, format.money(cost, currency, currencyDivisor)].filter(Boolean).join(" · ");
  };
  return (
    <div className="stack gap-3">
      <h3 className="medium">
        {brandName} · {format.moneyShort(send.amount, send.currency, send.currencyDivisor)} ·{" "}
        {format.country(country)}
      </h3>
      {offers.map((offer, place) => {
        const earlier = offers
          .slice(0, place)
          .filter(({ providerId }) => providerId !== offer.providerId);
        if (earlier.length === 0) return <p key={offer.offerId}>{describe(offer)}</p>;
        return (
          <NativeSelect
            key={offer.offerId}
            label={describe(offer)}
            disabled={isBusy}
            data={[
              { value: "", label: t("office.providers.unclear.apart") },
              ...earlier.map((one) => ({
                value: one.offerId,
                label: t("office.providers.unclear.same", { product: describe(one) }),
              })),
            ]}
            value={offer.as ?? ""}
            onChange={({ currentTarget }) => onChoice(offer.offerId, currentTarget.value)}
          />
        );
      })}
    </div>
  );
}
