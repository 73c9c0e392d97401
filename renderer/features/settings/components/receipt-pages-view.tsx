import { Button, Skeleton, Switch, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { receiptPageOperations } from "../../../../server/contract/pos/receipt-page-operations.ts";
import {
  MOST_LINK_DAYS,
  type ReceiptPageSettings,
} from "../../../../server/contract/pos/receipt-pages.ts";
import { Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { announce } from "../../../lib/announcer.ts";
import { call } from "../../../lib/api-client.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { receiptPagesQuery } from "../api/settings-queries.ts";
import classes from "./settings-screen.module.css";
import { Trouble } from "./trouble.tsx";

/** Receipts that customers open on their phones. */
export function ReceiptPagesView() {
  const settings = useQuery(receiptPagesQuery());
  return (
    <>
      <QueryTrouble query={settings} />
      {settings.data ? (
        <ReceiptPagesForm settings={settings.data} />
      ) : (
        <Skeleton height="12rem" radius="md" />
      )}
    </>
  );
}

function ReceiptPagesForm({ settings }: { readonly settings: ReceiptPageSettings }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [enabled, setEnabled] = useState(settings.enabled);
  const [publicUrl, setPublicUrl] = useState(settings.publicUrl);
  const [days, setDays] = useState(String(settings.keepDays));
  const [detailsInMail, setDetails] = useState(settings.detailsInMail);
  const keepDays = readDays(days);
  const isAddress = publicUrl.trim() === "" || isWebAddress(publicUrl.trim());
  const save = useMutation({
    mutationFn: (body: ReceiptPageSettings) => call(receiptPageOperations.setSettings, { body }),
    onSuccess: async () => {
      announce(t("office.settings.saved"));
      await invalidateAnswers(queryClient, [receiptPageOperations.ways]);
    },
  });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (keepDays !== undefined && isAddress) {
          save.mutate({ enabled, publicUrl: publicUrl.trim(), keepDays, detailsInMail });
        }
      }}
    >
      <Switch
        label={t("office.settings.receipts.enabled")}
        description={enabled ? undefined : t("office.settings.receipts.off")}
        checked={enabled}
        onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
      />
      <TextInput
        label={t("office.settings.receipts.url")}
        description={t("office.settings.receipts.urlHint")}
        type="url"
        dir="ltr"
        maxLength={200}
        value={publicUrl}
        error={isAddress ? undefined : t("office.settings.receipts.urlWrong")}
        onChange={({ currentTarget }) => setPublicUrl(currentTarget.value)}
      />
      <AddressWarning />
      <TextInput
        label={t("office.settings.receipts.days")}
        inputMode="numeric"
        maxLength={3}
        value={days}
        error={keepDays === undefined ? t("office.settings.receipts.daysWrong") : undefined}
        onChange={({ currentTarget }) => setDays(currentTarget.value)}
      />
      <Switch
        label={t("office.settings.receipts.inMail")}
        description={t("office.settings.receipts.inMailHint")}
        checked={detailsInMail}
        onChange={({ currentTarget }) => setDetails(currentTarget.checked)}
      />
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

/** That customers' browsers warn of the address that is set. */
function AddressWarning() {
  const { t } = useTranslation();
  const ways = useQuery(operationQuery(receiptPageOperations.ways));
  if (!ways.data?.warned) return null;
  return <Notice tone="wait">{t("office.settings.receipts.urlWarned")}</Notice>;
}

function readDays(text: string): number | undefined {
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  return days >= 1 && days <= MOST_LINK_DAYS ? days : undefined;
}

function isWebAddress(text: string): boolean {
  return /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)\b)/.test(text) && URL.canParse(text);
}
