import { Button, Skeleton, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type ProviderList,
  type ProviderSummary,
  providerOperations,
} from "../../../../../server/contract/pos/providers.ts";
import { PROVIDER_KIND_FACTS } from "../../../../../server/contract/pos/upstream.ts";
import { BackButton } from "../../../../components/back-button.tsx";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { Form } from "../../../../components/form.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { OfficeScreen } from "../../../../components/office-screen.tsx";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { announce } from "../../../../lib/announcer.ts";
import { ApiError, call } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import type { OfficeSectionProps } from "../../../../lib/office-section.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { GATEWAY_ANSWERS, providersQuery } from "../../api/gateway-queries.ts";
import { ConnectionForm, LONGEST_NAME } from "../gateway/connection-section.tsx";
import { GatewayView } from "../gateway/gateway-view.tsx";
import { BrandSection, OrderSections, UnclearSection } from "./routing-sections.tsx";

/** Value of `provider` in the URL while a further provider is being connected. */
const NEW = "new";
/** A success rate below this percentage stands out. */
const LOW_SUCCESS_PERCENT = 95;
const FEW_DAYS = 3;

type ScreenProps = Pick<OfficeSectionProps, "search" | "onSearch">;

/** Lists the providers of the live environment, and shows or connects one of them. */
export function ProvidersScreen({ search, onSearch }: ScreenProps) {
  const { t } = useTranslation();
  const query = useQuery(providersQuery());
  const { data } = query;
  const chosen = data?.list.find(({ providerId }) => providerId === search.provider);
  const isNew = search.provider === NEW;
  const back = <BackButton onClick={() => onSearch({})}>{t("office.providers.all")}</BackButton>;
  if (isNew) {
    return (
      <OfficeScreen title={t("office.providers.connect")} environment="live" actions={back} isSheet>
        <ConnectionForm onDone={() => onSearch({})} onCancel={() => onSearch({})} />
      </OfficeScreen>
    );
  }
  if (chosen) {
    return (
      <OfficeScreen title={chosen.name} environment="live" actions={back} isSheet>
        <ProviderForm key={chosen.providerId} provider={chosen} />
        <BrandTable brands={chosen.brands} />
        {data && data.unclear > 0 ? (
          <UnclearSection providers={data} providerId={chosen.providerId} />
        ) : null}
        <GatewayView providerId={chosen.providerId} />
      </OfficeScreen>
    );
  }
  return (
    <OfficeScreen
      title={t("office.frame.section.providers")}
      lead={t("office.providers.lead")}
      environment="live"
      actions={
        <Button
          leftSection={<IconPlus size="1.125rem" aria-hidden="true" />}
          onClick={() => onSearch({ provider: NEW })}
        >
          {t("office.providers.connect")}
        </Button>
      }
    >
      <QueryTrouble query={query} />
      {query.isPending ? (
        <div role="status" aria-busy="true" aria-label={t("common.loading")}>
          <Skeleton height="12rem" radius="md" />
        </div>
      ) : null}
      {data ? (
        <>
          <ProviderTable providers={data} onOpen={(provider) => onSearch({ provider })} />
          {data.list.length > 1 ? (
            <>
              <OrderSections providers={data} />
              <UnclearSection providers={data} />
              <BrandSection providers={data} />
            </>
          ) : null}
        </>
      ) : null}
    </OfficeScreen>
  );
}

interface ProviderTableProps {
  readonly providers: ProviderList;
  readonly onOpen: (providerId: string) => void;
}

function ProviderTable({ providers, onOpen }: ProviderTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { list, currency, currencyDivisor } = providers;
  if (list.length === 0) {
    return <Notice tone="info">{t("office.providers.none")}</Notice>;
  }
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  const columns: Column<ProviderSummary>[] = [
    {
      key: "name",
      head: t("office.providers.provider"),
      cell: (provider) => <NameCell provider={provider} onOpen={onOpen} />,
    },
    {
      key: "state",
      head: t("office.providers.column.state"),
      cell: ({ state }) => (
        <span className={`medium ${STATE_TONES[state]}`}>
          {t(`office.providers.state.${state}`)}
        </span>
      ),
    },
    {
      key: "balance",
      head: t("office.providers.column.balance"),
      cell: ({ balance }) => (balance === undefined ? "–" : money(balance)),
      isNumber: true,
    },
    {
      key: "lasts",
      head: t("office.providers.column.lasts"),
      cell: ({ health }) => <DaysLeft health={health} />,
      isNumber: true,
    },
    ...healthColumns<ProviderSummary>(t, ({ health }) => health),
  ];
  return (
    <DataTable
      label={t("office.frame.section.providers")}
      columns={columns}
      rows={list}
      keyOf={({ providerId }) => providerId}
    />
  );
}

type Measured = Omit<ProviderSummary["health"], "daysLeft">;

function healthColumns<Row>(t: TFunction, healthOf: (row: Row) => Measured): Column<Row>[] {
  return [
    {
      key: "success",
      head: t("office.providers.column.success"),
      cell: (row) => <Success health={healthOf(row)} />,
      isNumber: true,
    },
    {
      key: "time",
      head: t("office.providers.column.time"),
      cell: (row) => <Times health={healthOf(row)} />,
      isNumber: true,
    },
    {
      key: "unknown",
      head: t("office.providers.column.unknown"),
      cell: (row) => <Unknown health={healthOf(row)} />,
      isNumber: true,
    },
  ];
}

type Brand = ProviderSummary["brands"][number];

