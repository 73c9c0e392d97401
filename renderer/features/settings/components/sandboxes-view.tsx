import { Button, Select, Skeleton, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type NewSandbox,
  type Sandbox,
  sandboxOperations,
} from "../../../../server/contract/pos/sandboxes.ts";
import type { Balance } from "../../../../server/contract/v1/balance.ts";
import { SPEEDS } from "../../../../server/contract/v1/sandbox.ts";
import { AmountField } from "../../../components/amount-field.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Form, FormEnd } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { Trouble } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { announce } from "../../../lib/announcer.ts";
import { ApiError, call } from "../../../lib/api-client.ts";
import { parseAmount } from "../../../lib/money.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { deliveriesQuery, sandboxesQuery, sandboxWalletQuery } from "../api/settings-queries.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { ShownOnce } from "./shown-once.tsx";
import { DeliveryFacts } from "./webhooks-view.tsx";

const LONGEST_NAME = 40;
/** As long as a key or a webhook secret. Reserves their room while the sandbox is created. */
const SECRET_TO_COME = "x".repeat(51);
const TO_COME = { key: SECRET_TO_COME, webhookSecret: SECRET_TO_COME };
const STEPS = ["15m", "1h", "24h", "next"] as const;
const NO_SCENARIO = "none";
const ASKS = ["wallet", "deliveries", "reset", "remove"] as const;
const ONLY_REMOVE = ["remove"] as const;

type Ask = { readonly kind: (typeof ASKS)[number]; readonly name: string };

/** A new key and its webhook secret are shown only once. */
export function SandboxesScreen() {
  const { t } = useTranslation();
  const sandboxes = useQuery(sandboxesQuery());
  const [asked, setAsked] = useState<Ask>();
  return (
    <OfficeScreen title={t("office.frame.section.sandboxes")} isSheet>
      <p className="soft">{t("office.settings.sandboxes.intro")}</p>
      <SandboxForm />
      <h3 className="strong">{t("office.settings.sandboxes.list")}</h3>
      <QueryTrouble query={sandboxes} />
      {sandboxes.data?.list.length === 0 ? <p>{t("office.settings.sandboxes.none")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.settings.sandboxes.list")}>
        {sandboxes.data?.list.map((sandbox) => (
          <SandboxRow
            key={sandbox.name}
            sandbox={sandbox}
            scenarios={sandboxes.data.scenarios.map(({ name }) => name)}
            onAsk={(kind) => setAsked({ kind, name: sandbox.name })}
          />
        ))}
      </ul>
      {asked ? <AskedDialog of={asked} onClose={() => setAsked(undefined)} /> : null}
    </OfficeScreen>
  );
}

interface SandboxRowProps {
  readonly sandbox: Sandbox;
  readonly scenarios: readonly string[];
  readonly onAsk: (kind: Ask["kind"]) => void;
}

function SandboxRow({ sandbox, scenarios, onAsk }: SandboxRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, state, keyHint, now } = sandbox;
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <bdi className="strong">{name}</bdi>
        <span className="soft size-caption">
          {state === "BROKEN" ? t("office.settings.sandboxes.broken") : null}
          {now === undefined
            ? null
            : t("office.settings.sandboxes.clock", { time: format.moment(now) })}
          {keyHint === undefined ? null : (
            <>
              {" · "}
              <bdi dir="ltr">{keyHint}…</bdi>
            </>
          )}
        </span>
      </div>
      {state === "BROKEN" ? null : <Controls sandbox={sandbox} scenarios={scenarios} />}
      <div className="flex wrap gap-3">
        {(state === "BROKEN" ? ONLY_REMOVE : ASKS).map((kind) => (
          <Button
            key={kind}
            variant="default"
            aria-label={t(`office.settings.sandboxes.${kind}For`, { name })}
            onClick={() => onAsk(kind)}
          >
            {t(`office.settings.sandboxes.${kind}`)}
          </Button>
        ))}
      </div>
    </li>
  );
}

