import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosStatus } from "../../../../server/contract/pos/setup.ts";
import type { WalletOverview } from "../../../../server/contract/pos/wallet-office.ts";
import { AmountField } from "../../../components/amount-field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { RechargeRefused } from "../../../components/recharge-refused.tsx";
import { announce } from "../../../lib/announcer.ts";
import { parseAmount } from "../../../lib/money.ts";
import { newId } from "../../../lib/new-id.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { bookRecharge, WALLET_ANSWERS } from "../api/wallet-queries.ts";
import classes from "./wallet.module.css";

interface RechargeFormProps {
  readonly overview: WalletOverview;
  /** The shop's own money, in which it was paid. */
  readonly shop: Pick<PosStatus, "currency" | "currencyDivisor">;
}

interface Draft {
  readonly amount: string;
  readonly paid: string;
  readonly reference: string;
}

const NOTHING_TYPED: Draft = { amount: "", paid: "", reference: "" };

/** Money that was paid in, with what it is found again by. */
export function RechargeForm({ overview, shop }: RechargeFormProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(NOTHING_TYPED);
  const [isWrong, setWrong] = useState(false);
  const { book, renew } = useBooking(() => setDraft(NOTHING_TYPED));
  const { environment, currency, currencyDivisor } = overview;
  const amount = parseAmount(draft.amount, currencyDivisor) ?? 0;
  const paid = draft.paid.trim() === "" ? undefined : parseAmount(draft.paid, shop.currencyDivisor);
  const isPaidWrong = draft.paid.trim() !== "" && (paid ?? 0) === 0;
  const reference = draft.reference.trim();

  function change(changed: Partial<Draft>) {
    setWrong(false);
    renew();
    setDraft({ ...draft, ...changed });
  }

  return (
    <form
      className={classes.form}
      aria-labelledby="wallet-recharge"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setWrong(amount === 0);
        if (amount > 0 && !isPaidWrong && !book.isPending) {
          book.mutate({
            environment,
            amount,
            paid,
            ...(reference !== "" && { reference }),
          });
        }
      }}
    >
      <h2 id="wallet-recharge" className={classes.legend}>
        {t("office.wallet.recharge.title")}
      </h2>
      <p className={classes.soft}>{t(`office.wallet.recharge.intro.${environment}`)}</p>
      <AmountField
        label={t("office.wallet.recharge.amount", { currency })}
        text={draft.amount}
        currencyDivisor={currencyDivisor}
        error={isWrong ? t("office.wallet.badAmount") : undefined}
        onText={(text) => change({ amount: text })}
      />
      <PaidField
        shop={shop}
        text={draft.paid}
        isWrong={isPaidWrong}
        onText={(text) => change({ paid: text })}
      />
      <TextInput
        label={t("office.wallet.recharge.reference")}
        autoComplete="off"
        maxLength={60}
        value={draft.reference}
        onChange={({ currentTarget }) => change({ reference: currentTarget.value })}
      />
      <Button type="submit" loading={book.isPending}>
        {t("office.wallet.recharge.save")}
      </Button>
      <RechargeRefused
        error={book.error}
        loading={book.isPending}
        onAgain={() => book.variables && book.mutate({ ...book.variables, isSure: true })}
      />
      {book.isSuccess ? <Notice tone="info">{t("office.wallet.recharge.saved")}</Notice> : null}
    </form>
  );
}

/** Books under one id until it is booked or changed, so that a request sent twice books one recharge. */
function useBooking(onBooked: () => void) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [rechargeId, setRechargeId] = useState(() => newId());
  const book = useMutation({
    mutationFn: (body: Omit<Parameters<typeof bookRecharge>[0], "rechargeId">) =>
      bookRecharge({ rechargeId, ...body }),
    onSuccess: () => {
      setRechargeId(newId());
      announce(t("office.wallet.recharge.saved"));
      onBooked();
      void invalidateAnswers(queryClient, WALLET_ANSWERS);
    },
  });
  return {
    book,
    renew() {
      book.reset();
      setRechargeId(newId());
    },
  };
}

interface PaidFieldProps extends Pick<RechargeFormProps, "shop"> {
  readonly text: string;
  readonly isWrong: boolean;
  readonly onText: (text: string) => void;
}

/** What the wallet's money cost, for the FX result. */
function PaidField({ shop, text, isWrong, onText }: PaidFieldProps) {
  const { t } = useTranslation();
  return (
    <AmountField
      label={t("office.wallet.recharge.paid", { currency: shop.currency })}
      hint={t("office.wallet.recharge.paidHint")}
      text={text}
      currencyDivisor={shop.currencyDivisor}
      error={isWrong ? t("office.wallet.badAmount") : undefined}
      onText={onText}
    />
  );
}