/** Health of each brand at one of several providers. */
function BrandTable({ brands }: { readonly brands: readonly Brand[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (brands.length === 0) {
    return null;
  }
  const columns: Column<Brand>[] = [
    {
      key: "brand",
      head: t("office.prices.form.brand"),
      cell: ({ brandName, pausedSince }) => (
        <div className="stack items-start">
          <bdi className="break-anywhere">{brandName}</bdi>
          {pausedSince === undefined ? null : (
            <small className="wait">
              {t("office.providers.brands.paused", { time: format.moment(pausedSince) })}
            </small>
          )}
        </div>
      ),
    },
    ...healthColumns<Brand>(t, (brand) => brand),
  ];
  return (
    <section className="stack gap-3" aria-labelledby="provider-brands">
      <h2 id="provider-brands" className="size-label">
        {t("office.providers.brands.title")}
      </h2>
      <DataTable
        label={t("office.providers.brands.title")}
        columns={columns}
        rows={brands}
        keyOf={({ brand }) => brand}
      />
    </section>
  );
}

const STATE_TONES = {
  WORKING: "good",
  TROUBLED: "bad",
  NO_CATALOG: "wait",
  PAUSED: "wait",
  DISCONNECTED: "soft",
} as const satisfies Record<ProviderSummary["state"], string>;

function NameCell({
  provider: { providerId, name, kind, state, products },
  onOpen,
}: {
  readonly provider: ProviderSummary;
  readonly onOpen: (providerId: string) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="stack items-start">
      <a
        href={`#/office/providers?${new URLSearchParams({ provider: providerId })}`}
        className="strong"
        onClick={(event) => {
          event.preventDefault();
          onOpen(providerId);
        }}
      >
        <bdi className="break-anywhere">{name}</bdi>
      </a>
      <small className="soft">
        {PROVIDER_KIND_FACTS[kind].isPreview ? `${t("office.providers.preview")} · ` : ""}
        {state === "NO_CATALOG" || (products === 0 && state !== "DISCONNECTED")
          ? t("office.providers.review")
          : t("office.providers.products", { count: products, amount: format.number(products) })}
      </small>
    </div>
  );
}

function DaysLeft({ health: { daysLeft } }: Pick<ProviderSummary, "health">) {
  const { t } = useTranslation();
  const format = useFormat();
  if (daysLeft === undefined) {
    return "–";
  }
  const days = Math.floor(daysLeft);
  return (
    <span className={days < FEW_DAYS ? "wait strong" : ""}>
      {t("office.providers.days", { count: days, amount: format.number(days) })}
    </span>
  );
}

interface MeasuredProps {
  readonly health: Measured;
}

function Success({ health: { purchases, delivered } }: MeasuredProps) {
  const { t } = useTranslation();
  const format = useFormat();
  if (purchases === 0) {
    return "–";
  }
  const percent = Math.floor((100 * delivered) / purchases);
  return (
    <span className={percent < LOW_SUCCESS_PERCENT ? "wait strong" : ""}>
      {t("office.providers.success", {
        percent: format.percent(percent),
        number: format.number(purchases),
      })}
    </span>
  );
}

function Times({ health: { p50_ms, p95_ms } }: MeasuredProps) {
  const { t } = useTranslation();
  const format = useFormat();
  if (p50_ms === undefined || p95_ms === undefined) {
    return "–";
  }
  const seconds = (ms: number) => format.number((ms / 1_000).toFixed(1) as `${number}`);
  return t("office.providers.time", { usual: seconds(p50_ms), slow: seconds(p95_ms) });
}

function Unknown({ health: { unknown } }: MeasuredProps) {
  const format = useFormat();
  return <span className={unknown > 0 ? "wait strong" : ""}>{format.number(unknown)}</span>;
}

/** Name and pause of a provider. */
function ProviderForm({ provider }: { readonly provider: ProviderSummary }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [name, setName] = useState(provider.name);
  const { providerId, state } = provider;
  const change = useMutation({
    mutationFn: (changed: { name?: string; paused?: boolean }) =>
      call(providerOperations.change, { params: { providerId }, body: changed }),
    onSuccess: async () => {
      announce(t("office.providers.saved"));
      await invalidateAnswers(queryClient, GATEWAY_ANSWERS);
    },
  });
  if (state === "DISCONNECTED") {
    return null;
  }
  const { error } = change;
  const isTaken = error instanceof ApiError && error.fields.name !== undefined;
  const isPaused = state === "PAUSED";
  const isChanged = name.trim() !== "" && name.trim() !== provider.name;
  return (
    <section className="stack gap-3" aria-label={provider.name}>
      {isPaused ? <Notice tone="wait">{t("office.providers.paused")}</Notice> : null}
      {state === "NO_CATALOG" ? (
        <Notice tone="wait">{t("office.providers.noCatalog")}</Notice>
      ) : null}
      <Form
        className="flex wrap items-end gap-3"
        onSubmit={() => {
          if (isChanged && !change.isPending) {
            change.mutate({ name: name.trim() });
          }
        }}
      >
        <TextInput
          label={t("office.providers.name")}
          autoComplete="off"
          maxLength={LONGEST_NAME}
          value={name}
          error={isTaken ? t("office.providers.nameTaken") : undefined}
          onChange={({ currentTarget }) => {
            change.reset();
            setName(currentTarget.value);
          }}
        />
        <Button type="submit" variant="default" disabled={!isChanged} loading={change.isPending}>
          {t("office.providers.rename")}
        </Button>
        <Button
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate({ paused: !isPaused })}
        >
          {t(isPaused ? "office.providers.resume" : "office.providers.pause")}
        </Button>
      </Form>
      {error && !isTaken ? <ErrorNotice words={errorWords(error, t, format)} /> : null}
    </section>
  );
}
