import { Button, PasswordInput, Skeleton, Switch, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UpstreamState, WaitingCatalog } from "../../../../../server/contract/pos/upstream.ts";
import { CatalogDifference } from "../../../../components/catalog-difference.tsx";
import { Form } from "../../../../components/form.tsx";
import { LeftOut } from "../../../../components/left-out.tsx";
import { ErrorNotice, Notice, Trouble } from "../../../../components/notice.tsx";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { announce } from "../../../../lib/announcer.ts";
import { ApiError } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { type Reach, reachOf } from "../../address-reach.ts";
import {
  acceptCatalog,
  fetchCatalog,
  GATEWAY_ANSWERS,
  gatewayQuery,
  networkQuery,
  openHook,
  setApproval,
  setHookSecret,
  waitingCatalogQuery,
} from "../../api/gateway-queries.ts";
import { ConnectionSection } from "./connection-section.tsx";
import classes from "./gateway.module.css";
import { WalletSection } from "./wallet-section.tsx";

/** Path of the provider's webhooks. A secret part follows. */
const PATH = "/hooks/upstream/";

interface GatewayViewProps {
  /** The first connected provider by default. */
  readonly providerId?: string;
}

export function GatewayView({ providerId }: GatewayViewProps) {
  const { t } = useTranslation();
  const query = useQuery(gatewayQuery(providerId));
  const { data: gateway } = query;
  if (!gateway) {
    return query.isPending ? (
      <div role="status" aria-busy="true" aria-label={t("common.loading")}>
        <Skeleton height="8rem" radius="md" />
      </div>
    ) : (
      <QueryTrouble query={query} />
    );
  }
  return (
    <>
      <ConnectionSection key={String(gateway.connected)} gateway={gateway} />
      {gateway.connected ? (
        <>
          <DeviationSection gateway={gateway} />
          <WalletSection gateway={gateway} />
          {gateway.kind === "gateway" ? <HookSection gateway={gateway} /> : null}
          {/* Last on the page, so that a fetched catalog has room below. The result of a fetch ends
              with the connection that it used. */}
          <CatalogSection key={gateway.connectedAt} gateway={gateway} />
        </>
      ) : null}
    </>
  );
}

interface DeviationSectionProps {
  readonly gateway: UpstreamState;
}

