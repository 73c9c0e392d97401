import { Button, Select, Skeleton, Switch, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ENVIRONMENTS } from "../../../../server/contract/common.ts";
import { favouriteOperations } from "../../../../server/contract/pos/favourites.ts";
import type { ConfirmNumber } from "../../../../server/contract/pos/number-check.ts";
import type { PosSettings } from "../../../../server/contract/pos/settings.ts";
import type { PosStatus } from "../../../../server/contract/pos/setup.ts";
import { usualCashStep } from "../../../../server/contract/pos/tenders.ts";
import { Form, FormEnd } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { amountText } from "../../../lib/amount-text.ts";
import { announce } from "../../../lib/announcer.ts";
import { call } from "../../../lib/api-client.ts";
import { fractionDigits, parseAmount, toDecimal } from "../../../lib/money.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { changeSettings, settingsQuery } from "../api/settings-queries.ts";
import { readMinutes } from "../settings-rules.ts";

/** `usual` is the country's usual step. */
const CASH_CHOICES = ["none", "usual", "own"] as const;
const LARGEST_STEP = 100_000;

interface CashDraft {
  readonly choice: (typeof CASH_CHOICES)[number];
  readonly typed: string;
}

type Shop = Pick<PosStatus, "country" | "currency" | "currencyDivisor">;

export function cashDraftOf(step: number, { country, currency, currencyDivisor }: Shop): CashDraft {
  if (step === 0) return { choice: "none", typed: "" };
  const isUsual = step === usualCashStep(country, currency);
  return { choice: isUsual ? "usual" : "own", typed: toDecimal(step, currencyDivisor) };
}

/**
 * Returns the rounding step in minor units; 0 for no rounding, undefined if the typed step is
 * invalid.
 */
export function readCashStep({ choice, typed }: CashDraft, shop: Shop): number | undefined {
  if (choice === "none") return 0;
  if (choice === "usual") return usualCashStep(shop.country, shop.currency);
  const step = parseAmount(typed, shop.currencyDivisor) ?? 0;
  return step > 0 && step <= LARGEST_STEP ? step : undefined;
}

const CHOICES = ["NEVER", "NEW", "ALWAYS"] as const satisfies readonly ConfirmNumber[];

export function SalesView({ status }: { readonly status: PosStatus }) {
  const { t } = useTranslation();
  const settings = useQuery(settingsQuery());
  return (
    <>
      <QueryTrouble query={settings} />
      {settings.data ? (
        <SalesForm settings={settings.data} status={status} />
      ) : (
        <Skeleton height="12rem" radius="md" />
      )}
      <EraseNumber />
      <p className="soft">{t("office.settings.sales.other")}</p>
    </>
  );
}

interface SalesFormProps {
  readonly settings: PosSettings;
  readonly status: PosStatus;
}

function SalesForm({ settings, status }: SalesFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState(String(settings.idleLockMinutes));
  const [lookupEnabled, setLookup] = useState(settings.lookupEnabled);
  const [environments, setEnvironments] = useState(settings.environments);
  const [cash, setCash] = useState(cashDraftOf(settings.cashStep ?? 0, status));
  const [confirmNumber, setConfirmNumber] = useState(settings.confirmNumber ?? "NEVER");
  const [keepTyped, setKeepTyped] = useState(String(settings.keepNumbersDays ?? 0));
  const keepNumbersDays = readNumberDays(keepTyped);
  const rest = { lookupEnabled, environments, confirmNumber };
  const idleLockMinutes = readMinutes(typed);
  const cashStep = readCashStep(cash, status);
  const save = useMutation({
    mutationFn: (change: Partial<PosSettings>) => changeSettings(change),
    onSuccess: async () => {
      announce(t("office.settings.saved"));
      await queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
    },
  });
  return (
    <Form
      className={classes.form}
      onSubmit={() => {
        const typedAll = { keepNumbersDays, idleLockMinutes, cashStep };
        if (isComplete(typedAll)) save.mutate({ ...rest, ...typedAll });
      }}
    >
      <TextInput
        label={t("office.settings.sales.lock")}
        inputMode="numeric"
        maxLength={3}
        value={typed}
        error={idleLockMinutes === undefined ? t("office.settings.sales.lockWrong") : undefined}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <CashStepField status={status} draft={cash} onDraft={setCash} />
      <ConfirmNumberField value={confirmNumber} onChange={setConfirmNumber} />
      <Switch
        label={t("office.settings.sales.lookup")}
        checked={lookupEnabled}
        onChange={({ currentTarget }) => setLookup(currentTarget.checked)}
      />
      <KeepNumbersField typed={keepTyped} onTyped={setKeepTyped} />
      {ENVIRONMENTS.map((environment) => (
        <Switch
          key={environment}
          label={t("common.labelled", {
            label: t(`office.settings.env.${environment}`),
            value: t("office.settings.sales.queue"),
          })}
          checked={environments[environment].queueEnabled}
          onChange={({ currentTarget }) => {
            const queueEnabled = currentTarget.checked;
            setEnvironments({ ...environments, [environment]: { queueEnabled } });
          }}
        />
      ))}
      <FormEnd save={save} saved={t("office.settings.saved")}>
        {t("office.settings.save")}
      </FormEnd>
    </Form>
  );
}

