import { Button, NativeSelect } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Family } from "../../../../../server/contract/pos/families.ts";
import type { ProviderCosts, ProviderList } from "../../../../../server/contract/pos/providers.ts";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { announce } from "../../../../lib/announcer.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import {
  GATEWAY_ANSWERS,
  providerCostsQuery,
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
    <form
      className="flex wrap items-end gap-3"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
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
    </form>
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
  const query = useQuery(providerCostsQuery(brand));
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
