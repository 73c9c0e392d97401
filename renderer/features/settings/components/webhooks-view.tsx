import { Button, Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  DEFAULT_OLD_SECRET_HOURS,
  MAX_OLD_SECRET_HOURS,
  type Webhook,
  type WebhookDelivery,
  type WebhookSecret,
  type WebhookTest,
  webhookOperations,
} from "../../../../server/contract/pos/webhooks.ts";
import classes from "../../../components/form-page.module.css";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { call } from "../../../lib/api-client.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { kindsWords, kindWords } from "../../../lib/webhook-words.ts";
import { deliveriesQuery } from "../api/settings-queries.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { ShownOnce } from "./shown-once.tsx";
import { WebhookChangeForm, WebhookForm } from "./webhook-form.tsx";

export function WebhooksScreen() {
  const { t } = useTranslation();
  const webhooks = useQuery(operationQuery(webhookOperations.list));
  const [toRemove, setToRemove] = useState<Webhook>();
  return (
    <OfficeScreen title={t("office.frame.section.webhooks")} isSheet>
      <p className="soft">{t("office.settings.hooks.intro")}</p>
      <WebhookForm />
      <h3 className="strong">{t("office.settings.hooks.list")}</h3>
      <QueryTrouble query={webhooks} />
      {webhooks.data?.list.length === 0 ? <p>{t("office.settings.hooks.none")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.settings.hooks.list")}>
        {webhooks.data?.list.map((webhook) => (
          <WebhookRow
            key={webhook.webhookId}
            webhook={webhook}
            onRemove={() => setToRemove(webhook)}
          />
        ))}
      </ul>
      <DeliveryList />
      {toRemove ? <RemoveDialog webhook={toRemove} onClose={() => setToRemove(undefined)} /> : null}
    </OfficeScreen>
  );
}

interface WebhookRowProps {
  readonly webhook: Webhook;
  readonly onRemove: () => void;
}

function WebhookRow({ webhook, onRemove }: WebhookRowProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { webhookId, environment, url, waiting, pausedAt, oldSecretUntil, description } = webhook;
  const params = { webhookId };
  const test = useMutation({ mutationFn: () => call(webhookOperations.test, { params }) });
  const [isChanging, setIsChanging] = useState(false);
  const [isRotating, setIsRotating] = useState(false);
  const [rotated, setRotated] = useState<WebhookSecret>();
  const format = useFormat();
  const resume = useMutation({
    mutationFn: () => call(webhookOperations.resume, { params }),
    onSuccess: () => invalidateAnswers(queryClient, [webhookOperations.list]),
  });
  return (
    <li className={classes.row}>
      <span className={classes.who}>
        {description === undefined ? null : <bdi className="strong">{description}</bdi>}
        <bdi className="strong" dir="ltr">
          {url}
        </bdi>
        <span className="soft size-caption">
          {t(`office.settings.env.${environment}`)} · {kindsWords(webhook.kinds, { t, format })} ·{" "}
          {t("office.settings.hooks.waiting", { number: waiting })}
        </span>
        <State webhook={webhook} />
        {oldSecretUntil === undefined ? null : (
          <span className="soft size-caption">
            {t("office.settings.hooks.bothSecrets", { time: format.moment(oldSecretUntil) })}
          </span>
        )}
      </span>
      <span className="flex wrap gap-3">
        <RowButton words="test" url={url} isBusy={test.isPending} onClick={() => test.mutate()} />
        <RowButton words="change" url={url} onClick={() => setIsChanging(true)} />
        <RowButton words="rotate" url={url} onClick={() => setIsRotating(true)} />
        {pausedAt !== undefined ? (
          <Button loading={resume.isPending} onClick={() => resume.mutate()}>
            {t("office.settings.hooks.resume")}
          </Button>
        ) : null}
        <RowButton words="remove" url={url} onClick={onRemove} />
      </span>
      {test.data ? <TestResult result={test.data} /> : null}
      {rotated ? <NewSecret key={rotated.secret} rotated={rotated} /> : null}
      {isRotating ? (
        <RotateDialog
          webhook={webhook}
          onRotate={setRotated}
          onClose={() => setIsRotating(false)}
        />
      ) : null}
      {isChanging ? (
        <WebhookChangeForm webhook={webhook} onClose={() => setIsChanging(false)} />
      ) : null}
      <Trouble error={test.error ?? resume.error} />
    </li>
  );
}

function NewSecret({ rotated }: { readonly rotated: WebhookSecret }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { secret, oldSecretUntil } = rotated;
  const time = oldSecretUntil === undefined ? undefined : format.moment(oldSecretUntil);
  const words = time
    ? t("office.settings.hooks.rotated", { time })
    : t("office.settings.hooks.once");
  return <ShownOnce secret={secret} words={words} />;
}

const OLD_SECRET_CHOICES = [
  { hours: 0, words: "oldSecretNow" },
  { hours: 1, words: "oldSecretHour" },
  { hours: DEFAULT_OLD_SECRET_HOURS, words: "oldSecretDay" },
  { hours: MAX_OLD_SECRET_HOURS, words: "oldSecretWeek" },
] as const;

interface RotateDialogProps {
  readonly webhook: Webhook;
  readonly onRotate: (rotated: WebhookSecret) => void;
  readonly onClose: () => void;
}

function RotateDialog({ webhook, onRotate, onClose }: RotateDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { webhookId, url } = webhook;
  const [hours, setHours] = useState<number>(DEFAULT_OLD_SECRET_HOURS);
  const rotate = useMutation({
    mutationFn: () => {
      const query = { oldSecretHours: hours };
      return call(webhookOperations.rotateSecret, { params: { webhookId }, query });
    },
    onSuccess: async (rotated) => {
      await invalidateAnswers(queryClient, [webhookOperations.list]);
      onRotate(rotated);
      onClose();
    },
  });
  const choices = OLD_SECRET_CHOICES.map((choice) => ({
    value: String(choice.hours),
    label: t(`office.settings.hooks.${choice.words}`),
  }));
  return (
    <ConfirmDialog
      title={t("office.settings.hooks.rotateFor", { url })}
      body={t("office.settings.hooks.rotateAsk")}
      action={t("office.settings.hooks.rotate")}
      busy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate()}
      onClose={onClose}
    >
      <Select
        label={t("office.settings.hooks.oldSecret")}
        data={choices}
        allowDeselect={false}
        value={String(hours)}
        onChange={(value) => setHours(Number(value))}
      />
    </ConfirmDialog>
  );
}

interface RowButtonProps {
  readonly words: "test" | "change" | "rotate" | "remove";
  readonly url: string;
  readonly isBusy?: boolean;
  readonly onClick: () => void;
}

function RowButton({ words, url, isBusy = false, onClick }: RowButtonProps) {
  const { t } = useTranslation();
  return (
    <Button
      variant="default"
      loading={isBusy}
      aria-label={t(`office.settings.hooks.${words}For`, { url })}
      onClick={onClick}
    >
      {t(`office.settings.hooks.${words}`)}
    </Button>
  );
}

function State({ webhook }: { readonly webhook: Webhook }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { failingSince, pausedAt, lastFailure: reason = "", listeningUntil } = webhook;
  if (listeningUntil !== undefined) {
    const time = format.moment(listeningUntil);
    return (
      <span className="soft size-caption">{t("office.settings.hooks.listener", { time })}</span>
    );
  }
  if (pausedAt !== undefined) {
    const time = format.moment(pausedAt);
    return <strong>{t("office.settings.hooks.paused", { time, reason })}</strong>;
  }
  if (failingSince !== undefined) {
    const time = format.moment(failingSince);
    return <strong>{t("office.settings.hooks.failing", { time, reason })}</strong>;
  }
  return <span className="soft size-caption">{t("office.settings.hooks.ok")}</span>;
}

function TestResult({ result }: { readonly result: WebhookTest }) {
  const { t } = useTranslation();
  const { taken, attempt } = result;
  const { status = "", answer = "", error } = attempt;
  const reason = error ?? t("office.settings.hooks.status", { status });
  return (
    <Notice tone={taken ? "info" : "bad"} loud>
      <strong>
        {taken
          ? t("office.settings.hooks.taken", { status })
          : t("office.settings.hooks.notTaken", { reason })}
      </strong>{" "}
      <bdi>{answer.slice(0, 200)}</bdi>
    </Notice>
  );
}

interface RemoveDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

function RemoveDialog({ webhook, onClose }: RemoveDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { webhookId, url } = webhook;
  const remove = useMutation({
    mutationFn: () => call(webhookOperations.remove, { params: { webhookId } }),
    onSuccess: async () => {
      const shown = [webhookOperations.list, webhookOperations.listDeliveries];
      await invalidateAnswers(queryClient, shown);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t("office.settings.hooks.removeFor", { url })}
      body={t("office.settings.hooks.removeAsk")}
      action={t("office.settings.hooks.remove")}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

function DeliveryList() {
  const { t } = useTranslation();
  const deliveries = useQuery(deliveriesQuery());
  return (
    <>
      <h3 className="strong">{t("office.settings.hooks.deliveries")}</h3>
      <QueryTrouble query={deliveries} />
      {deliveries.data?.list.length === 0 ? <p>{t("office.settings.hooks.noDeliveries")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.settings.hooks.deliveries")}>
        {deliveries.data?.list.map((delivery) => (
          <DeliveryRow key={delivery.deliveryId} delivery={delivery} />
        ))}
      </ul>
    </>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { deliveryId, subject } = delivery;
  const resend = useMutation({
    mutationFn: () => call(webhookOperations.resend, { params: { deliveryId } }),
    onSuccess: () => invalidateAnswers(queryClient, [webhookOperations.listDeliveries]),
  });
  return (
    <li className={classes.row}>
      <DeliveryFacts delivery={delivery} />
      <Button
        variant="default"
        loading={resend.isPending}
        aria-label={t("office.settings.hooks.resendFor", { id: subject })}
        onClick={() => resend.mutate()}
      >
        {t("office.settings.hooks.resend")}
      </Button>
      <Trouble error={resend.error} />
    </li>
  );
}

export function DeliveryFacts({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { subject, environment, kind, state, attempts, createdAt } = delivery;
  const last = attempts.at(-1);
  return (
    <span className={classes.who}>
      <bdi className="strong" dir="ltr">
        {subject}
      </bdi>
      <span className="soft size-caption">
        {t(`office.settings.hooks.state.${state}`)} · {t(`office.settings.env.${environment}`)} ·{" "}
        {kindWords(kind, t)} · {format.moment(createdAt)} ·{" "}
        {t("office.settings.hooks.attempts", { number: attempts.length })}
      </span>
      {last ? (
        <bdi className="soft size-caption">
          {last.status ?? ""} {last.error ?? last.answer?.slice(0, 200) ?? ""}
        </bdi>
      ) : null}
    </span>
  );
}