interface KeepNumbersFieldProps {
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
}

function KeepNumbersField({ typed, onTyped }: KeepNumbersFieldProps) {
  const { t } = useTranslation();
  const isWrong = readNumberDays(typed) === undefined;
  return (
    <TextInput
      label={t("office.settings.sales.keepNumbers")}
      description={t("office.settings.sales.keepNumbersHint")}
      inputMode="numeric"
      maxLength={4}
      value={typed}
      error={isWrong ? t("office.settings.sales.keepNumbersWrong") : undefined}
      onChange={({ currentTarget }) => onTyped(currentTarget.value)}
    />
  );
}

const MOST_NUMBER_DAYS = 3_650;

function readNumberDays(text: string): number | undefined {
  const days = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return days <= MOST_NUMBER_DAYS ? days : undefined;
}

function EraseNumber() {
  const { t } = useTranslation();
  const format = useFormat();
  const [number, setNumber] = useState("");
  const erase = useMutation({
    mutationFn: () => call(favouriteOperations.erase, { body: { number } }),
    onSuccess: () => setNumber(""),
  });
  return (
    <Form
      className={classes.form}
      onSubmit={() => {
        if (number.trim().length >= SHORTEST_NUMBER && !erase.isPending) {
          erase.mutate();
        }
      }}
    >
      <h3 className="strong">{t("office.settings.sales.erase.title")}</h3>
      <p className="soft">{t("office.settings.sales.erase.hint")}</p>
      <TextInput
        label={t("office.settings.sales.erase.number")}
        type="tel"
        dir="ltr"
        autoComplete="off"
        maxLength={64}
        value={number}
        onChange={({ currentTarget }) => setNumber(currentTarget.value)}
      />
      <Trouble error={erase.error} />
      {erase.data ? (
        <Notice tone="info">
          {t("office.settings.sales.erase.done", { number: format.number(erase.data.lines) })}
        </Notice>
      ) : null}
      <div className="flex justify-end gap-3">
        <Button
          type="submit"
          variant="danger"
          loading={erase.isPending}
          disabled={number.trim().length < SHORTEST_NUMBER}
        >
          {t("office.settings.sales.erase.do")}
        </Button>
      </div>
    </Form>
  );
}

const SHORTEST_NUMBER = 6;

function isComplete<Fields extends object>(
  fields: Fields,
): fields is { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } & Fields {
  return !Object.values(fields).includes(undefined);
}

interface CashStepFieldProps {
  readonly status: PosStatus;
  readonly draft: CashDraft;
  readonly onDraft: (draft: CashDraft) => void;
}

function CashStepField({ status, draft, onDraft }: CashStepFieldProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { currency, currencyDivisor, country } = status;
  const usual = usualCashStep(country, currency);
  const isWrong = readCashStep(draft, status) === undefined;
  const words = {
    none: t("office.settings.sales.cash.none"),
    usual: t("office.settings.sales.cash.usual", {
      country: format.country(country),
      amount: format.money(usual, currency, currencyDivisor),
    }),
    own: t("office.settings.sales.cash.own"),
  };
  return (
    <>
      <Select
        label={t("office.settings.sales.cash.label")}
        description={t("office.settings.sales.cash.hint")}
        allowDeselect={false}
        data={CASH_CHOICES.filter((choice) => choice !== "usual" || usual > 0).map((value) => ({
          value,
          label: words[value],
        }))}
        value={draft.choice}
        onChange={(chosen) => {
          const choice = CASH_CHOICES.find((one) => one === chosen);
          if (choice) {
            onDraft({ ...draft, choice });
          }
        }}
      />
      {draft.choice === "own" ? (
        <TextInput
          label={t("office.settings.sales.cash.amount", { currency })}
          inputMode="decimal"
          autoComplete="off"
          value={format.typedAmount(draft.typed)}
          error={isWrong ? t("office.settings.sales.cash.wrong") : undefined}
          onChange={({ currentTarget }) => {
            const typed = amountText(currentTarget.value, fractionDigits(currencyDivisor));
            onDraft({ ...draft, typed });
          }}
        />
      ) : null}
    </>
  );
}

interface ConfirmNumberFieldProps {
  readonly value: ConfirmNumber;
  readonly onChange: (value: ConfirmNumber) => void;
}

function ConfirmNumberField({ value, onChange }: ConfirmNumberFieldProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t("office.settings.sales.confirmNumber.label")}
      description={t("office.settings.sales.confirmNumber.hint")}
      allowDeselect={false}
      data={CHOICES.map((choice) => ({
        value: choice,
        label: t(`office.settings.sales.confirmNumber.${choice}`),
      }))}
      value={value}
      onChange={(chosen) => onChange(CHOICES.find((choice) => choice === chosen) ?? value)}
    />
  );
}
