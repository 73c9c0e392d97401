import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  UpstreamComparison,
  UpstreamState,
} from "../../../../../server/contract/pos/upstream.ts";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { amountText } from "../../../../lib/amount-text.ts";
import { announce } from "../../../../lib/announcer.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { fractionDigits, parseAmount } from "../../../../lib/money.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { walletQuery } from "../../../../lib/pos-queries.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { GATEWAY_ANSWERS, rechargeLiveWallet } from "../../api/gateway-queries.ts";
import classes from "./gateway.module.css";

/** The money at the provider beside the live wallet here, and what was paid in. */
export function WalletSection({ gateway }: { readonly gateway: UpstreamState }) {
  const { t } = useTranslation();
  return (
    <section className={classes.section} aria-labelledby="gateway-wallet">
      <h2 id="gateway-wallet" className={classes.legend}>
        {t("office.live.wallet.title")}
      </h2>
      {gateway.balance ? (
        <Balances balance={gateway.balance} />
      ) : (
        <p className={classes.soft}>{t("office.live.wallet.unknown")}</p>
      )}
    </section>
  );
}

function Balances({ balance }: { readonly balance: UpstreamComparison }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { currency, currencyDivisor, upstream, available, held, difference } = balance;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor, "code");
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t("office.live.wallet.there")}</dt>
        <dd>{money(upstream)}</dd>
        <dt>{t("office.live.wallet.here")}</dt>
        <dd>{money(available + held)}</dd>
      </dl>
      {difference === 0 ? null : (
        <Notice tone="wait">
          {t(difference > 0 ? "office.live.wallet.less" : "office.live.wallet.more", {
            amount: money(Math.abs(difference)),
          })}
        </Notice>
      )}
      <RechargeForm balance={balance} />
    </>
  );
}

/** What was paid to the provider is recorded here: no money moves by it. */
function RechargeForm({ balance }: { readonly balance: UpstreamComparison }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { currency, currencyDivisor, difference } = balance;
  const [text, setText] = useState("");
  const amount = parseAmount(text, currencyDivisor) ?? 0;
  const digits = fractionDigits(currencyDivisor);
  const recharge = useMutation({
    mutationFn: rechargeLiveWallet,
    onSuccess: async () => {
      announce(t("office.live.wallet.recorded"));
      setText("");
      await queryClient.invalidateQueries({ queryKey: walletQuery().queryKey });
      await invalidateAnswers(queryClient, GATEWAY_ANSWERS);
    },
  });
  return (
    <form
      className={classes.line}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (amount > 0 && !recharge.isPending) {
          recharge.mutate(amount);
        }
      }}
    >
      <TextInput
        label={t("office.live.wallet.amount", { currency })}
        description={t("office.live.wallet.amountHint")}
        inputMode="decimal"
        autoComplete="off"
        placeholder={
          difference > 0 ? format.typedAmount((difference / currencyDivisor).toFixed(digits)) : ""
        }
        value={format.typedAmount(text)}
        onChange={({ currentTarget }) => {
          recharge.reset();
          setText(amountText(currentTarget.value, digits));
        }}
      />
      <Button type="submit" disabled={amount === 0} loading={recharge.isPending}>
        {t("office.live.wallet.record")}
      </Button>
      {recharge.error ? <ErrorNotice words={errorWords(recharge.error, t, format)} /> : null}
      {recharge.isSuccess ? <Notice tone="info">{t("office.live.wallet.recorded")}</Notice> : null}
    </form>
  );
}
