import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { StatementEntry } from "../../../../server/contract/pos/wallet-office.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { announce } from "../../../lib/announcer.ts";
import { latinDigits } from "../../../lib/direction.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { newId } from "../../../lib/new-id.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { reverseRecharge, WALLET_ANSWERS } from "../api/wallet-queries.ts";
import classes from "./wallet.module.css";

interface ReversalFormProps {
  readonly entry: StatementEntry;
  readonly environment: Environment;
}

/** Takes a recharge back that was recorded by mistake, with the reason and the owner's PIN. */
export function ReversalForm({ entry, environment }: ReversalFormProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [pin, setPin] = useState("");
  const [reversalId] = useState(() => newId());
  const reverse = useMutation({
    mutationFn: () =>
      reverseRecharge(entry.transactionId, { environment, reversalId, reason: reason.trim(), pin }),
    onSuccess: () => {
      announce(t("office.wallet.reversal.done"));
      void invalidateAnswers(queryClient, WALLET_ANSWERS);
    },
    onSettled: () => setPin(""),
  });
  if (!isOpen) {
    return (
      <Button variant="default" onClick={() => setOpen(true)}>
        {t("office.wallet.reversal.open")}
      </Button>
    );
  }
  const isReady = reason.trim() !== "" && pin.length >= 4;
  return (
    <form
      className={classes.form}
      aria-label={t("office.wallet.reversal.title")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !reverse.isPending) reverse.mutate();
      }}
    >
      <p className={classes.soft}>{t("office.wallet.reversal.intro")}</p>
      <TextInput
        label={t("office.wallet.reversal.reason")}
        autoComplete="off"
        maxLength={120}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
      />
      <PinField
        label={t("office.wallet.reversal.pin")}
        autoComplete="off"
        value={pin}
        onChange={({ currentTarget }) =>
          setPin(latinDigits(currentTarget.value).replaceAll(/\D/g, ""))
        }
      />
      <Button type="submit" disabled={!isReady} loading={reverse.isPending}>
        {t("office.wallet.reversal.title")}
      </Button>
      <Button variant="default" onClick={() => setOpen(false)}>
        {t("common.cancel")}
      </Button>
      {reverse.error ? <ErrorNotice words={errorWords(reverse.error, t, format)} /> : null}
    </form>
  );
}