/** The sandbox's clock and scenario. A change applies at once. */
function Controls({ sandbox, scenarios }: Omit<SandboxRowProps, "onAsk">) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { name, speed = 1, scenario = NO_SCENARIO } = sandbox;
  const params = { name };
  const onSuccess = () => invalidateAnswers(queryClient, [sandboxOperations.list]);
  const setSpeed = useMutation({
    mutationFn: (chosen: (typeof SPEEDS)[number]) =>
      call(sandboxOperations.setSpeed, { params, body: { speed: chosen } }),
    onSuccess,
  });
  const setScenario = useMutation({
    mutationFn: (chosen: string) =>
      call(sandboxOperations.setScenario, {
        params,
        body: chosen === NO_SCENARIO ? {} : { scenario: chosen },
      }),
    onSuccess,
  });
  return (
    <div className="stack gap-3 w-full">
      <div className={classes.fields}>
        <Select
          label={t("office.settings.sandboxes.speed")}
          data={SPEEDS.map((value) => ({
            value: String(value),
            label: t("office.settings.sandboxes.times", { number: format.number(value) }),
          }))}
          value={String(speed)}
          disabled={setSpeed.isPending}
          onChange={(value) => {
            const chosen = SPEEDS.find((one) => String(one) === value);
            if (chosen && chosen !== speed) setSpeed.mutate(chosen);
          }}
        />
        <Select
          label={t("office.settings.sandboxes.scenario")}
          data={[
            { value: NO_SCENARIO, label: t("office.settings.sandboxes.recipient") },
            ...scenarios.map((value) => ({ value, label: value })),
          ]}
          value={scenario}
          disabled={setScenario.isPending}
          onChange={(value) => {
            if (value !== null && value !== scenario) setScenario.mutate(value);
          }}
        />
      </div>
      <AdvanceButtons name={name} />
      <Trouble error={setSpeed.error ?? setScenario.error} />
    </div>
  );
}

