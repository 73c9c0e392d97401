import { Skeleton } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { nameOutcome } from "../../../../../server/contract/pos/outcome.ts";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import type { ShopTender } from "../../../../../server/contract/pos/shop-tenders.ts";
import { changeOf, sharesOf } from "../../../../../server/contract/pos/tenders.ts";
import { BillAmounts } from "../../../../components/bill-amounts.tsx";
import { CustomerRefundAction } from "../../../../components/customer-refund-action.tsx";
import { CustomerRefundButton } from "../../../../components/customer-refund-button.tsx";
import { ErrorNotice } from "../../../../components/notice.tsx";
import { OutcomeBadge } from "../../../../components/outcome-badge.tsx";
import { PrintButton } from "../../../../components/print-button.tsx";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import {
  ReceiptFrame,
  ReceiptItem,
  type ReceiptSums,
  SumsOfSale,
} from "../../../../components/receipt-frame.tsx";
import { ReceiptLanguage } from "../../../../components/receipt-language.tsx";
import { SaleReceipt } from "../../../../components/sale-receipt.tsx";
import { SendReceiptButton } from "../../../../components/send-receipt-button.tsx";
import { useAnnounced } from "../../../../lib/announcer.ts";
import { useRecipient } from "../../../../lib/destination.ts";
import { joinParts } from "../../../../lib/direction.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { useNow } from "../../../../lib/gateway-clock.ts";
import { saleQuery, statusQuery, useCachedSales } from "../../../../lib/pos-queries.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { outcomeAt, saleLineAt, saleOutcomeAt } from "../../../../lib/sale-outcome.ts";
import { useLineTitle } from "../../../../lib/sold-title.ts";
import { namedNow } from "../../../../lib/tender-name.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import type { ConfirmedAttempt } from "../attempt/attempt-store.ts";
import { type LineItem, recipientOf, toPricedBill, totalOf } from "../attempt/line-item.ts";
import type { OutboxEntry } from "../attempt/use-outbox.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import classes from "./sale-result.module.css";
import { lineToSendAgain, SendAgain } from "./send-again.tsx";

interface OfSaleProps {
  readonly saleId: string;
  readonly sale: CurrentSale;
}

/** Returns the till's data until the gateway answers, and then the gateway's data. */
function useShown({ saleId, sale }: OfSaleProps) {
  const entry = sale.outbox.entries.find(({ attempt }) => attempt.saleId === saleId);
  const query = useQuery({ ...saleQuery(saleId), enabled: !entry });
  return { entry, query };
}

interface SaleResultProps extends OfSaleProps {
  readonly isReopened: boolean;
  readonly below: (sale: Sale) => ReactNode;
}

export function SaleResult({ saleId, sale, isReopened, below }: SaleResultProps) {
  const { t } = useTranslation();
  const { entry, query } = useShown({ saleId, sale });
  const shown = useCachedSales(sale.shownSales);
  const lines = query.data?.lines ?? [];
  const isOpen = lines.some(({ finishedAt }) => finishedAt === undefined);
  const now = useNow(1000, isOpen);
  // Lines change their height when they are delivered, which would move the content below them.
  const isMoving = lines.length > 1 && lines.some((line) => outcomeAt(line, now) === "SENDING");
  if (entry) {
    return (
      <>
        <UnansweredSale entry={entry} sale={sale} />
        {entry.error === undefined ? null : <SettleRefused entry={entry} sale={sale} />}
      </>
    );
  }
  if (troubleOf(query)) {
    return <QueryTrouble query={query} />;
  }
  if (!query.data) {
    return <Skeleton height="12rem" radius="md" />;
  }
  const again = lineToSendAgain(query.data);
  return (
    <>
      <SaleReceipt
        sale={query.data}
        isAtPayment
        isReopened={isReopened}
        canSendAgain={again !== undefined}
        paidBy={shown.find(({ lines }) =>
          lines.some(({ sentAgainAs }) => sentAgainAs === query.data.saleNumber),
        )}
      />
      {again ? (
        <SendAgain key={again.transactionId} sale={query.data} line={again} current={sale} />
      ) : null}
      {query.data.refundDue > 0 && query.data.lines.length === 1 ? (
        <section className={classes.way}>
          <div>
            <h3 className="ink size-title">
              {t(again ? "sale.again.refund" : "sale.refundTitle")}
            </h3>
            <p>{t("sale.refundHint")}</p>
          </div>
          <div>
            <CustomerRefundButton sale={query.data} isSecond={again !== undefined} />
          </div>
        </section>
      ) : null}
      <div className="hide-empty">{isMoving ? null : below(query.data)}</div>
    </>
  );
}

