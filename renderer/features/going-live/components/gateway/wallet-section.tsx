import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  UpstreamComparison,
  UpstreamState,
} from "../../../../../server/contract/pos/upstream.ts";
import {
  type WalletAlert,
  walletOfficeOperations,
} from "../../../../../server/contract/pos/wallet-office.ts";
import { AmountField } from "../../../../components/amount-field.tsx";
import { Form } from "../../../../components/form.tsx";
import { Notice, Trouble } from "../../../../components/notice.tsx";
import { RechargeRefused } from "../../../../components/recharge-refused.tsx";
import { announce } from "../../../../lib/announcer.ts";
import { call } from "../../../../lib/api-client.ts";
import { parseAmount, toDecimal } from "../../../../lib/money.ts";
import { newId } from "../../../../lib/new-id.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { statusQuery, walletQuery } from "../../../../lib/pos-queries.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { GATEWAY_ANSWERS, rechargeLiveWallet } from "../../api/gateway-queries.ts";
import { tillStateQuery } from "../../api/going-live-queries.ts";
import classes from "./gateway.module.css";

const LONGEST_REFERENCE = 60;
const NOTHING_TYPED = { amount: "", paid: "", reference: "" };

export function WalletSection({ gateway }: { readonly gateway: UpstreamState }) {
  const { t } = useTranslation();
  return (
    <section className="part stack gap-3" aria-labelledby="gateway-wallet">
      <h2 id="gateway-wallet" className="size-label">
        {t("office.live.wallet.title")}
      </h2>
      {gateway.balance ? (
        <Balances balance={gateway.balance} />
      ) : (
        <p className="soft">{t("office.live.wallet.unknown")}</p>
      )}
    </section>
  );
}

function Balances({ balance }: { readonly balance: UpstreamComparison }) {
  const { t } = useTranslation();
  const format = useFormat();
  const state = useQuery(tillStateQuery());
  const { currency, currencyDivisor, upstream, available, held, difference } = balance;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  return (
    <>
      <dl className={classes.facts}>
        <dt className="soft">{t("office.live.wallet.there")}</dt>
        <dd className="medium break-anywhere">{money(upstream)}</dd>
        <dt className="soft">{t("office.live.wallet.here")}</dt>
        <dd className="medium break-anywhere">{money(available + held)}</dd>
      </dl>
      {difference === 0 ? null : (
        <Notice tone="wait">
          {t(difference > 0 ? "office.live.wallet.less" : "office.live.wallet.more", {
            amount: money(Math.abs(difference)),
          })}
        </Notice>
      )}
      <PaidInForm balance={balance} />
      {state.data ? <LiveAlertForm balance={balance} alert={state.data.alert} /> : null}
    </>
  );
}

interface LiveAlertFormProps {
  readonly balance: UpstreamComparison;
  readonly alert: WalletAlert;
}

/**
 * Alert for the live wallet. The wallet's own page shows the test wallet while the shop sells in
 * test.
 */
function LiveAlertForm({ balance, alert }: LiveAlertFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { currency, currencyDivisor } = balance;
  const { lowAmount: saved, lowHours } = alert;
  const [text, setText] = useState(saved === undefined ? "" : toDecimal(saved, currencyDivisor));
  const lowAmount = text === "" ? undefined : (parseAmount(text, currencyDivisor) ?? 0);
  const save = useMutation({
    mutationFn: (alert: WalletAlert) =>
      call(walletOfficeOperations.setAlert, { body: { environment: "live", ...alert } }),
    onSuccess: async () => {
      announce(t("office.wallet.alert.saved"));
      await invalidateAnswers(queryClient, GATEWAY_ANSWERS);
    },
  });
  return (
    <Form
      className={classes.fields}
      aria-labelledby="gateway-alert"
      onSubmit={() => {
        if (lowAmount !== 0 && !save.isPending) {
          save.mutate({
            ...(lowAmount !== undefined && { lowAmount }),
            ...(lowHours !== undefined && { lowHours }),
          });
        }
      }}
    >
      <h3 id="gateway-alert" className="size-body">
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
      <div className="flex wrap gap-3">
        <Button type="submit" variant="default" loading={save.isPending}>
          {t("office.wallet.alert.save")}
        </Button>
      </div>
      <Trouble error={save.error} />
      {save.isSuccess ? <Notice tone="info">{t("office.wallet.alert.saved")}</Notice> : null}
    </Form>
  );
}

/** Records a payment to the provider. Moves no money. */
function PaidInForm({ balance }: { readonly balance: UpstreamComparison }) {
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
    <Form
      className={classes.fields}
      onSubmit={() => {
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
      <div className="flex wrap gap-3">
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
    </Form>
  );
}

/**
 * A repeated request has the same id, so that the recharge is recorded once. An edit changes the
 * id.
 */
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
