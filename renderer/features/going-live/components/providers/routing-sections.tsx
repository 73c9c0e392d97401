import { Button, NativeSelect } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Family } from "../../../../../server/contract/pos/families.ts";
import {
  type ProviderCosts,
  type ProviderList,
  providerOperations,
  type UnclearProducts,
} from "../../../../../server/contract/pos/providers.ts";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { Form } from "../../../../components/form.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { announce } from "../../../../lib/announcer.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { invalidateAnswers, operationQuery } from "../../../../lib/operation-query.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import {
  GATEWAY_ANSWERS,
  joinBrands,
  joinProducts,
  setProviderOrder,
} from "../../api/gateway-queries.ts";

interface ProvidersProps {
  readonly providers: ProviderList;
}

/** Products of an order. An empty text means all of them. */
interface Target {
  readonly brand: string;
  readonly family: string;
  readonly country: string;
}

const ALL_PRODUCTS: Target = { brand: "", family: "", country: "" };

/** Order of preference and costs of products that several providers sell. */
export function OrderSections({ providers }: ProvidersProps) {
  const { t } = useTranslation();
  const [target, setTarget] = useState<Target>(ALL_PRODUCTS);
  if (providers.shared.length === 0) {
    return <Notice tone="info">{t("office.providers.noneShared")}</Notice>;
  }
  return (
    <>
      <section className="card stack gap-3 pad-4" aria-labelledby="provider-order">
        <h2 id="provider-order" className="size-label">
          {t("office.providers.order.title")}
        </h2>
        <p className="soft">{t("office.providers.order.hint")}</p>
        <TargetFields providers={providers} target={target} onTarget={setTarget} />
        <OrderForm
          key={JSON.stringify([target, findOrder(providers, target)])}
          providers={providers}
          target={target}
        />
        <SavedOrders providers={providers} />
      </section>
      {target.brand === "" ? (
        <Notice tone="info">{t("office.providers.costs.choose")}</Notice>
      ) : (
        <CostTable key={target.brand} providers={providers} brand={target.brand} />
      )}
    </>
  );
}

function findOrder({ orders }: ProviderList, target: Target): readonly string[] | undefined {
  return orders.find(
    ({ brand = "", family = "", country = "" }) =>
      brand === target.brand && family === target.family && country === target.country,
  )?.providers;
}

interface TargetFieldsProps extends ProvidersProps {
  readonly target: Target;
  readonly onTarget: (target: Target) => void;
}

function TargetFields({ providers: { shared }, target, onTarget }: TargetFieldsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const families = [...new Set(shared.flatMap((brand) => brand.families))];
  const countries = [...new Set(shared.flatMap((brand) => brand.countries))];
  const all = { value: "", label: t("office.prices.form.all") };
  return (
    <div className="flex wrap gap-3">
      <NativeSelect
        label={t("office.prices.form.brand")}
        data={[all, ...shared.map(({ brand, brandName }) => ({ value: brand, label: brandName }))]}
        value={target.brand}
        onChange={({ currentTarget }) => onTarget({ ...target, brand: currentTarget.value })}
      />
      <NativeSelect
        label={t("office.prices.form.family")}
        data={[
          all,
          ...families.map((family) => ({ value: family, label: t(`family.${family}.several`) })),
        ]}
        value={target.family}
        onChange={({ currentTarget }) => onTarget({ ...target, family: currentTarget.value })}
      />
      <NativeSelect
        label={t("office.prices.form.country")}
        data={[
          all,
          ...countries.map((country) => ({ value: country, label: format.country(country) })),
        ]}
        value={target.country}
        onChange={({ currentTarget }) => onTarget({ ...target, country: currentTarget.value })}
      />
    </div>
  );
}