function AdvanceButtons({ name }: { readonly name: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const advance = useMutation({
    mutationFn: (step: (typeof STEPS)[number]) =>
      call(sandboxOperations.advance, {
        params: { name },
        body: step === "next" ? { to: "next-deadline" } : { by: step },
      }),
    onSuccess: async ({ now }) => {
      announce(t("office.settings.sandboxes.clock", { time: format.moment(now) }));
      await invalidateAnswers(queryClient, [sandboxOperations.list]);
    },
  });
  return (
    <>
      <div className="flex wrap gap-3">
        {STEPS.map((step) => (
          <Button
            key={step}
            variant="default"
            loading={advance.isPending && advance.variables === step}
            disabled={advance.isPending}
            aria-label={t("office.settings.sandboxes.advanceFor", {
              name,
              step: t(`office.settings.sandboxes.step.${step}`),
            })}
            onClick={() => advance.mutate(step)}
          >
            {t(`office.settings.sandboxes.step.${step}`)}
          </Button>
        ))}
      </div>
      <Trouble error={advance.error} />
    </>
  );
}

interface AskedDialogProps {
  readonly of: Ask;
  readonly onClose: () => void;
}

function AskedDialog({ of: { kind, name }, onClose }: AskedDialogProps) {
  if (kind === "wallet") return <WalletDialog name={name} onClose={onClose} />;
  if (kind === "deliveries") return <DeliveriesDialog name={name} onClose={onClose} />;
  return <ConfirmedDialog kind={kind} name={name} onClose={onClose} />;
}

interface NamedDialogProps {
  readonly name: string;
  readonly onClose: () => void;
}

function WalletDialog({ name, onClose }: NamedDialogProps) {
  const { t } = useTranslation();
  const wallet = useQuery(sandboxWalletQuery(name));
  return (
    <Dialog opened onClose={onClose} title={t("office.settings.sandboxes.walletFor", { name })}>
      <QueryTrouble query={wallet} />
      {wallet.isPending ? <Skeleton height="8rem" radius="md" /> : null}
      {wallet.data ? <WalletForm name={name} balance={wallet.data} onClose={onClose} /> : null}
    </Dialog>
  );
}

function WalletForm({ name, balance, onClose }: NamedDialogProps & { readonly balance: Balance }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { availableBalance, currency, currencyDivisor } = balance;
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const set = useMutation({
    mutationFn: (available: number) =>
      call(sandboxOperations.setWallet, {
        params: { name },
        body: { availableBalance: available },
      }),
    onSuccess: async () => {
      announce(t("office.wallet.test.saved"));
      await invalidateAnswers(queryClient, [sandboxOperations.getWallet]);
      onClose();
    },
  });
  return (
    <Form
      className={classes.form}
      onSubmit={() => {
        const available = parseAmount(text, currencyDivisor);
        setWrong(available === undefined);
        if (available !== undefined && !set.isPending) set.mutate(available);
      }}
    >
      <p>
        {t("office.wallet.available")}:{" "}
        <strong className="tabular">
          {format.money(availableBalance, currency, currencyDivisor)}
        </strong>
      </p>
      <AmountField
        label={t("office.wallet.test.amount", { currency })}
        text={text}
        currencyDivisor={currencyDivisor}
        error={isWrong ? t("office.wallet.badAmount") : undefined}
        onText={(typed) => {
          setWrong(false);
          setText(typed);
        }}
      />
      <Trouble error={set.error} />
      <div className="flex justify-end gap-3">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button type="submit" loading={set.isPending}>
          {t("office.wallet.test.save")}
        </Button>
      </div>
    </Form>
  );
}

function DeliveriesDialog({ name, onClose }: NamedDialogProps) {
  const { t } = useTranslation();
  const title = t("office.settings.sandboxes.deliveriesFor", { name });
  const deliveries = useQuery(deliveriesQuery(name));
  return (
    <Dialog opened onClose={onClose} title={title}>
      <QueryTrouble query={deliveries} />
      {deliveries.isPending ? <Skeleton height="8rem" radius="md" /> : null}
      {deliveries.data?.list.length === 0 ? <p>{t("office.settings.hooks.noDeliveries")}</p> : null}
      <ul className={classes.rows} aria-label={title}>
        {deliveries.data?.list.map((delivery) => (
          <li key={delivery.deliveryId} className={classes.row}>
            <DeliveryFacts delivery={delivery} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface ConfirmedDialogProps extends NamedDialogProps {
  readonly kind: "reset" | "remove";
}

function ConfirmedDialog({ kind, name, onClose }: ConfirmedDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: () => call(sandboxOperations[kind], { params: { name } }),
    onSuccess: async () => {
      await invalidateAnswers(queryClient, [sandboxOperations.list]);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t(`office.settings.sandboxes.${kind}For`, { name })}
      body={t(`office.settings.sandboxes.${kind}Ask`)}
      action={t(`office.settings.sandboxes.${kind}`)}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  );
}

function SandboxForm() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const make = useMutation({
    mutationFn: () => call(sandboxOperations.create, { body: { name: name.trim() } }),
    onSuccess: () => {
      setName("");
      // The key is shown at once, so that it does not move the longer list later.
      void invalidateAnswers(queryClient, [sandboxOperations.list]);
    },
  });
  const isOfName = make.error instanceof ApiError && "name" in make.error.fields;
  return (
    <Form
      className={classes.form}
      onSubmit={() => {
        if (name.trim() !== "") make.mutate();
      }}
    >
      <TextInput
        label={t("office.settings.sandboxes.name")}
        maxLength={LONGEST_NAME}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        value={name}
        error={isOfName ? t("office.settings.sandboxes.nameWrong") : undefined}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <FormEnd save={make} error={isOfName ? null : make.error} disabled={name.trim() === ""}>
        {t("office.settings.sandboxes.make")}
      </FormEnd>
      {make.isPending ? (
        <Skeleton inert>
          <NewSecrets made={TO_COME} />
        </Skeleton>
      ) : null}
      {make.data ? <NewSecrets key={make.data.key} made={make.data} /> : null}
    </Form>
  );
}

function NewSecrets({ made }: { readonly made: Pick<NewSandbox, "key" | "webhookSecret"> }) {
  const { t } = useTranslation();
  return (
    <div className={classes.form}>
      <ShownOnce secret={made.key} words={t("office.settings.sandboxes.once")} />
      <ShownOnce secret={made.webhookSecret} words={t("office.settings.sandboxes.onceSecret")} />
    </div>
  );
}
