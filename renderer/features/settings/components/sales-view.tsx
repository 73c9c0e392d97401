import { Button, Skeleton, Switch, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ENVIRONMENTS } from "../../../../server/contract/common.ts";
import type { PosSettings } from "../../../../server/contract/pos/settings.ts";
import type { PosStatus } from "../../../../server/contract/pos/setup.ts";
import { Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { announce } from "../../../lib/announcer.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { changeSettings, settingsQuery } from "../api/settings-queries.ts";
import { cashDraftOf, readCashStep } from "../cash-draft.ts";
import { readMinutes } from "../settings-rules.ts";
import { CashStepField } from "./cash-step-field.tsx";
import { ConfirmNumberField } from "./confirm-number-field.tsx";
import classes from "./settings-screen.module.css";
import { Trouble } from "./trouble.tsx";

/** How it is sold: the lock, the rounding of cash, the lookup of numbers, and sending again. */
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
      <p className={classes.hint}>{t("office.settings.sales.other")}</p>
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
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (idleLockMinutes !== undefined && cashStep !== undefined) {
          save.mutate({ idleLockMinutes, lookupEnabled, environments, cashStep, confirmNumber });
        }
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
      <Trouble error={save.error} />
      {save.isSuccess ? <Notice tone="info">{t("office.settings.saved")}</Notice> : null}
      <div className={classes.end}>
        <Button type="submit" loading={save.isPending}>
          {t("office.settings.save")}
        </Button>
      </div>
    </form>
  );
}
