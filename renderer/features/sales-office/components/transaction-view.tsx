import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { sells } from "../../../../server/contract/pos/rights.ts";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import {
  type OfficeTransactionDetails,
  type TimelineEvent,
  transactionOfficeOperations,
} from "../../../../server/contract/pos/transaction-office.ts";
import { BackButton } from "../../../components/back-button.tsx";
import { CustomerRefundButton } from "../../../components/customer-refund-button.tsx";
import { AwaitedList } from "../../../components/loading.tsx";
import { ErrorNotice, Notice, Trouble } from "../../../components/notice.tsx";
import { PrintButton } from "../../../components/print-button.tsx";
import { SaleReceipt } from "../../../components/sale-receipt.tsx";
import { call, hasErrorCode } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { saleQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { refundEsim, SALES_ANSWERS } from "../api/sales-office-queries.ts";
import type { SalesScreenProps } from "../sales-screen-props.ts";
import classes from "./sales-office.module.css";
import { TransactionOutcome, useTransactionTitle } from "./transaction-row.tsx";

export function eventKey({ what, status, copy, outcome }: TimelineEvent) {
  switch (what) {
    case "STATE":
      return `STATE.${status ?? "ACCEPTED"}` as const;
    case "ESIM_REFUND":
      if (status === "DONE" || status === "FAILED") {
        return `ESIM_REFUND.${status}` as const;
      }
      return "ESIM_REFUND.BEGUN" as const;
    case "PRINTED":
      return (copy ?? 0) > 0 ? ("PRINTED.COPY" as const) : ("PRINTED.FIRST" as const);
    case "SETTLED":
      return outcome === "delivered" ? ("SETTLED.DELIVERED" as const) : ("SETTLED.NOT" as const);
    default:
      return what;
  }
}

interface TransactionViewProps extends SalesScreenProps {
  readonly transactionId: string;
}

export function TransactionView(props: TransactionViewProps) {
  const { t } = useTranslation();
  const { transactionId, search, onSearch } = props;
  const params = { transactionId };
  const found = useQuery(operationQuery(transactionOfficeOperations.get, { params }));
  const { transaction } = found.data ?? {};
  const saleId = transaction?.sale?.saleId;
  const sale = useQuery({ ...saleQuery(saleId ?? ""), enabled: saleId !== undefined });
  return (
    <>
      <BackButton
        className={classes.back}
        onClick={() => {
          const { id: _, ...rest } = search;
          onSearch(rest);
        }}
      >
        {t("office.sales.back")}
      </BackButton>
      <AwaitedList query={found} count={transaction ? 1 : 0} empty="">
        {/* Both at once, so that the buttons of the sale move nothing. */}
        {found.data && !sale.isLoading ? (
          <div className={classes.columns}>
            <TransactionFacts {...props} details={found.data} sale={sale.data} />
            {sale.data ? (
              <section className={classes.part} aria-label={t("office.sales.receipt")}>
                <SaleReceipt sale={sale.data} />
              </section>
            ) : null}
          </div>
        ) : null}
      </AwaitedList>
    </>
  );
}

interface TransactionFactsProps extends TransactionViewProps {
  readonly details: OfficeTransactionDetails;
  readonly sale: Sale | undefined;
}

/** The facts of a transaction, its buttons and its timeline. */
function TransactionFacts(props: TransactionFactsProps) {
  const { transactionId, session, onSearch, onPrint, details, sale } = props;
  const { transaction } = details;
  const { t } = useTranslation();
  const titleOf = useTransactionTitle();
  return (
    <section className={classes.part} aria-labelledby="transaction-title">
      <h2 id="transaction-title" className="size-label">
        {titleOf(transaction)}
      </h2>
      <div>
        <TransactionOutcome transaction={transaction} />
      </div>
      <p className="soft">
        {t("office.sales.transactionId")}{" "}
        <bdi dir="ltr" className="size-caption break-anywhere">
          {transaction.transactionId}
        </bdi>
      </p>
      {transaction.needsDecision ? (
        <Notice tone="wait">
          {t("office.sales.needsDecision")}{" "}
          {session.rights.settleCases ? (
            <Button variant="default" onClick={() => onSearch({ view: "cases" })}>
              {t("office.sales.view.cases")}
            </Button>
          ) : null}
        </Notice>
      ) : null}
      {sale && sells(session.staff.role) ? (
        <>
          <CustomerRefundButton sale={sale} />
          <PrintButton sale={sale} onPrint={onPrint} />
        </>
      ) : null}
      {details.refundableEsim && session.staff.role === "owner" ? (
        <EsimRefund transactionId={transactionId} />
      ) : null}
      <Timeline details={details} />
      <Deviations key={transactionId} details={details} />
    </section>
  );
}

function Deviations({ details }: { readonly details: OfficeTransactionDetails }) {
  const { t } = useTranslation();
  const { transaction, deviations, rawAnswer } = details;
  if (!deviations) return null;
  return (
    <>
      <Notice tone="wait">
        {t("office.sales.deviations")}{" "}
        <bdi dir="ltr">{deviations.map(({ field }) => field).join(", ")}</bdi>
      </Notice>
      <RawAnswer transactionId={transaction.transactionId} kept={rawAnswer} />
    </>
  );
}

/** The request is sent only after a second press. */
function EsimRefund({ transactionId }: { readonly transactionId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [isSure, setSure] = useState(false);
  const refund = useMutation({
    mutationFn: () => refundEsim(transactionId),
    onSettled: () => void invalidateAnswers(queryClient, SALES_ANSWERS),
  });
  const isRefused = hasErrorCode(refund.error, "REFUND_NOT_ALLOWED");
  return (
    <div className={classes.actions}>
      <Button
        variant={isSure ? "filled" : "default"}
        loading={refund.isPending}
        onClick={() => (isSure ? refund.mutate() : setSure(true))}
      >
        {t(isSure ? "office.sales.esim.sure" : "office.sales.esim.ask")}
      </Button>
      {isSure ? <p className="soft">{t("office.sales.esim.hint")}</p> : null}
      {isRefused ? (
        <Notice tone="bad" loud>
          {t("office.sales.esim.refused")}
        </Notice>
      ) : null}
      {refund.error && !isRefused ? (
        <ErrorNotice words={errorWords(refund.error, t, format)} />
      ) : null}
    </div>
  );
}

interface RawAnswerProps {
  readonly transactionId: string;
  readonly kept: OfficeTransactionDetails["rawAnswer"];
}

/** Shown after the person has entered a PIN. */
function RawAnswer({ transactionId, kept }: RawAnswerProps) {
  const { t } = useTranslation();
  const format = useFormat();
  // Not cached, because the answer may contain a voucher's PIN.
  const read = useMutation({
    mutationFn: () => call(transactionOfficeOperations.readAnswer, { params: { transactionId } }),
    gcTime: 0,
  });
  const answer = read.data;
  if (kept === undefined) return null;
  if (kept === "ERASED") {
    return <p className="soft">{t("office.sales.rawAnswer.ERASED")}</p>;
  }
  if (!answer) {
    return (
      <div className={classes.actions}>
        <Button variant="default" loading={read.isPending} onClick={() => read.mutate()}>
          {t("office.sales.rawAnswer.show")}
        </Button>
        <Trouble error={read.error} />
      </div>
    );
  }
  if (answer.state !== "KEPT") {
    return <Notice tone="wait">{t(`office.sales.rawAnswer.${answer.state}`)}</Notice>;
  }
  return (
    <div className={classes.actions}>
      <p className="soft">
        {t("office.sales.rawAnswer.title", { time: format.moment(answer.at) })}
      </p>
      <pre className={classes.answer} dir="ltr">
        {answer.text}
      </pre>
      {answer.masked ? <p className="soft">{t("office.sales.rawAnswer.masked")}</p> : null}
      <Button variant="default" onClick={() => read.reset()}>
        {t("office.sales.rawAnswer.hide")}
      </Button>
    </div>
  );
}

function Timeline({ details }: { readonly details: OfficeTransactionDetails }) {
  const { t } = useTranslation();
  return (
    <ol className={classes.timeline} aria-label={t("office.sales.timeline")}>
      {details.timeline.map((event, index) => (
        // Events are only appended, so an event's index is a stable key.
        // biome-ignore lint/suspicious/noArrayIndexKey: a log that only grows
        <Event key={`${event.at} ${index}`} event={event} unit={details} />
      ))}
    </ol>
  );
}

interface EventProps {
  readonly event: TimelineEvent;
  readonly unit: Pick<OfficeTransactionDetails, "currency" | "currencyDivisor">;
}

function Event({ event, unit }: EventProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { at, by, text, amount } = event;
  const words = t(`office.sales.event.${eventKey(event)}`, {
    number: event.saleNumber,
    provider: event.provider,
  });
  const details = [
    amount === undefined ? "" : format.money(amount, unit.currency, unit.currencyDivisor),
    by ?? "",
  ].filter((part) => part !== "");
  return (
    <li>
      <time dateTime={at} className="soft">
        {format.date(at)} {format.timeExact(at)}
      </time>
      <span className="stack min-w-0 break-anywhere">
        <strong>{words}</strong>
        {details.length > 0 ? <span>{details.join(" · ")}</span> : null}
        {text ? (
          <span className="soft" dir="auto">
            {text}
          </span>
        ) : null}
      </span>
    </li>
  );
}