function DeviationSection({ gateway }: DeviationSectionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { deviations = [] } = gateway;
  if (deviations.length === 0) return null;
  return (
    <section className="part stack gap-3" aria-labelledby="gateway-deviations">
      <h2 id="gateway-deviations" className="size-label">
        {t("office.live.deviations.title")}
      </h2>
      <p className="soft">{t("office.live.deviations.intro")}</p>
      <ul>
        {deviations.map(({ provider, operation, field, kind, count, lastAt, lastReference }) => (
          <li key={`${provider} ${operation} ${field} ${kind}`}>
            <bdi dir="ltr">{field}</bdi> ({t(`office.live.deviations.kind.${kind}`)}) · {provider} ·{" "}
            {t("office.live.deviations.count", {
              number: format.number(count),
              time: format.moment(lastAt),
            })}{" "}
            <bdi dir="ltr">{lastReference}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface CatalogSectionProps {
  readonly gateway: UpstreamState;
}

function CatalogSection({ gateway }: CatalogSectionProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { providerId } = gateway;
  const { data } = useQuery(waitingCatalogQuery(providerId));
  const onSuccess = () => invalidateAnswers(queryClient, GATEWAY_ANSWERS);
  const fetching = useMutation({
    mutationFn: () => fetchCatalog(providerId),
    onSettled: onSuccess,
  });
  const taking = useMutation({
    mutationFn: (fetchedAt: string) => acceptCatalog({ fetchedAt, ...nameProvider(gateway) }),
    onSuccess: async () => {
      // Another catalog is sold now: "Nothing changed" of an earlier fetch would be wrong.
      fetching.reset();
      announce(t("office.live.catalog.taken"));
      await onSuccess();
    },
  });
  const approving = useMutation({ mutationFn: setApproval, onSuccess });
  const error = taking.error ?? fetching.error ?? approving.error;
  const isBusy = fetching.isPending || taking.isPending;
  return (
    <section className="part stack gap-3" aria-labelledby="gateway-catalog">
      <h2 id="gateway-catalog" className="size-label">
        {t("office.live.catalog.title")}
      </h2>
      <SyncReport gateway={gateway} />
      <div className="flex wrap gap-3">
        <Button
          variant={data?.waiting ? "default" : "filled"}
          loading={fetching.isPending}
          disabled={taking.isPending}
          onClick={() => fetching.mutate()}
        >
          {t("office.live.catalog.fetch")}
        </Button>
      </div>
      <Switch
        label={t("office.live.catalog.approve")}
        description={t("office.live.catalog.approveHint")}
        checked={gateway.approvesCatalog}
        disabled={approving.isPending}
        onChange={({ currentTarget }) =>
          approving.mutate({ ...gateway, approvesCatalog: currentTarget.checked })
        }
      />
      <Trouble error={error} />
      {data?.waiting ? (
        <WaitingView
          waiting={data.waiting}
          isFirst={data.waiting.difference.isFirst || gateway.syncedAt === undefined}
          isTaking={taking.isPending}
          onTake={(fetchedAt) => taking.mutate(fetchedAt)}
        />
      ) : null}
      {fetching.isSuccess && !fetching.data.waiting && !data?.waiting && !isBusy ? (
        <Notice tone="info">{t("office.live.catalog.same")}</Notice>
      ) : null}
    </section>
  );
}

interface WaitingViewProps {
  readonly waiting: NonNullable<WaitingCatalog["waiting"]>;
  /** True if the provider's products are not sold yet. */
  readonly isFirst: boolean;
  readonly isTaking: boolean;
  readonly onTake: (fetchedAt: string) => void;
}

function WaitingView({ waiting, isFirst, isTaking, onTake }: WaitingViewProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { fetchedAt, difference } = waiting;
  const said = isFirst ? "office.live.catalog.first" : "office.live.catalog.waits";
  return (
    <CatalogDifference
      title={t(said, { time: format.moment(fetchedAt) })}
      difference={difference}
      isTaking={isTaking}
      onTake={() => onTake(fetchedAt)}
    />
  );
}

function SyncReport({ gateway }: CatalogSectionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { syncedAt, sync, syncFailure } = gateway;
  const sums = Object.values(sync?.sections ?? {});
  const sum = (name: "added" | "changed" | "removed") =>
    format.number(sums.reduce((total, section) => total + section[name], 0));
  return (
    <>
      {syncFailure ? (
        <Notice tone="bad">
          {t("office.live.catalog.failed", { time: format.moment(syncFailure.at) })}{" "}
          <small lang="en" dir="ltr">
            {syncFailure.message}
          </small>
        </Notice>
      ) : null}
      {syncedAt && sync ? (
        <p className="soft">
          {t("office.live.catalog.report", {
            time: format.moment(syncedAt),
            added: sum("added"),
            changed: sum("changed"),
            removed: sum("removed"),
          })}
        </p>
      ) : (
        <p className="soft">{t("office.live.catalog.none")}</p>
      )}
      {sync ? <LeftOut {...sync} /> : null}
    </>
  );
}

/** The provider that the person saw: the page may show another one later. */
function nameProvider({ providerId }: UpstreamState) {
  return providerId === undefined ? {} : { providerId };
}

/** Without webhooks, the gateway queries open purchases. */
function HookSection({ gateway }: { readonly gateway: UpstreamState }) {
  const { t } = useTranslation();
  const network = useQuery(networkQuery());
  const known = gateway.hookBaseUrl ?? proposedAddress(network.data?.addresses);
  return (
    <section className="part stack gap-3" aria-labelledby="gateway-hook">
      <h2 id="gateway-hook" className="size-label">
        {t("office.live.hook.title")}
      </h2>
      <p className="soft">{t("office.live.hook.what")}</p>
      <p>
        {t(`office.live.hook.state.${gateway.hook}`)}
        {gateway.hook === "NONE" || gateway.hookBaseUrl === undefined ? null : (
          <>
            {" "}
            {t("office.live.hook.calls")} <HookAddress address={`${gateway.hookBaseUrl}${PATH}…`} />
          </>
        )}
      </p>
      <p className="soft">{t("office.live.hook.without")}</p>
      <AddressForm key={known} gateway={gateway} proposed={known} />
      {gateway.hook === "NONE" ? null : <SecretForm gateway={gateway} />}
    </section>
  );
}

/**
 * Proposes this page's address, or an address in the network if only this machine can reach the
 * page.
 */
function proposedAddress(ofNetwork: readonly string[] = []): string {
  const { origin } = window.location;
  return reachOf(origin) === "MACHINE" ? (ofNetwork[0] ?? origin) : origin;
}

function HookAddress({ address }: { readonly address: string }) {
  return (
    <code className={classes.code} dir="ltr">
      {address}
    </code>
  );
}

interface AddressFormProps {
  readonly gateway: UpstreamState;
  readonly proposed: string;
}

function AddressForm({ gateway, proposed }: AddressFormProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState(proposed);
  const open = useMutation({
    mutationFn: (baseUrl: string) => openHook({ baseUrl, ...nameProvider(gateway) }),
    onSuccess: () => invalidateAnswers(queryClient, GATEWAY_ANSWERS),
  });
  const reach = reachOf(typed);
  const isWrong = open.error instanceof ApiError && open.error.fields.baseUrl !== undefined;
  return (
    <>
      <Form
        className={classes.line}
        onSubmit={() => {
          if (reach !== undefined && !open.isPending) {
            open.mutate(typed.trim());
          }
        }}
      >
        <TextInput
          label={t("office.live.hook.reached")}
          description={t("office.live.hook.reachedHint")}
          type="url"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={
            isWrong || (reach === undefined && typed.trim() !== "")
              ? t("office.live.hook.reachedWrong")
              : undefined
          }
          onChange={({ currentTarget }) => {
            open.reset();
            setTyped(currentTarget.value);
          }}
        />
        <Button
          type="submit"
          variant="default"
          disabled={reach === undefined}
          loading={open.isPending}
        >
          {t(gateway.hook === "NONE" ? "office.live.hook.make" : "office.live.hook.makeAnew")}
        </Button>
      </Form>
      {reach === undefined ? null : <ReachNotice reach={reach} />}
      {open.data ? (
        <Notice tone="info">
          {t("office.live.hook.address")}
          <HookAddress address={open.data.url ?? open.data.path} />
        </Notice>
      ) : null}
      {open.error && !isWrong ? <ErrorNotice words={errorWords(open.error, t, format)} /> : null}
    </>
  );
}

/** Shown before the address is created. */
function ReachNotice({ reach }: { readonly reach: Reach }) {
  const { t } = useTranslation();
  return (
    <Notice tone={reach === "MACHINE" ? "wait" : "info"}>
      {t(`office.live.hook.reach.${reach}`)}
    </Notice>
  );
}

function SecretForm({ gateway }: CatalogSectionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState("");
  const save = useMutation({
    mutationFn: (typed: string) => setHookSecret({ secret: typed, ...nameProvider(gateway) }),
    onSuccess: async () => {
      setSecret("");
      await invalidateAnswers(queryClient, GATEWAY_ANSWERS);
    },
  });
  const isWrong = save.error instanceof ApiError && save.error.fields.secret !== undefined;
  return (
    <Form
      className={classes.line}
      onSubmit={() => {
        if (secret.trim() !== "" && !save.isPending) {
          save.mutate(secret.trim());
        }
      }}
    >
      <PasswordInput
        label={t("office.live.hook.secret")}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        placeholder="whsec_…"
        visibilityToggleButtonProps={{ "aria-label": t("office.live.gateway.keyShow") }}
        value={secret}
        error={isWrong ? t("office.live.hook.secretWrong") : undefined}
        onChange={({ currentTarget }) => {
          save.reset();
          setSecret(currentTarget.value);
        }}
      />
      <Button type="submit" disabled={secret.trim() === ""} loading={save.isPending}>
        {t("office.live.hook.save")}
      </Button>
      {save.error && !isWrong ? <ErrorNotice words={errorWords(save.error, t, format)} /> : null}
    </Form>
  );
}