/** The sale as its receipt shows it: shop, time, items with their recipients, and sums. */
export function SoldAside({ saleId, sale, prints }: OfSaleProps & Printing) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const recipientOfLine = useRecipient();
  const { data: status } = useQuery(statusQuery());
  const { entry, query } = useShown({ saleId, sale });
  const { currency, currencyDivisor } = sale.till;
  const shown = query.data;
  const sums: ReceiptSums | undefined = entry
    ? { ...sumsOfAttempt(entry.attempt, sale.till.tenders), currency, currencyDivisor }
    : shown;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  const paidAt = entry ? new Date(entry.attempt.confirmedAt).toISOString() : shown?.createdAt;
  const lines = entry
    ? entry.attempt.lines.map(({ transactionId, item, discount = 0 }) => ({
        id: transactionId,
        title: lineTitle(item),
        recipient: recipientOf(item),
        price: item.price - discount,
      }))
    : shown?.lines.map((line) => ({
        id: line.transactionId,
        title: lineTitle(line),
        recipient: recipientOfLine(line),
        price: line.price - line.discount,
      }));
  return (
    <>
      <h2 className="size-title">
        {shown && !entry ? t("sale.number", { number: shown.saleNumber }) : t("counter.panel")}
      </h2>
      <section className="card stack gap-3 pad-4 raised" aria-label={t("sale.receipt")}>
        <header className="text-center">
          <strong className="block">{status?.shopName}</strong>
          <small className="soft">{paidAt === undefined ? null : format.moment(paidAt)}</small>
        </header>
        <ul className="stack gap-2">
          {lines?.map(({ id, title, recipient, price }) => (
            <li key={id} className="flex justify-between gap-4">
              <span>
                <bdi>{title}</bdi>
                <small className="block soft hide-empty">
                  <bdi>{recipient}</bdi>
                </small>
              </span>
              <span className="strong nowrap">{money(price)}</span>
            </li>
          ))}
        </ul>
        {sums ? <SumsOfSale sums={sums} /> : null}
      </section>
      {prints && shown ? <ReceiptLanguage saleId={saleId} /> : null}
    </>
  );
}

interface Printing {
  readonly prints: boolean;
}

interface SaleButtonsProps extends OfSaleProps, Printing {
  readonly onPrint: (saleId: string) => Promise<void>;
}

/** Reserves space while the sale loads. */
export function SaleButtons({ saleId, sale, prints, onPrint }: SaleButtonsProps) {
  const { entry, query } = useShown({ saleId, sale });
  if (entry?.error !== undefined) {
    return null;
  }
  const shown = entry ? undefined : query.data;
  return (
    <div className={classes.buttons}>
      {shown ? (
        <>
          {prints ? <PrintButton sale={shown} onPrint={onPrint} /> : null}
          <SendReceiptButton sale={shown} />
        </>
      ) : null}
    </div>
  );
}

interface OwedOfSeveralProps extends OfSaleProps {
  readonly className: string | undefined;
}

/**
 * Outside the list of lines, so that a long list cannot hide the refunds, and outside the footer,
 * so that a late refund does not move it.
 */
export function OwedOfSeveral({ saleId, sale: current, className }: OwedOfSeveralProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const recipientOf = useRecipient();
  const { entry, query } = useShown({ saleId, sale: current });
  const sale = query.data;
  if (entry || !sale || sale.refundDue === 0 || sale.lines.length === 1) {
    return null;
  }
  const failed = sale.lines.filter(
    ({ outcome, refunded }) => outcome === "NOT_DELIVERED" && !refunded,
  );
  const outcome = nameOutcome("NOT_DELIVERED", failed);
  const who = joinParts(
    failed.map((line) => recipientOf(line) || line.brandName),
    format.locale,
  );
  return (
    <section className={className} aria-label={t("sale.refundTitle")}>
      <p className="bad medium break-anywhere">
        {t("common.labelled", { label: t(`sale.outcome.${outcome}`), value: who })}
      </p>
      <CustomerRefundButton sale={sale} isSecond={lineToSendAgain(sale) !== undefined} />
    </section>
  );
}

interface SaleRowProps extends OfSaleProps {
  readonly label: string;
  readonly onOpen: () => void;
}

