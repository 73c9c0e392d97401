import { Button, Checkbox, PasswordInput, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UpstreamState } from "../../../../../server/contract/pos/upstream.ts";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { announce } from "../../../../lib/announcer.ts";
import { ApiError } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { reachOf } from "../../address-reach.ts";
import {
  connectGateway,
  GATEWAY_ANSWERS,
  judgeGateway,
  type TypedGateway,
} from "../../api/gateway-queries.ts";
import classes from "./gateway.module.css";
import { VerdictList } from "./verdict-list.tsx";

interface ConnectionFormProps {
  readonly gateway: UpstreamState;
  readonly onDone: () => void;
  /** Absent where there is nothing to return to. */
  readonly onCancel?: () => void;
}

/** The address and the key that the provider gave: tested, then kept. A key is never shown again. */
export function ConnectionForm({ gateway, onDone, onCancel }: ConnectionFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState<TypedGateway>({
    baseUrl: gateway.baseUrl,
    key: "",
    allowPrivate: gateway.allowPrivate,
  });
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
  const isTyped = typed.baseUrl.trim() !== "" && typed.key.trim() !== "";
  const asked = { ...typed, key: typed.key.trim() };
  const error = connect.error ?? judge.error;
  return (
    <form
      className={classes.section}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isTyped && !connect.isPending) {
          connect.mutate(asked);
        }
      }}
    >
      <p className={classes.soft}>{t("office.live.gateway.intro")}</p>
      <Fields typed={typed} error={error} onChange={change} />
      <Trouble error={error} />
      {judge.data ? <VerdictList verdict={judge.data} /> : null}
      <div className={classes.buttons}>
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
    </form>
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
      <PasswordInput
        label={t("office.live.gateway.key")}
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

/** Why an address is refused, as far as it can be seen here. */
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

/** What is wrong with a field, in the gateway's own words; anything else in ours. */
function Trouble({ error }: { readonly error: Error | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!error) {
    return null;
  }
  const isOfField = error instanceof ApiError && Object.keys(error.fields).length > 0;
  const isAway = error instanceof ApiError && error.errorCode === "SYSTEM_UNAVAILABLE";
  return isOfField || isAway ? (
    <Notice tone="bad" loud>
      {t("office.live.gateway.notConnected")}{" "}
      <small lang="en" dir="ltr">
        {error.message}
      </small>
    </Notice>
  ) : (
    <ErrorNotice words={errorWords(error, t, format)} />
  );
}