/** One field for each preferred provider, and one more that ends the order. */
function OrderForm({ providers, target }: ProvidersProps & { readonly target: Target }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const saved = findOrder(providers, target);
  const [order, setOrder] = useState<readonly string[]>(saved ?? []);
  const save = useMutation({
    mutationFn: () => {
      const { brand, family, country } = target;
      return setProviderOrder({
        ...(brand !== "" && { brand }),
        ...(family !== "" && { family: family as Family }),
        ...(country !== "" && { country }),
        providers: [...order],
      });
    },
    onSuccess: async () => {
      announce(t("office.providers.saved"));
      await invalidateAnswers(queryClient, GATEWAY_ANSWERS);
    },
  });
  const fields = order.length < providers.list.length ? [...order, ""] : order;
  return (
    <Form
      className="flex wrap items-end gap-3"
      onSubmit={() => {
        if (!save.isPending) {
          save.mutate();
        }
      }}
    >
      {fields.map((chosen, place) => {
        const before = order.slice(0, place);
        const rest = providers.list.filter(({ providerId }) => !before.includes(providerId));
        return (
          <NativeSelect
            // biome-ignore lint/suspicious/noArrayIndexKey: a field is its place in the order
            key={place}
            label={t(place === 0 ? "office.providers.provider" : "office.providers.order.next")}
            data={[
              {
                value: "",
                label: t(
                  place === 0
                    ? "office.providers.cheapest"
                    : "office.providers.order.cheapestOther",
                ),
              },
              ...rest.map(({ providerId, name }) => ({ value: providerId, label: name })),
            ]}
            value={chosen}
            onChange={({ currentTarget: { value } }) =>
              setOrder(value === "" ? before : [...before, value])
            }
          />
        );
      })}
      <Button type="submit" variant="default" loading={save.isPending}>
        {t("office.providers.order.save")}
      </Button>
      {save.error ? <ErrorNotice words={errorWords(save.error, t, format)} /> : null}
    </Form>
  );
}

function SavedOrders({ providers: { orders, list } }: ProvidersProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = (id: string) => list.find(({ providerId }) => providerId === id)?.name ?? id;
  if (orders.length === 0) {
    return null;
  }
  return (
    <dl className="stack divided" aria-label={t("office.providers.order.saved")}>
      {orders.map(({ brand, brandName, family, country, providers }) => {
        const parts = [
          brandName ?? brand,
          family && t(`family.${family}.several`),
          country && format.country(country),
        ].filter((part) => part !== undefined);
        const names = providers.map(nameOf);
        return (
          <div key={JSON.stringify([brand, family, country])} className="flex wrap gap-3 pad-2-3">
            <dt className="medium flex-1">
              {parts.length === 0 ? t("office.providers.order.allProducts") : parts.join(" · ")}
            </dt>
            <dd>{names.length === 0 ? t("office.providers.cheapest") : names.join(" → ")}</dd>
          </div>
        );
      })}
    </dl>
  );
}

type ComparedProduct = ProviderCosts["list"][number];

function CostTable({ providers, brand }: ProvidersProps & { readonly brand: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useQuery(operationQuery(providerOperations.getCosts, { query: { brand } }));
  const { currency, currencyDivisor, list, shared } = providers;
  const brandName = shared.find((one) => one.brand === brand)?.brandName ?? brand;
  const columns: Column<ComparedProduct>[] = [
    {
      key: "product",
      head: t("office.providers.costs.product"),
      cell: ({ country, send }) =>
        `${format.moneyShort(send.amount, send.currency, send.currencyDivisor)} · ${format.country(country)}`,
    },
    ...list.map(({ providerId, name }) => ({
      key: providerId,
      head: name,
      isNumber: true,
      cell: ({ costs, used }: ComparedProduct) => {
        const cost = costs.find((one) => one.providerId === providerId)?.cost;
        if (cost === undefined) return "–";
        const text = format.money(cost, currency, currencyDivisor);
        if (used !== providerId) return text;
        return (
          <strong className="inline-row gap-1 good">
            <IconCheck size="1rem" aria-hidden="true" />
            {t("office.providers.costs.used", { cost: text })}
          </strong>
        );
      },
    })),
  ];
  return (
    <section className="stack gap-3" aria-labelledby="provider-costs">
      <h2 id="provider-costs" className="size-label">
        {t("office.providers.costs.title", { brand: brandName })}
      </h2>
      <QueryTrouble query={query} />
      {query.data ? (
        <DataTable
          label={t("office.providers.costs.title", { brand: brandName })}
          columns={columns}
          rows={query.data.list}
          keyOf={({ offerId }) => offerId}
        />
      ) : null}
    </section>
  );
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
      <Form
        className="flex wrap items-end gap-3"
        onSubmit={() => {
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
      </Form>
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
  const query = useQuery(operationQuery(providerOperations.listUnclear));
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
