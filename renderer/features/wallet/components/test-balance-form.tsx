import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WalletOverview } from "../../../../server/contract/pos/wallet-office.ts";
import { AmountField } from "../../../components/amount-field.tsx";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { announce } from "../../../lib/announcer.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { parseAmount } from "../../../lib/money.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { putTestBalance, WALLET_ANSWERS } from "../api/wallet-queries.ts";
import classes from "./wallet.module.css";

/** Practice money: the test wallet is set to any amount. */
export function TestBalanceForm({ overview }: { readonly overview: WalletOverview }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { currency, currencyDivisor } = overview;
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const set = useMutation({
    mutationFn: putTestBalance,
    onSuccess: () => {
      announce(t("office.wallet.test.saved"));
      setText("");
      void invalidateAnswers(queryClient, WALLET_ANSWERS);
    },
  });
  return (
    <form
      className={classes.form}
      aria-labelledby="wallet-test"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const available = parseAmount(text, currencyDivisor);
        setWrong(available === undefined);
        if (available !== undefined && !set.isPending) {
          set.mutate(available);
        }
      }}
    >
      <h2 id="wallet-test" className={classes.legend}>
        {t("office.wallet.test.title")}
      </h2>
      <p className={classes.soft}>{t("office.wallet.test.intro")}</p>
      <AmountField
        label={t("office.wallet.test.amount", { currency })}
        text={text}
        currencyDivisor={currencyDivisor}
        error={isWrong ? t("office.wallet.badAmount") : undefined}
        onText={(typed) => {
          setWrong(false);
          set.reset();
          setText(typed);
        }}
      />
      <Button type="submit" variant="default" loading={set.isPending}>
        {t("office.wallet.test.save")}
      </Button>
      {set.error ? <ErrorNotice words={errorWords(set.error, t, format)} /> : null}
      {set.isSuccess ? <Notice tone="info">{t("office.wallet.test.saved")}</Notice> : null}
    </form>
  );
}
