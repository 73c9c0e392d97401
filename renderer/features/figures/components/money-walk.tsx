import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type FigureMoney,
  figureOperations,
  type TieOut,
} from "../../../../server/contract/pos/figures.ts";
import { type DepositInput, shiftOperations } from "../../../../server/contract/pos/shifts.ts";
import { AmountField } from "../../../components/amount-field.tsx";
import { Form } from "../../../components/form.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { announce } from "../../../lib/announcer.ts";
import { call, hasErrorCode, isRefusal } from "../../../lib/api-client.ts";
import type { Translate } from "../../../lib/i18n.ts";
import { type MoneyUnit, parseAmount } from "../../../lib/money.ts";
import { newId } from "../../../lib/new-id.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { sessionQuery } from "../../../lib/pos-queries.ts";
import { tenderName } from "../../../lib/tender-name.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { linesFile, moneyQuery, movementsFile } from "../api/figure-queries.ts";
import type { ShopDays } from "../figure-days.ts";
import { moneyOf } from "../figure-format.ts";
import { AwaitedFigures } from "./awaited-figures.tsx";
import { FileLink } from "./bar-chart.tsx";
import { Balance } from "./figure-sums.tsx";
import classes from "./figures-screen.module.css";

const NOTHING_TYPED = { amount: "", reference: "" };

interface Step {
  readonly words: string;
  readonly amount: number;
  readonly isTotal?: boolean;
}

/**
 * Shows step by step how sales lead to the cash in the drawers, and costs to the wallet's balance.
 */
export function MoneyWalk({ days }: { readonly days: ShopDays }) {
  const { t } = useTranslation();
  const money = useQuery(moneyQuery(days));
  return (
    <AwaitedFigures query={money}>
      {(data) => (
        <>
          <section className="stack gap-3">
            <h2 className="size-label">{t("office.figures.walk.shop")}</h2>
            <Walk steps={drawerSteps(data, t)} unit={data} />
            <Balance figures={data.figures} unit={data} zone={data} />
            <FileLink address={movementsFile(days)} />
          </section>
          <section className="stack gap-3">
            <h2 className="size-label">{t("office.figures.walk.wallet")}</h2>
            <Walk steps={walletSteps(data.tieOut, t)} unit={data.tieOut} />
            <TieOutNotice tieOut={data.tieOut} />
            <FxResult money={data} />
            <FileLink address={linesFile(days)} />
          </section>
          <SafePanel />
        </>
      )}
    </AwaitedFigures>
  );
}

const TENDERS = [
  ["CASH", "cash"],
  ["CARD", "card"],
  ["OTHER", "other"],
] as const;

function drawerSteps(money: FigureMoney, t: Translate): Step[] {
  const { figures, taken, refunded, drawers } = money;
  return [
    { words: t("office.figures.of.sold"), amount: figures.sold, isTotal: true },
    { words: t("office.figures.walk.refundsDue"), amount: figures.refundsDue },
    { words: t("office.figures.of.cashRounding"), amount: figures.cashRounding },
    { words: t("office.figures.walk.owed"), amount: -figures.owed },
    { words: t("office.figures.walk.taken"), amount: figures.taken, isTotal: true },
    ...tendersOf(money, t).map(({ name, taken }) => ({
      words: t("office.figures.walk.takenBy", { kind: name }),
      amount: taken,
    })),
    ...tendersOf(money, t).map(({ name, refunded }) => ({
      words: t("office.figures.walk.refundedBy", { kind: name }),
      amount: -refunded,
    })),
    {
      words: t("office.figures.walk.cash"),
      amount: taken.cash - refunded.cash,
      isTotal: true,
    },
    { words: t("office.figures.walk.payIns"), amount: drawers.payIns },
    { words: t("office.figures.walk.payOuts"), amount: -drawers.payOuts },
    { words: t("office.figures.walk.differences"), amount: drawers.differences },
    { words: t("office.figures.walk.deposits"), amount: -drawers.deposits },
    { words: t("office.figures.walk.drawers"), amount: drawers.cash, isTotal: true },
  ];
}

/** A kind of tender without payments or refunds is shown with zero. */
function tendersOf({ byTender, taken, refunded }: FigureMoney, t: Translate) {
  return TENDERS.flatMap(([kind, sum]) => {
    const named = byTender.filter((one) => one.kind === kind);
    return named.length > 0
      ? named.map((one) => ({ ...one, name: tenderName(one, t) }))
      : [{ name: tenderName({ kind }, t), taken: taken[sum], refunded: refunded[sum] }];
  });
}

const REASONS = [
  "failedEarlier",
  "notSpent",
  "soldEarlier",
  "integrators",
  "refunded",
  "difference",
] as const;

