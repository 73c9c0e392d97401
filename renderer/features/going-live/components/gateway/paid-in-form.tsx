import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UpstreamComparison } from "../../../../../server/contract/pos/upstream.ts";
import { AmountField } from "../../../../components/amount-field.tsx";
import { Notice } from "../../../../components/notice.tsx";
import { RechargeRefused } from "../../../../components/recharge-refused.tsx";
import { announce } from "../../../../lib/announcer.ts";
import { parseAmount } from "../../../../lib/money.ts";
import { newId } from "../../../../lib/new-id.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { statusQuery, walletQuery } from "../../../../lib/pos-queries.ts";
import { GATEWAY_ANSWERS, rechargeLiveWallet } from "../../api/gateway-queries.ts";
import classes from "./gateway.module.css";

const LONGEST_REFERENCE = 60;
const NOTHING_TYPED = { amount: "", paid: "", reference: "" };

/** What was paid to the provider is recorded here, with what it is found again by: no money moves by it. */
export function PaidInForm({ balance }: { readonly balance: UpstreamComparison }) {
  const { t } = useTranslation();
  const { data: shop } = useQuery(statusQuery());
  const [draft, setDraft] = useState(NOTHING_TYPED);
  const { currency, currencyDivisor } = balance;
  const amount = parseAmount(draft.amount, currencyDivisor) ?? 0;
  const paid = shop && parseAmount(draft.paid, shop.currencyDivisor);
  const isPaidWrong = draft.paid.trim() !== "" && (paid ?? 0) === 0;
  const reference = draft.reference.trim();
  const { recharge, renew } = usePaidIn(() => setDraft(NOTHING_TYPED));

  function change(changed: Partial<typeof draft>) {
    renew();
    setDraft({ ...draft, ...changed });
  }

  return (
    <form
      className={classes.fields}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (amount > 0 && !isPaidWrong && !recharge.isPending) {
          recharge.mutate({
            amount,
            ...(paid && { paid }),
            ...(reference !== "" && { reference }),
          });
        }
      }}
    >
      <AmountField
        label={t("office.live.wallet.amount", { currency })}
        hint={t("office.live.wallet.amountHint")}
        text={draft.amount}
        currencyDivisor={currencyDivisor}
        onText={(text) => change({ amount: text })}
      />
      {shop ? (
        <AmountField
          label={t("office.wallet.recharge.paid", { currency: shop.currency })}
          hint={t("office.wallet.recharge.paidHint")}
          text={draft.paid}
          currencyDivisor={shop.currencyDivisor}
          error={isPaidWrong ? t("office.wallet.badAmount") : undefined}
          onText={(text) => change({ paid: text })}
        />
      ) : null}
      <ReferenceField text={draft.reference} onText={(text) => change({ reference: text })} />
      <div className={classes.buttons}>
        <Button type="submit" disabled={amount === 0} loading={recharge.isPending}>
          {t("office.live.wallet.record")}
        </Button>
      </div>
      <RechargeRefused
        error={recharge.error}
        loading={recharge.isPending}
        onAgain={() =>
          recharge.variables && recharge.mutate({ ...recharge.variables, isSure: true })
        }
      />
      {recharge.isSuccess ? <Notice tone="info">{t("office.live.wallet.recorded")}</Notice> : null}
    </form>
  );
}

/** Books under one id until it is booked or changed, so that a request sent twice books one recharge. */
function usePaidIn(onBooked: () => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [rechargeId, setRechargeId] = useState(() => newId());
  const recharge = useMutation({
    mutationFn: (paidIn: Omit<Parameters<typeof rechargeLiveWallet>[0], "rechargeId">) =>
      rechargeLiveWallet({ rechargeId, ...paidIn }),
    onSuccess: async () => {
      announce(t("office.live.wallet.recorded"));
      onBooked();
      setRechargeId(newId());
      await queryClient.invalidateQueries({ queryKey: walletQuery().queryKey });
      await invalidateAnswers(queryClient, GATEWAY_ANSWERS);
    },
  });
  return {
    recharge,
    renew() {
      recharge.reset();
      setRechargeId(newId());
    },
  };
}

interface ReferenceFieldProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

function ReferenceField({ text, onText }: ReferenceFieldProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t("office.wallet.recharge.reference")}
      autoComplete="off"
      maxLength={LONGEST_REFERENCE}
      value={text}
      onChange={({ currentTarget }) => onText(currentTarget.value)}
    />
  );
}
