import { Button, Checkbox, NativeSelect, PasswordInput, TextInput } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
} from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  CONNECTION_REASONS,
  type ConnectionReason,
  type GatewayVerdict,
  PROVIDER_KIND_FACTS,
  PROVIDER_KINDS,
  type ProviderKindName,
  type UpstreamState,
} from "../../../../../server/contract/pos/upstream.ts";
import { Dialog } from "../../../../components/dialog/dialog.tsx";
import { Form } from "../../../../components/form.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { announce } from "../../../../lib/announcer.ts";
import { ApiError } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { reachOf } from "../../address-reach.ts";
import {
  connectGateway,
  disconnectGateway,
  GATEWAY_ANSWERS,
  judgeConnected,
  judgeGateway,
  type TypedGateway,
} from "../../api/gateway-queries.ts";
import classes from "./gateway.module.css";

export const LONGEST_NAME = 60;

const SIGNS = {
  GOOD: [IconCircleCheck, "good"],
  WARNS: [IconAlertTriangle, "wait"],
  BAD: [IconCircleX, "bad"],
  UNKNOWN: [IconCircleDashed, "soft"],
} as const;

interface GatewayProps {
  readonly gateway: UpstreamState;
}

export function ConnectionSection({ gateway }: GatewayProps) {
  const { t } = useTranslation();
  const [isChanging, setChanging] = useState(false);
  return (
    <section className="part stack gap-3" aria-labelledby="gateway-connection">
      <h2 id="gateway-connection" className="size-label">
        {t("office.live.gateway.title")}
      </h2>
      {gateway.connected && !isChanging ? (
        <Connected gateway={gateway} onChange={() => setChanging(true)} />
      ) : (
        <ConnectionForm
          gateway={gateway}
          onDone={() => setChanging(false)}
          {...(gateway.connected && { onCancel: () => setChanging(false) })}
        />
      )}
    </section>
  );
}