function walletSteps(tieOut: TieOut, t: Translate): Step[] {
  return [
    { words: t("office.figures.walk.costSold"), amount: tieOut.costSold, isTotal: true },
    // Only versions that did not store the rate of purchases through `/v1` left such purchases.
    ...REASONS.filter((reason) => reason !== "integrators" || tieOut.integrators !== 0).map(
      (reason) => ({
        words: t(`office.figures.walk.${reason}`),
        amount: tieOut[reason],
      }),
    ),
    { words: t("office.figures.walk.walletSpent"), amount: tieOut.walletSpent, isTotal: true },
  ];
}

interface WalkProps {
  readonly steps: readonly Step[];
  readonly unit: MoneyUnit;
}

function Walk({ steps, unit }: WalkProps) {
  const money = moneyOf(useFormat(), unit);
  return (
    <dl className={classes.walk}>
      {steps.map(({ words, amount, isTotal = false }) => (
        <div key={words} className={classes.step} data-total={isTotal}>
          <dt>{words}</dt>
          <dd className="tabular nowrap">
            <bdi>{money(amount === 0 ? 0 : amount)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The exchange result is not part of the profit, and is unknown if no recharge states a price. */
function FxResult({ money: { fxResult, ...unit } }: { readonly money: FigureMoney }) {
  const { t } = useTranslation();
  const money = moneyOf(useFormat(), unit);
  return fxResult === undefined ? null : (
    <p className="stack gap-1 pad-3-4 round sunken">
      <span>{t("office.figures.walk.fx")}</span>
      <strong>{money(fxResult)}</strong>
      <small className="soft">{t("office.figures.walk.fxHint")}</small>
    </p>
  );
}

function TieOutNotice({ tieOut }: { readonly tieOut: TieOut }) {
  const { t } = useTranslation();
  const money = moneyOf(useFormat(), tieOut);
  return tieOut.difference === 0 ? (
    <Notice tone="info">{t("office.figures.walk.tiesOut")}</Notice>
  ) : (
    <Notice tone="bad">
      {t("office.figures.walk.apart", { amount: money(tieOut.difference) })}
    </Notice>
  );
}

function SafePanel() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: session } = useQuery(sessionQuery());
  const { data: safe } = useQuery(operationQuery(shiftOperations.viewSafe));
  if (!safe) return null;
  const { currency, currencyDivisor, balance, list } = safe;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  return (
    <section className="stack gap-3">
      <h2 className="size-label">{t("office.figures.safe.title")}</h2>
      <p className="stack gap-1 pad-3-4 round sunken">
        <span>{t("office.figures.safe.now")}</span>
        <strong>{money(balance)}</strong>
        <small className="soft">{t("office.figures.safe.hint")}</small>
      </p>
      {balance < 0 ? <Notice tone="wait">{t("office.figures.safe.negative")}</Notice> : null}
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

function DepositForm({ currencyDivisor }: { readonly currencyDivisor: number }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(NOTHING_TYPED);
  const amount = parseAmount(draft.amount, currencyDivisor) ?? 0;
  const reference = draft.reference.trim();
  const { deposit, renewId, isRecorded } = useDeposit(() => {
    announce(t("office.figures.safe.saved"));
    setDraft(NOTHING_TYPED);
  });
  function record(kind: DepositInput["kind"]) {
    deposit.mutate({ kind, amount, ...(reference !== "" && { reference }) });
  }
  function change(changed: Partial<typeof draft>) {
    renewId();
    setDraft({ ...draft, ...changed });
  }
  return (
    <Form
      className="stack gap-3"
      aria-label={t("office.figures.safe.title")}
      onSubmit={() => {
        if (amount > 0 && !deposit.isPending) record("DEPOSIT");
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
        onClick={() => record("WITHDRAWAL")}
      >
        {t("office.figures.safe.withdraw")}
      </Button>
      {isRecorded ? (
        <Notice tone="wait" loud>
          {t("shift.move.recorded")}
        </Notice>
      ) : null}
      {isRecorded ? null : <Trouble error={deposit.error} />}
    </Form>
  );
}

/**
 * While it is unknown whether a deposit was recorded, every repeat sends the same id: the gateway
 * records one deposit, and refuses other details with ID_TAKEN.
 */
function useDeposit(onDone: () => void) {
  const queryClient = useQueryClient();
  const [depositId, setDepositId] = useState(newId);
  const deposit = useMutation({
    mutationFn: (input: Omit<DepositInput, "depositId">) =>
      call(shiftOperations.deposit, { body: { depositId, ...input } }),
    onSuccess: () => {
      setDepositId(newId());
      onDone();
    },
    onSettled: () =>
      void invalidateAnswers(queryClient, [shiftOperations.viewSafe, figureOperations.viewMoney]),
  });
  const isUnknown = deposit.isPending || (deposit.error !== null && !isRefusal(deposit.error));
  return {
    deposit,
    /** True if an earlier request with other details was recorded. */
    isRecorded: hasErrorCode(deposit.error, "ID_TAKEN"),
    /** Called for each edit. */
    renewId: () => {
      if (isUnknown) return;
      deposit.reset();
      setDepositId(newId());
    },
  };
}
