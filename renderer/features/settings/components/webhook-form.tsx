import { Button, Checkbox, Switch, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import {
  WEBHOOK_KINDS,
  type Webhook,
  type WebhookInput,
  type WebhookKind,
  webhookOperations,
} from "../../../../server/contract/pos/webhooks.ts";
import { EnvironmentChoice } from "../../../components/environment-choice.tsx";
import { Form, FormEnd } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { Trouble } from "../../../components/notice.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { kindWords } from "../../../lib/webhook-words.ts";
import { ShownOnce } from "./shown-once.tsx";

interface Draft extends Target, Meaning {
  readonly environment: Environment;
}

const EMPTY: Draft = {
  environment: "test",
  kinds: ["TOPUP"],
  description: "",
  url: "",
  headerName: "",
  headerValue: "",
  allowPrivate: false,
};

/** The gateway tests the address before it saves the webhook. */
export function WebhookForm() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [input, setInput] = useState<Draft>(EMPTY);
  const add = useMutation({
    mutationFn: ({ headerName, headerValue, kinds, ...rest }: Draft) => {
      const header = headerName === "" ? {} : { headerName, headerValue };
      return call(webhookOperations.add, { body: { ...rest, kinds: [...kinds], ...header } });
    },
    onSuccess: async () => {
      setInput(EMPTY);
      await invalidateAnswers(queryClient, [webhookOperations.list]);
    },
  });
  const fields: Readonly<Record<string, string>> =
    add.error instanceof ApiError ? add.error.fields : {};
  return (
    <Form className={classes.form} onSubmit={() => add.mutate(input)}>
      <EnvironmentChoice
        value={input.environment}
        onChange={(environment) => setInput({ ...input, environment })}
      />
      <MeaningFields
        meaning={input}
        faults={fields}
        onChange={(meaning) => setInput({ ...input, ...meaning })}
      />
      <TargetFields
        target={input}
        faults={fields}
        onChange={(target) => setInput({ ...input, ...target })}
      />
      <FormEnd
        save={add}
        error={Object.keys(fields).length > 0 ? null : add.error}
        disabled={!isComplete(input)}
      >
        {t("office.settings.hooks.add")}
      </FormEnd>
      {add.data ? (
        <ShownOnce
          key={add.data.webhook.webhookId}
          secret={add.data.secret}
          words={t("office.settings.hooks.once")}
        />
      ) : null}
    </Form>
  );
}

interface WebhookChangeFormProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function WebhookChangeForm({ webhook, onClose }: WebhookChangeFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { webhookId, headerName = "", description = "" } = webhook;
  const [input, setInput] = useState<Target & Meaning>({
    kinds: webhook.kinds,
    description,
    url: webhook.url,
    headerName,
    headerValue: "",
    allowPrivate: webhook.allowPrivate,
  });
  const change = useMutation({
    mutationFn: () => {
      const { kinds, description: text, ...target } = input;
      const body = { kinds: [...kinds], description: text, ...toChangedTarget(webhook, target) };
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
    <Form className={classes.form} onSubmit={() => change.mutate()}>
      <MeaningFields
        meaning={input}
        faults={fields}
        onChange={(meaning) => setInput({ ...input, ...meaning })}
      />
      <TargetFields
        target={input}
        faults={fields}
        hint={t("office.settings.hooks.headerAgain")}
        onChange={(target) => setInput({ ...input, ...target })}
      />
      <Trouble error={Object.keys(fields).length > 0 ? null : change.error} />
      <div className="flex justify-end gap-3">
        <Button variant="default" onClick={onClose}>
          {t("office.settings.hooks.cancel")}
        </Button>
        <Button type="submit" loading={change.isPending} disabled={!isComplete(input)}>
          {t("office.settings.hooks.save")}
        </Button>
      </div>
    </Form>
  );
}

type Target = Required<Pick<WebhookInput, "url" | "headerName" | "headerValue" | "allowPrivate">>;

interface Meaning {
  readonly kinds: readonly WebhookKind[];
  readonly description: string;
}

function isComplete({ url, kinds }: Target & Meaning): boolean {
  return url.trim() !== "" && kinds.length > 0;
}

/** Returns nothing for an unchanged target, so that the webhook keeps its hidden header value. */
function toChangedTarget(webhook: Webhook, { headerName, headerValue, ...rest }: Target) {
  const { headerName: before = "", allowPrivate } = webhook;
  const isSame =
    rest.url === webhook.url &&
    rest.allowPrivate === allowPrivate &&
    headerName === before &&
    headerValue === "";
  if (isSame) {
    return {};
  }
  return { ...rest, ...(headerName !== "" && { headerName, headerValue }) };
}

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
      {hint === undefined ? null : <p className="soft">{hint}</p>}
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

interface MeaningFieldsProps {
  readonly meaning: Meaning;
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (meaning: Meaning) => void;
}

function MeaningFields({ meaning, faults, onChange }: MeaningFieldsProps) {
  const { t } = useTranslation();
  const { kinds, description } = meaning;
  return (
    <>
      <Checkbox.Group
        label={t("office.settings.hooks.kind")}
        error={faults.kind ?? faults.kinds}
        value={[...kinds]}
        onChange={(chosen) =>
          onChange({ kinds: WEBHOOK_KINDS.filter((kind) => chosen.includes(kind)), description })
        }
      >
        <div className={classes.kinds}>
          {WEBHOOK_KINDS.map((kind) => (
            <Checkbox key={kind} className="tick" value={kind} label={kindWords(kind, t)} />
          ))}
        </div>
      </Checkbox.Group>
      <TextInput
        label={t("office.settings.hooks.description")}
        value={description}
        error={faults.description}
        onChange={({ currentTarget }) => onChange({ kinds, description: currentTarget.value })}
      />
    </>
  );
}