function Connected({ gateway, onChange }: GatewayProps & { readonly onChange: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  // The page may show another provider while the dialog is open.
  const [removed, setRemoved] = useState<Pick<UpstreamState, "providerId">>();
  const queryClient = useQueryClient();
  const judge = useMutation({
    mutationFn: () => judgeConnected(gateway.providerId),
    onSettled: () => invalidateAnswers(queryClient, GATEWAY_ANSWERS),
  });
  return (
    <>
      <dl className={classes.facts}>
        <dt className="soft">{t("office.live.gateway.kind")}</dt>
        <dd className="medium break-anywhere">{t(`office.live.gateway.kinds.${gateway.kind}`)}</dd>
        <dt className="soft">{t("office.live.gateway.address")}</dt>
        <dd className="medium break-anywhere">
          <bdi dir="ltr">{gateway.baseUrl}</bdi>
        </dd>
        <dt className="soft">{t("office.live.gateway.key")}</dt>
        <dd className="medium break-anywhere">{t("office.live.gateway.keyKept")}</dd>
        {gateway.connectedAt ? (
          <>
            <dt className="soft">{t("office.live.gateway.since")}</dt>
            <dd className="medium break-anywhere">{format.moment(gateway.connectedAt)}</dd>
          </>
        ) : null}
      </dl>
      {gateway.fault ? (
        <Notice tone="wait">
          {t(`office.live.gateway.fault.${gateway.fault.kind}`)}{" "}
          <small lang="en" dir="ltr">
            {gateway.fault.message}
          </small>
        </Notice>
      ) : null}
      <div className="flex wrap gap-3">
        <Button loading={judge.isPending} onClick={() => judge.mutate()}>
          {t("office.live.gateway.test")}
        </Button>
        <Button variant="default" onClick={onChange}>
          {t("office.live.gateway.change")}
        </Button>
        <Button variant="default" onClick={() => setRemoved(gateway)}>
          {t("office.live.gateway.remove")}
        </Button>
      </div>
      {judge.error ? <ErrorNotice words={errorWords(judge.error, t, format)} /> : null}
      {judge.data ? <VerdictList verdict={judge.data} /> : null}
      <RemoveDialog removed={removed} onClose={() => setRemoved(undefined)} />
    </>
  );
}

function RemoveDialog({
  removed,
  onClose,
}: {
  /** Undefined while the dialog is closed. */
  readonly removed: Pick<UpstreamState, "providerId"> | undefined;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => disconnectGateway(removed?.providerId),
    onSuccess: async () => {
      onClose();
      await invalidateAnswers(queryClient, GATEWAY_ANSWERS);
    },
  });
  return (
    <Dialog
      opened={removed !== undefined}
      onClose={onClose}
      title={t("office.live.gateway.removeTitle")}
    >
      <div className="stack gap-3">
        <p>{t("office.live.gateway.removeWhat")}</p>
        {remove.error ? <ErrorNotice words={errorWords(remove.error, t, format)} /> : null}
        <div className="flex wrap gap-3">
          <Button variant="default" data-autofocus onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button variant="danger" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t("office.live.gateway.remove")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface ConnectionFormProps {
  /** The provider to connect again; undefined for a further one, which needs a name. */
  readonly gateway?: UpstreamState;
  readonly onDone: () => void;
  /** Undefined for the first connection. */
  readonly onCancel?: () => void;
}

/** @param gateway undefined for a further provider */
function toTyped(gateway: UpstreamState | undefined): TypedGateway {
  if (!gateway) return { newName: "", kind: "gateway", baseUrl: "", key: "", allowPrivate: false };
  const { providerId, kind, baseUrl, allowPrivate } = gateway;
  return { ...(providerId !== undefined && { providerId }), kind, baseUrl, key: "", allowPrivate };
}

/** Address and key are tested before they are stored. The key is never shown again. */
export function ConnectionForm({ gateway, onDone, onCancel }: ConnectionFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState(() => toTyped(gateway));
  const judge = useMutation({ mutationFn: judgeGateway });
  const connect = useMutation({
    mutationFn: connectGateway,
    onSuccess: async () => {
      announce(t("office.live.gateway.connected"));
      await invalidateAnswers(queryClient, GATEWAY_ANSWERS);
      onDone();
    },
  });
  const change = (changed: Partial<TypedGateway>) => {
    judge.reset();
    connect.reset();
    setTyped({ ...typed, ...changed });
  };
  const clientId = typed.clientId?.trim() ?? "";
  const { needsClientId } = PROVIDER_KIND_FACTS[typed.kind];
  const isComplete = (!needsClientId || clientId !== "") && typed.newName?.trim() !== "";
  const isTyped = typed.baseUrl.trim() !== "" && typed.key.trim() !== "" && isComplete;
  const { clientId: _typed, ...others } = typed;
  const asked = { ...others, key: typed.key.trim(), ...(needsClientId && { clientId }) };
  const error = connect.error ?? judge.error;
  return (
    <Form
      className="stack gap-3"
      onSubmit={() => {
        if (isTyped && !connect.isPending) {
          connect.mutate(asked);
        }
      }}
    >
      <p className="soft">{t("office.live.gateway.intro")}</p>
      {typed.newName === undefined ? null : (
        <NameField typed={typed} error={error} onChange={change} />
      )}
      <KindChoice typed={typed} onChange={change} />
      <Fields typed={typed} error={error} onChange={change} />
      <Trouble error={error} />
      {judge.data ? <VerdictList verdict={judge.data} /> : null}
      <div className="flex wrap gap-3">
        {onCancel ? (
          <Button variant="default" onClick={onCancel}>
            {t("common.cancel")}
          </Button>
        ) : null}
        <Button
          variant="default"
          disabled={!isTyped}
          loading={judge.isPending}
          onClick={() => judge.mutate(asked)}
        >
          {t("office.live.gateway.test")}
        </Button>
        <Button type="submit" disabled={!isTyped} loading={connect.isPending}>
          {t("office.live.gateway.connect")}
        </Button>
      </div>
    </Form>
  );
}

function NameField({ typed, error, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const isTaken = error instanceof ApiError && error.fields.name !== undefined;
  return (
    <TextInput
      label={t("office.providers.name")}
      description={t("office.providers.nameHint")}
      autoComplete="off"
      maxLength={LONGEST_NAME}
      value={typed.newName ?? ""}
      error={isTaken ? t("office.providers.nameTaken") : undefined}
      onChange={({ currentTarget }) => onChange({ newName: currentTarget.value })}
    />
  );
}

function KindChoice({ typed, onChange }: Omit<FieldsProps, "error">) {
  const { t } = useTranslation();
  return (
    <>
      <NativeSelect
        label={t("office.live.gateway.kind")}
        value={typed.kind}
        data={PROVIDER_KINDS.map((kind) => ({
          value: kind,
          label: t(`office.live.gateway.kinds.${kind}`),
        }))}
        onChange={({ currentTarget }) => {
          const kind = currentTarget.value as ProviderKindName;
          // The credentials of one kind must not reach the address of another.
          onChange({ kind, baseUrl: PROVIDER_KIND_FACTS[kind].baseUrl, key: "", clientId: "" });
        }}
      />
      {PROVIDER_KIND_FACTS[typed.kind].isPreview ? (
        <Notice tone="wait">{t("office.live.gateway.preview")}</Notice>
      ) : null}
    </>
  );
}

interface FieldsProps {
  readonly typed: TypedGateway;
  readonly error: Error | null;
  readonly onChange: (changed: Partial<TypedGateway>) => void;
}

function Fields({ typed, error, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const fields = error instanceof ApiError ? error.fields : {};
  const { needsClientId } = PROVIDER_KIND_FACTS[typed.kind];
  return (
    <div className={classes.fields}>
      <TextInput
        label={t("office.live.gateway.address")}
        placeholder="https://"
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={typed.baseUrl}
        error={fields.baseUrl ? t(addressFault(typed)) : undefined}
        onChange={({ currentTarget }) => onChange({ baseUrl: currentTarget.value })}
      />
      {needsClientId ? (
        <TextInput
          label={t("office.live.gateway.clientId")}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={typed.clientId ?? ""}
          error={fields.clientId ? t("office.live.gateway.keyWrong") : undefined}
          onChange={({ currentTarget }) => onChange({ clientId: currentTarget.value })}
        />
      ) : null}
      <PasswordInput
        label={t(needsClientId ? "office.live.gateway.clientSecret" : "office.live.gateway.key")}
        description={t("office.live.gateway.keyHint")}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        visibilityToggleButtonProps={{ "aria-label": t("office.live.gateway.keyShow") }}
        value={typed.key}
        error={fields.key ? t("office.live.gateway.keyWrong") : undefined}
        aria-invalid={fields.key !== undefined}
        onChange={({ currentTarget }) => onChange({ key: currentTarget.value })}
      />
      <Checkbox
        className={classes.tick ?? ""}
        label={t("office.live.gateway.ownNetwork")}
        description={t("office.live.gateway.ownNetworkHint")}
        checked={typed.allowPrivate}
        onChange={({ currentTarget }) => onChange({ allowPrivate: currentTarget.checked })}
      />
    </div>
  );
}

/** Returns the error that the till itself detects in an address. */
function addressFault({ baseUrl, allowPrivate }: TypedGateway) {
  const reach = reachOf(baseUrl);
  if (reach === undefined) {
    return "office.live.hook.reachedWrong";
  }
  const isOfNetwork = reach !== "OUTSIDE" || !/^https:/i.test(baseUrl.trim());
  return isOfNetwork && !allowPrivate
    ? "office.live.gateway.addressPrivate"
    : "office.live.gateway.addressWrong";
}

const REASON_WORDS = {
  CURRENCY: "office.live.verdict.CURRENCY_EQUAL.bad",
  UNFINISHED: "office.live.gateway.refused.UNFINISHED",
  ACCOUNT: "office.live.gateway.refused.ACCOUNT",
  TWIN: "office.live.gateway.refused.TWIN",
  TEST: "office.live.verdict.KEY_LIVE.bad",
  REFUSED: "office.live.verdict.KEY_ACCEPTED.bad",
  UNREACHED: "office.live.verdict.ANSWERS.bad",
  BUSY: "office.live.gateway.refused.BUSY",
  UNCLEAR: "office.live.gateway.refused.UNCLEAR",
} as const satisfies Record<ConnectionReason, string>;
/** Reasons that words of the provider or of the network explain further, in English. */
const EXPLAINED: readonly ConnectionReason[] = ["REFUSED", "UNREACHED", "UNCLEAR"];

/** Shows the reason of a refused connection, or the gateway's text about a field. */
function Trouble({ error }: { readonly error: Error | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!error) {
    return null;
  }
  const isOfField = error instanceof ApiError && Object.keys(error.fields).length > 0;
  const isAway = error instanceof ApiError && error.errorCode === "SYSTEM_UNAVAILABLE";
  const fields = error instanceof ApiError ? error.fields : {};
  const reason = CONNECTION_REASONS.find((known) => known === fields.reason);
  const { theirs = "", ours = "", address = "", provider = "" } = fields;
  return isOfField || isAway ? (
    <Notice tone="bad" loud>
      {t("office.live.gateway.notConnected")}{" "}
      {reason && `${t(REASON_WORDS[reason], { theirs, ours, address, provider })} `}
      {reason === undefined || EXPLAINED.includes(reason) ? (
        <small lang="en" dir="ltr">
          {error.message}
        </small>
      ) : null}
    </Notice>
  ) : (
    <ErrorNotice words={errorWords(error, t, format)} />
  );
}

function VerdictList({ verdict }: { readonly verdict: GatewayVerdict }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { tests, usable, message, currency, theirCurrency = "", clockDifference_s } = verdict;
  const seconds = format.number(Math.abs(clockDifference_s ?? 0));
  return (
    <div className="stack gap-3 pad-4 frame" role="status">
      <strong>{t(usable ? "office.live.verdict.usable" : "office.live.verdict.unusable")}</strong>
      <ul className="stack gap-2">
        {tests.map(({ test, outcome }) => {
          const [Sign, tone] = SIGNS[outcome];
          return (
            <li
              key={test}
              className={`flex items-start gap-3 ${outcome === "UNKNOWN" ? "soft" : "ink"}`}
              data-outcome={outcome}
            >
              <Sign
                className={`${classes.sign} ${tone}`}
                size="1.25rem"
                stroke={2}
                aria-hidden="true"
              />
              <span>
                {t(`office.live.verdict.${test}.${wordOf(test, outcome)}`, {
                  ours: currency,
                  theirs: theirCurrency,
                  seconds,
                })}
              </span>
            </li>
          );
        })}
      </ul>
      {message === undefined ? null : (
        <small className="soft" lang="en" dir="ltr">
          {message}
        </small>
      )}
    </div>
  );
}

type Test = GatewayVerdict["tests"][number];

/** A warning about the clock counts as unknown, because the provider stated no time. */
function wordOf(test: Test["test"], outcome: Test["outcome"]): "good" | "bad" | "unknown" {
  if (outcome === "GOOD") {
    return "good";
  }
  return outcome === "UNKNOWN" || (outcome === "WARNS" && test === "CLOCKS_EQUAL")
    ? "unknown"
    : "bad";
}
