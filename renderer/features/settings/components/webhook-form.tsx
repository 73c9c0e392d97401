import { Button, Select, Switch, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  WEBHOOK_KINDS,
  type Webhook,
  type WebhookInput,
  webhookOperations,
} from "../../../../server/contract/pos/webhooks.ts";
import { EnvironmentChoice } from "../../../components/environment-choice.tsx";
import classes from "../../../components/form-page.module.css";
import { ApiError, call } from "../../../lib/api-client.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { ShownOnce } from "./shown-once.tsx";
import { Trouble } from "./trouble.tsx";
import { kindWords } from "./webhook-words.ts";

const EMPTY = {
  environment: "test",
  kind: "TOPUP",
  url: "",
  headerName: "",
  headerValue: "",
  allowPrivate: false,
} as const satisfies Required<WebhookInput>;

/** The gateway tests the address before it saves the webhook. */
export function WebhookForm() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [input, setInput] = useState<Required<WebhookInput>>(EMPTY);
  const add = useMutation({
    mutationFn: ({ headerName, headerValue, ...rest }: Required<WebhookInput>) => {
      const header = headerName === "" ? {} : { headerName, headerValue };
      return call(webhookOperations.add, { body: { ...rest, ...header } });
    },
    onSuccess: async () => {
      setInput(EMPTY);
      await invalidateAnswers(queryClient, [webhookOperations.list]);
    },
  });
  const fields: Readonly<Record<string, string>> =
    add.error instanceof ApiError ? add.error.fields : {};
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(input);
      }}
    >
      <WhatIsSent input={input} fault={fields.kind} onChange={setInput} />
      <TargetFields
        target={input}
        faults={fields}
        onChange={(target) => setInput({ ...input, ...target })}
      />
      <Trouble error={Object.keys(fields).length > 0 ? null : add.error} />
      <div className={classes.end}>
        <Button type="submit" loading={add.isPending} disabled={input.url.trim() === ""}>
          {t("office.settings.hooks.add")}
        </Button>
      </div>
      {add.data ? (
        <ShownOnce
          key={add.data.webhook.webhookId}
          secret={add.data.secret}
          words={t("office.settings.hooks.once")}
        />
      ) : null}
    </form>
  );
}

interface WebhookChangeFormProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function WebhookChangeForm({ webhook, onClose }: WebhookChangeFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { webhookId, headerName = "" } = webhook;
  const [input, setInput] = useState({
    url: webhook.url,
    headerName,
    headerValue: "",
    allowPrivate: webhook.allowPrivate,
  });
  const change = useMutation({
    mutationFn: () => {
      const { url, allowPrivate, ...header } = input;
      const body = { url, allowPrivate, ...(header.headerName !== "" && header) };
      return call(webhookOperations.change, { params: { webhookId }, body });
    },
    onSuccess: async () => {
      await invalidateAnswers(queryClient, [webhookOperations.list]);
      onClose();
    },
  });
  const fields: Readonly<Record<string, string>> =
    change.error instanceof ApiError ? change.error.fields : {};
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <TargetFields
        target={input}
        faults={fields}
        hint={t("office.settings.hooks.headerAgain")}
        onChange={setInput}
      />
      <Trouble error={Object.keys(fields).length > 0 ? null : change.error} />
      <div className={classes.end}>
        <Button variant="default" onClick={onClose}>
          {t("office.settings.hooks.cancel")}
        </Button>
        <Button type="submit" loading={change.isPending} disabled={input.url.trim() === ""}>
          {t("office.settings.hooks.save")}
        </Button>
      </div>
    </form>
  );
}

type Target = Required<Pick<WebhookInput, "url" | "headerName" | "headerValue" | "allowPrivate">>;

interface TargetFieldsProps {
  readonly target: Target;
  readonly faults: Readonly<Record<string, string>>;
  readonly hint?: string;
  readonly onChange: (target: Target) => void;
}

function TargetFields({ target, faults, hint, onChange }: TargetFieldsProps) {
  const { t } = useTranslation();
  const text = (name: "url" | "headerName" | "headerValue") => ({
    value: target[name],
    error: faults[name],
    dir: "ltr",
    autoComplete: "off",
    spellCheck: false,
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      onChange({ ...target, [name]: currentTarget.value }),
  });
  return (
    <>
      <TextInput label={t("office.settings.hooks.url")} inputMode="url" {...text("url")} />
      {hint === undefined ? null : <p className={classes.hint}>{hint}</p>}
      <div className={classes.pair}>
        <TextInput label={t("office.settings.hooks.headerName")} {...text("headerName")} />
        <TextInput label={t("office.settings.hooks.headerValue")} {...text("headerValue")} />
      </div>
      <Switch
        label={t("office.settings.hooks.private")}
        checked={target.allowPrivate}
        onChange={({ currentTarget }) =>
          onChange({ ...target, allowPrivate: currentTarget.checked })
        }
      />
    </>
  );
}

interface WhatIsSentProps {
  readonly input: Required<WebhookInput>;
  readonly fault: string | undefined;
  readonly onChange: (input: Required<WebhookInput>) => void;
}

function WhatIsSent({ input, fault, onChange }: WhatIsSentProps) {
  const { t } = useTranslation();
  return (
    <>
      <EnvironmentChoice
        value={input.environment}
        onChange={(environment) => onChange({ ...input, environment })}
      />
      <Select
        label={t("office.settings.hooks.kind")}
        allowDeselect={false}
        data={WEBHOOK_KINDS.map((kind) => ({ value: kind, label: kindWords(kind, t) }))}
        value={input.kind}
        error={fault}
        onChange={(chosen) => {
          const kind = WEBHOOK_KINDS.find((known) => known === chosen);
          if (kind) {
            onChange({ ...input, kind });
          }
        }}
      />
    </>
  );
}
