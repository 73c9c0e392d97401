import { Button, Checkbox, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import {
  KEY_SCOPES,
  type KeyScope,
  keyOperations,
  type PosKey,
} from "../../../../server/contract/pos/keys.ts";
import { EnvironmentChoice } from "../../../components/environment-choice.tsx";
import { Form, FormEnd } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import type { Translate } from "../../../lib/i18n.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { type Format, useFormat } from "../../../lib/use-format.ts";
import { keysQuery } from "../api/settings-queries.ts";
import { readAddresses } from "../settings-rules.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { ShownOnce } from "./shown-once.tsx";

const LONGEST_NAME = 60;

/** A new key is shown only once. */
export function KeysScreen() {
  const { t } = useTranslation();
  const keys = useQuery(keysQuery());
  const [toRevoke, setToRevoke] = useState<PosKey>();
  return (
    <OfficeScreen title={t("office.frame.section.keys")} isSheet>
      <p className="soft">{t("office.settings.keys.intro")}</p>
      <KeyForm />
      <h3 className="strong">{t("office.settings.keys.list")}</h3>
      <QueryTrouble query={keys} />
      {keys.data?.list.length === 0 ? <p>{t("office.settings.keys.none")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.settings.keys.list")}>
        {keys.data?.list.map((key) => (
          <KeyRow key={key.keyId} of={key} onRevoke={() => setToRevoke(key)} />
        ))}
      </ul>
      {toRevoke ? <RevokeDialog of={toRevoke} onClose={() => setToRevoke(undefined)} /> : null}
    </OfficeScreen>
  );
}

function KeyRow({ of, onRevoke }: { readonly of: PosKey; readonly onRevoke: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, environment, hint, allowedAddresses, scopes, lastUsedAt, revokedAt } = of;
  const used =
    lastUsedAt === undefined
      ? t("office.settings.keys.unused")
      : t("office.settings.keys.used", { time: format.moment(lastUsedAt) });
  const ended = endWords(of, t, format);
  return (
    <li className={classes.row} data-over={revokedAt !== undefined}>
      <span className={classes.who}>
        <bdi className="strong">{name}</bdi>
        <span className="soft size-caption">
          {t(`office.settings.env.${environment}`)} · <bdi dir="ltr">{hint}…</bdi> ·{" "}
          {revokedAt === undefined ? [used, ended].filter(Boolean).join(" · ") : ended}
        </span>
        {scopes.length === KEY_SCOPES.length ? null : (
          <span className="soft size-caption">
            {scopes.map((scope) => t(`office.settings.keys.scope.${scope}`)).join(" · ")}
          </span>
        )}
        {allowedAddresses ? (
          <bdi className="soft size-caption" dir="ltr">
            {allowedAddresses.join(", ")}
          </bdi>
        ) : null}
      </span>
      {revokedAt === undefined ? (
        <Button
          variant="default"
          aria-label={t("office.settings.keys.revokeFor", { name })}
          onClick={onRevoke}
        >
          {t("office.settings.keys.revoke")}
        </Button>
      ) : null}
    </li>
  );
}

/** Returns when the key ended or ends; undefined if it has no end. */
function endWords({ revokedAt, expiresAt }: PosKey, t: Translate, format: Format) {
  if (revokedAt !== undefined) {
    return t("office.settings.keys.revoked", { time: format.moment(revokedAt) });
  }
  if (expiresAt === undefined) return undefined;
  const isOver = Date.parse(expiresAt) <= Date.now();
  const time = format.moment(expiresAt);
  return t(`office.settings.keys.${isOver ? "expired" : "until"}`, { time });
}

function RevokeDialog({ of, onClose }: { readonly of: PosKey; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call(keyOperations.revoke, { params: { keyId: of.keyId } }),
    onSuccess: async () => {
      await invalidateAnswers(queryClient, [keyOperations.list]);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t("office.settings.keys.revokeFor", { name: of.name })}
      body={t("office.settings.keys.revokeAsk")}
      action={t("office.settings.keys.revoke")}
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    />
  );
}

const NO_LIMITS = { addresses: "", scopes: [...KEY_SCOPES], expiresOn: "" };
interface Limits {
  readonly addresses: string;
  readonly scopes: KeyScope[];
  /** Last day; empty if the key never expires. */
  readonly expiresOn: string;
}

function KeyForm() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [environment, setEnvironment] = useState<Environment>("test");
  const [name, setName] = useState("");
  const [limits, setLimits] = useState<Limits>(NO_LIMITS);
  const make = useMutation({
    mutationFn: () => {
      const { addresses, scopes, expiresOn } = limits;
      const allowedAddresses = readAddresses(addresses);
      const body = { environment, name, allowedAddresses, scopes, ...(expiresOn && { expiresOn }) };
      return call(keyOperations.create, { body });
    },
    onSuccess: async () => {
      setName("");
      setLimits(NO_LIMITS);
      await invalidateAnswers(queryClient, [keyOperations.list]);
    },
  });
  const wrong = make.error instanceof ApiError ? Object.keys(make.error.fields) : [];
  const isOfLimits = wrong.some((field) => /^(allowedAddresses|expiresOn)/.test(field));
  const isReady = name.trim() !== "" && limits.scopes.length > 0;
  return (
    <Form
      className={classes.form}
      onSubmit={() => {
        if (isReady) make.mutate();
      }}
    >
      <EnvironmentChoice value={environment} onChange={setEnvironment} />
      <TextInput
        label={t("office.settings.keys.name")}
        maxLength={LONGEST_NAME}
        dir="auto"
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <LimitFields value={limits} wrong={wrong} onChange={setLimits} />
      <FormEnd save={make} error={isOfLimits ? null : make.error} disabled={!isReady}>
        {t("office.settings.keys.make")}
      </FormEnd>
      {make.data ? (
        <ShownOnce
          key={make.data.key.keyId}
          secret={make.data.secret}
          words={t("office.settings.keys.once")}
        />
      ) : null}
    </Form>
  );
}

interface LimitFieldsProps {
  readonly value: Limits;
  /** Names of the fields that the gateway refused. */
  readonly wrong: readonly string[];
  readonly onChange: (limits: Limits) => void;
}

function LimitFields({ value, wrong, onChange }: LimitFieldsProps) {
  const { t } = useTranslation();
  const isWrong = (name: string) => wrong.some((field) => field.startsWith(name));
  return (
    <>
      <Checkbox.Group
        label={t("office.settings.keys.scopes")}
        value={value.scopes}
        error={value.scopes.length === 0 ? t("office.settings.keys.scopeNone") : undefined}
        onChange={(chosen) =>
          onChange({ ...value, scopes: KEY_SCOPES.filter((scope) => chosen.includes(scope)) })
        }
      >
        <div className="stack">
          {KEY_SCOPES.map((scope) => (
            <Checkbox
              key={scope}
              className="tick"
              value={scope}
              label={t(`office.settings.keys.scope.${scope}`)}
            />
          ))}
        </div>
      </Checkbox.Group>
      <TextInput
        type="date"
        label={t("office.settings.keys.expires")}
        description={t("office.settings.keys.expiresHint")}
        value={value.expiresOn}
        error={isWrong("expiresOn") ? t("office.settings.keys.expiresWrong") : undefined}
        onChange={({ currentTarget }) => onChange({ ...value, expiresOn: currentTarget.value })}
      />
      <Textarea
        label={t("office.settings.keys.addresses")}
        description={t("office.settings.keys.addressesHint")}
        dir="ltr"
        rows={2}
        autoComplete="off"
        spellCheck={false}
        value={value.addresses}
        error={isWrong("allowedAddresses") ? t("office.settings.keys.addressesWrong") : undefined}
        onChange={({ currentTarget }) => onChange({ ...value, addresses: currentTarget.value })}
      />
    </>
  );
}
