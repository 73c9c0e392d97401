import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UpstreamComparison } from "../../../../../server/contract/pos/upstream.ts";
import type { WalletAlert } from "../../../../../server/contract/pos/wallet-office.ts";
import { AmountField } from "../../../../components/amount-field.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { announce } from "../../../../lib/announcer.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { parseAmount, toDecimal } from "../../../../lib/money.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { GATEWAY_ANSWERS, setLiveAlert } from "../../api/gateway-queries.ts";
import classes from "./gateway.module.css";

interface LiveAlertFormProps {
  readonly balance: UpstreamComparison;
  readonly alert: WalletAlert;
}

/** Under which amount the live wallet is low; while the shop sells in test, its own page is of test. */
export function LiveAlertForm({ balance, alert }: LiveAlertFormProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { currency, currencyDivisor } = balance;
  const { lowAmount: saved, lowHours } = alert;
  const [text, setText] = useState(saved === undefined ? "" : toDecimal(saved, currencyDivisor));
  const lowAmount = text === "" ? undefined : (parseAmount(text, currencyDivisor) ?? 0);
  const save = useMutation({
    mutationFn: setLiveAlert,
    onSuccess: async () => {
      announce(t("office.wallet.alert.saved"));
      await invalidateAnswers(queryClient, GATEWAY_ANSWERS);
    },
  });
  return (
    <form
      className={classes.fields}
      aria-labelledby="gateway-alert"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (lowAmount !== 0 && !save.isPending) {
          save.mutate({
            ...(lowAmount !== undefined && { lowAmount }),
            ...(lowHours !== undefined && { lowHours }),
          });
        }
      }}
    >
      <h3 id="gateway-alert" className={classes.name}>
        {t("office.wallet.alert.title")}
      </h3>
      <AmountField
        label={t("office.wallet.alert.amount", { currency })}
        hint={t("office.wallet.alert.intro")}
        text={text}
        currencyDivisor={currencyDivisor}
        error={lowAmount === 0 ? t("office.wallet.badAmount") : undefined}
        onText={(typed) => {
          save.reset();
          setText(typed);
        }}
      />
      <div className={classes.buttons}>
        <Button type="submit" variant="default" loading={save.isPending}>
          {t("office.wallet.alert.save")}
        </Button>
      </div>
      {save.error ? <ErrorNotice words={errorWords(save.error, t, format)} /> : null}
      {save.isSuccess ? <Notice tone="info">{t("office.wallet.alert.saved")}</Notice> : null}
    </form>
  );
}
