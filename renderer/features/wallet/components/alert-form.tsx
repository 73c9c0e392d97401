import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WalletOverview } from "../../../../server/contract/pos/wallet-office.ts";
import { AmountField } from "../../../components/amount-field.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { announce } from "../../../lib/announcer.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { toDecimal } from "../../../lib/money.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { readAlert } from "../alert-draft.ts";
import { putAlert, WALLET_ANSWERS } from "../api/wallet-queries.ts";
import classes from "./wallet.module.css";

/** Under what the wallet is low: an amount, hours of sale, both or neither. */
export function AlertForm({ overview }: { readonly overview: WalletOverview }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { environment, currency, currencyDivisor, alert } = overview;
  const { lowAmount, lowHours } = alert;
  const [draft, setDraft] = useState({
    amount: lowAmount === undefined ? "" : toDecimal(lowAmount, currencyDivisor),
    hours: lowHours === undefined ? "" : String(lowHours),
  });
  const [wrong, setWrong] = useState<"amount" | "hours">();
  const save = useMutation({
    mutationFn: putAlert,
    onSuccess: () => {
      announce(t("office.wallet.alert.saved"));
      void invalidateAnswers(queryClient, WALLET_ANSWERS);
    },
  });

  function change(changed: Partial<typeof draft>) {
    setWrong(undefined);
    save.reset();
    setDraft({ ...draft, ...changed });
  }

  return (
    <form
      className={classes.form}
      aria-labelledby="wallet-alert"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const read = readAlert(draft, currencyDivisor);
        setWrong(read.wrong);
        if (read.alert && !save.isPending) {
          save.mutate({ environment, ...read.alert });
        }
      }}
    >
      <h2 id="wallet-alert" className={classes.legend}>
        {t("office.wallet.alert.title")}
      </h2>
      <p className={classes.soft}>{t("office.wallet.alert.intro")}</p>
      <AmountField
        label={t("office.wallet.alert.amount", { currency })}
        text={draft.amount}
        currencyDivisor={currencyDivisor}
        error={wrong === "amount" ? t("office.wallet.badAmount") : undefined}
        onText={(amount) => change({ amount })}
      />
      <TextInput
        label={t("office.wallet.alert.hours")}
        inputMode="numeric"
        autoComplete="off"
        value={draft.hours}
        error={wrong === "hours" ? t("office.wallet.alert.badHours") : undefined}
        onChange={({ currentTarget }) =>
          change({ hours: currentTarget.value.replaceAll(/\D/g, "").slice(0, 3) })
        }
      />
      <Button type="submit" variant="default" loading={save.isPending}>
        {t("office.wallet.alert.save")}
      </Button>
      {save.error ? <ErrorNotice words={errorWords(save.error, t, format)} /> : null}
    </form>
  );
}