export function SaleRow({ saleId, sale, label, onOpen }: SaleRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const now = useNow();
  const { entry, query } = useShown({ saleId, sale });
  const shown = query.data;
  if (!entry && !shown) {
    return null;
  }
  const item = entry?.attempt.lines[0]?.item;
  const line = shown && saleLineAt(shown, now);
  const who = item ? recipientOf(item) || item.brandName : line?.recipientFormatted;
  const title = item ? lineTitle(item) : line && lineTitle(line);
  const outcome = shown && !entry ? saleOutcomeAt(shown, now) : undefined;
  return (
    <button type="button" className={classes.row} onClick={onOpen}>
      <span className="stack flex-1 min-w-0">
        <strong className="truncate">{label}</strong>
        <small className="truncate faint">
          <bdi>{title}</bdi> {who ? <bdi dir="ltr">{who}</bdi> : null}
        </small>
      </span>
      {outcome ? (
        // A new outcome replaces the badge, which ends at the same place, instead of moving it.
        <OutcomeBadge key={outcome} outcome={outcome} of={shown?.lines ?? []} />
      ) : (
        <small className="faint">
          {t(entry?.error ? "sale.refused.title" : "sale.unanswered.title")}
        </small>
      )}
      {shown && !entry && shown.refundDue > 0 ? (
        <strong>{format.money(shown.refundDue, shown.currency, shown.currencyDivisor)}</strong>
      ) : null}
      <IconChevronRight className="flex-none faint" size="1rem" aria-hidden="true" />
    </button>
  );
}

interface UnansweredSaleProps {
  readonly entry: OutboxEntry;
  readonly sale: CurrentSale;
}

function UnansweredSale({ entry, sale }: UnansweredSaleProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const { lines, confirmedAt } = entry.attempt;
  const { currency, currencyDivisor: divisor } = sale.till;
  const money = (minor: number) => format.money(minor, currency, divisor);
  const isRefused = entry.error !== undefined;
  useAnnounced(isRefused ? undefined : t("sale.unanswered.body"), { urgency: "assertive" });
  return (
    <>
      <ReceiptFrame
        title={t(isRefused ? "sale.refused.title" : "counter.panel")}
        note={format.time(confirmedAt)}
        result={{
          state: isRefused ? "REFUSED" : "UNANSWERED",
          note: t(isRefused ? "sale.nothingCharged" : "sale.unanswered.body"),
        }}
        sums={{
          ...sumsOfAttempt(entry.attempt, sale.till.tenders),
          currency,
          currencyDivisor: divisor,
          // The customer received the change at the payment.
          ...(isRefused && { change: 0 }),
        }}
      >
        {lines.map(({ transactionId, item, discount = 0 }) => (
          <li key={transactionId}>
            <ReceiptItem
              brand={item.brand}
              brandName={item.brandName}
              brandColor={item.brandColor}
              country={item.country}
              recipient={recipientOf(item)}
              title={lineTitle(item)}
              price={money(item.price - discount)}
            />
            <PaidBill item={item} discount={discount} />
          </li>
        ))}
      </ReceiptFrame>
      {isRefused ? (
        <>
          <ErrorNotice words={errorWords(entry.error, t, format, { currency, divisor })} />
          <p className="bad size-heading strong">
            {t("sale.refundDue", { amount: money(paidFor(entry.attempt)) })}
          </p>
        </>
      ) : null}
    </>
  );
}

/** A paid bill's amounts. Reserves their space until the gateway answers. */
function PaidBill({ item, discount }: { readonly item: LineItem; readonly discount: number }) {
  const { t } = useTranslation();
  const bill = toPricedBill(item);
  const isDue = item.due === undefined || item.due === item.send;
  return bill ? (
    <BillAmounts
      bill={bill}
      discount={discount}
      {...(!isDue && { label: t("family.BILL_PAY.delivers") })}
    />
  ) : null;
}

/** A refused sale exists only on this till and is deleted after the refund. */
function SettleRefused({ entry, sale }: UnansweredSaleProps) {
  const format = useFormat();
  const { saleId } = entry.attempt;
  const { currency, currencyDivisor } = sale.till;
  const money = (minor: number) => format.money(minor, currency, currencyDivisor);
  return (
    <CustomerRefundAction
      amount={money(paidFor(entry.attempt))}
      hasKey
      ways={sumsOfAttempt(entry.attempt, sale.till.tenders).tenders.filter(
        ({ amount }) => amount > 0,
      )}
      money={money}
      onGive={() => {
        sale.outbox.dismiss(saleId);
        sale.hideSale(saleId);
      }}
    />
  );
}

function paidFor(attempt: OutboxEntry["attempt"]): number {
  return sumsOfAttempt(attempt).tenders.reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * Calculates the payments and the change: cash pays the rest after other tenders, and only cash
 * gives change.
 * @param shop payment methods of the shop, for their names
 */
function sumsOfAttempt(
  { lines, input }: Pick<ConfirmedAttempt, "lines" | "input">,
  shop: readonly ShopTender[] = [],
): Pick<Sale, "total" | "cashRounding" | "tenders" | "change"> {
  const total = totalOf(lines);
  const { cashRounding = 0 } = input;
  const tenders = sharesOf(total, input.tenders, cashRounding).map((one) => namedNow(one, shop));
  return { total, cashRounding, tenders, change: Math.max(0, changeOf(tenders)) };
}
