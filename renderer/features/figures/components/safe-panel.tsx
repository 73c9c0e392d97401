import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { figureOperations } from "../../../../server/contract/pos/figure-operations.ts";
import { shiftOperations } from "../../../../server/contract/pos/shift-operations.ts";
import { AmountField } from "../../../components/amount-field.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { announce } from "../../../lib/announcer.ts";
import { call } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { parseAmount } from "../../../lib/money.ts";
import { newId } from "../../../lib/new-id.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { sessionQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./figures-screen.module.css";

/** The cash outside open drawers now, and its way to the bank. */
export function SafePanel() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: session } = useQuery(sessionQuery());
  const { data: safe } = useQuery(operationQuery(shiftOperations.viewSafe));
  if (!safe) return null;
  const { currency, currencyDivisor, balance, list } = safe;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  return (
    <section className={classes.block}>
      <h2 className={classes.heading}>{t("office.figures.safe.title")}</h2>
      <p className={classes.identity}>
        <span>{t("office.figures.safe.now")}</span>
        <strong>{money(balance)}</strong>
        <small className={classes.soft}>{t("office.figures.safe.hint")}</small>
      </p>
      {session?.staff.role === "owner" ? <DepositForm currencyDivisor={currencyDivisor} /> : null}
      <ul aria-label={t("office.figures.safe.list")}>
        {list.map((one) => (
          <li key={one.depositId}>
            {format.moment(one.recordedAt)} · {t(`office.figures.safe.kind.${one.kind}`)} ·{" "}
            <bdi>{money(one.amount)}</bdi> · {one.reference || one.staff.name}
          </li>
        ))}
      </ul>
    </section>
  );
}

const NOTHING_TYPED = { amount: "", reference: "" };

function DepositForm({ currencyDivisor }: { readonly currencyDivisor: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(NOTHING_TYPED);
  // Kept until it is booked, so that a request sent twice books one deposit.
  const [depositId, setDepositId] = useState(() => newId());
  const amount = parseAmount(draft.amount, currencyDivisor) ?? 0;
  const reference = draft.reference.trim();
  const deposit = useMutation({
    mutationFn: (kind: "DEPOSIT" | "WITHDRAWAL") =>
      call(shiftOperations.deposit, {
        body: { depositId, kind, amount, ...(reference !== "" && { reference }) },
      }),
    onSuccess: () => {
      announce(t("office.figures.safe.saved"));
      setDraft(NOTHING_TYPED);
      setDepositId(newId());
      void invalidateAnswers(queryClient, [shiftOperations.viewSafe, figureOperations.viewMoney]);
    },
  });
  function change(changed: Partial<typeof draft>) {
    deposit.reset();
    setDepositId(newId());
    setDraft({ ...draft, ...changed });
  }
  return (
    <form
      className={classes.block}
      aria-label={t("office.figures.safe.title")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (amount > 0 && !deposit.isPending) deposit.mutate("DEPOSIT");
      }}
    >
      <AmountField
        label={t("office.figures.safe.amount")}
        text={draft.amount}
        currencyDivisor={currencyDivisor}
        onText={(text) => change({ amount: text })}
      />
      <TextInput
        label={t("office.figures.safe.reference")}
        autoComplete="off"
        maxLength={60}
        value={draft.reference}
        onChange={({ currentTarget }) => change({ reference: currentTarget.value })}
      />
      <Button type="submit" disabled={amount === 0} loading={deposit.isPending}>
        {t("office.figures.safe.deposit")}
      </Button>
      <Button
        variant="default"
        disabled={amount === 0 || deposit.isPending}
        onClick={() => deposit.mutate("WITHDRAWAL")}
      >
        {t("office.figures.safe.withdraw")}
      </Button>
      {deposit.error ? <ErrorNotice words={errorWords(deposit.error, t, format)} /> : null}
    </form>
  );
}
