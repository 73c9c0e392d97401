import { type CSSProperties, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { nameOutcome } from "../../server/contract/pos/outcome.ts";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { useAnnouncedElement } from "../lib/announcer.ts";
import { soundDelivered } from "../lib/delivered-sound.ts";
import { useRecipient } from "../lib/destination.ts";
import { failureWords } from "../lib/failure-words.ts";
import { useNow } from "../lib/gateway-clock.ts";
import type { Translate } from "../lib/i18n.ts";
import { deliveredFirst, outcomeAt, type SaleOutcome, saleOutcomeAt } from "../lib/sale-outcome.ts";
import { useLineTitle } from "../lib/sold-title.ts";
import { type Format, useFormat } from "../lib/use-format.ts";
import { BillAmounts } from "./bill-amounts.tsx";
import { AwaitedDetails, DeliveredDetails } from "./delivered-details.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";
import { ReceiptFrame, ReceiptItem } from "./receipt-frame.tsx";
import { RevealDetails } from "./reveal-details.tsx";
import classes from "./sale-receipt.module.css";
import { WorksIn } from "./works-in.tsx";

interface SaleReceiptProps {
  readonly sale: Sale;
  readonly isAtPayment?: boolean;
  /** The clerk opened an earlier sale, not the sale just paid. */
  readonly isReopened?: boolean;
  /** The clerk can still send the undelivered line again with the same payment. */
  readonly canSendAgain?: boolean;
  /** Earlier sale whose payment pays for this sale. */
  readonly paidBy?: Sale | undefined;
}

export function SaleReceipt(props: SaleReceiptProps) {
  const { sale, isAtPayment = false, isReopened = false, canSendAgain = false, paidBy } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [revealed, setRevealed] = useState<Sale>();
  const details = revealed?.saleId === sale.saleId ? revealed : undefined;
  const isOpen = sale.lines.some(({ finishedAt }) => finishedAt === undefined);
  const state = saleOutcomeAt(sale, useNow(1000, isAtPayment && isOpen));
  return (
    <>
      <ReceiptFrame
        title={t("sale.number", { number: sale.saleNumber })}
        note={t("sale.soldBy", { name: sale.staff.name, time: format.moment(sale.createdAt) })}
        badge={
          state === "PARTLY_DELIVERED" ? (
            <OutcomeBadge outcome="PARTLY_DELIVERED" size="large" />
          ) : null
        }
        sums={sale}
        result={
          isAtPayment
            ? { state, note: resultNote(sale, state, t, format), isReopened, canSendAgain, paidBy }
            : undefined
        }
      >
        {deliveredFirst(sale.lines).map((line) => (
          <ReceiptLine
            key={line.transactionId}
            line={line}
            sale={sale}
            isAtPayment={isAtPayment}
            details={details?.lines.find(
              ({ transactionId }) => transactionId === line.transactionId,
            )}
          />
        ))}
      </ReceiptFrame>
      <RevealDetails sale={sale} revealed={details} onReveal={setRevealed} />
    </>
  );
}

function resultNote({ lines }: Sale, state: SaleOutcome, t: Translate, format: Format): string {
  const done = lines.filter(({ finishedAt }) => finishedAt !== undefined);
  if (state === "SENDING") return t("sale.sendingHint");
  if (state === "STILL_SENDING") return t("sale.pendingHint", { brand: lines[0]?.brandName ?? "" });
  if (state === "NOT_DELIVERED") {
    const isCanceled = lines.every(({ canceled }) => canceled);
    return t(isCanceled ? "sale.canceledHint" : "sale.nothingCharged");
  }
  const times = done.flatMap(({ finishedAt }) => finishedAt ?? []).sort();
  return done.length < lines.length || state === "PARTLY_DELIVERED"
    ? t("sale.linesDone", {
        done: lines.filter(({ outcome }) => outcome === "DELIVERED").length,
        count: lines.length,
      })
    : t("sale.confirmedAt", { time: format.timeExact(times.at(-1) ?? "") });
}

interface ReceiptLineProps {
  readonly line: SaleLine;
  readonly sale: Sale;
}

interface ReceiptLineWithDetailsProps extends ReceiptLineProps {
  readonly details: SaleLine | undefined;
  readonly isAtPayment: boolean;
}

function ReceiptLine({ line, sale, details, isAtPayment }: ReceiptLineWithDetailsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const recipientOf = useRecipient();
  const said = useRef<HTMLDivElement>(null);
  const isFinal = line.outcome === "DELIVERED" || line.outcome === "NOT_DELIVERED";
  const now = useNow(1000, !isFinal);
  const outcome = outcomeAt(line, now);
  useDeliveredSound(outcome, isAtPayment);
  // Announced at once, because the outcome decides about the money.
  useAnnouncedElement(said, isAtPayment ? outcome : undefined, {
    urgency: "assertive",
    heading: t(`sale.outcome.${nameOutcome(outcome, [line])}`),
  });
  return (
    <li className="stack gap-3">
      <ReceiptItem
        brand={line.brand}
        brandName={line.brandName}
        brandColor={line.brandColor}
        country={line.country}
        recipient={recipientOf(line)}
        isWords={line.recipientFormatted === ""}
        title={lineTitle(line)}
        badge={isAtPayment ? <OutcomeBadge outcome={outcome} of={[line]} /> : null}
        price={format.money(line.price - line.discount, sale.currency, sale.currencyDivisor)}
      />
      {line.productType === "BILL_PAY" ? (
        <BillAmounts
          bill={{
            ...line,
            priceFee: line.fee ?? 0,
            priceCurrency: sale.currency,
            priceCurrencyDivisor: sale.currencyDivisor,
          }}
          discount={line.discount}
          {...(line.due !== undefined &&
            line.due !== line.send && { label: t("family.BILL_PAY.delivers") })}
        />
      ) : null}
      <div ref={said} className={classes.outcome} data-outcome={outcome}>
        {isAtPayment ? null : <OutcomeBadge outcome={outcome} of={[line]} size="large" />}
        <OutcomeWords
          line={line}
          sale={sale}
          outcome={outcome}
          now={now}
          isAtPayment={isAtPayment}
          isAlone={isAtPayment && sale.lines.length === 1}
        />
      </div>
      {isAtPayment && outcome === "SENDING" ? (
        <AwaitedDetails line={line} />
      ) : (
        <DeliveredDetails line={details ?? line} />
      )}
      {line.area ? <WorksIn area={line.area} /> : null}
    </li>
  );
}

function useDeliveredSound(outcome: SaleLine["outcome"], isAtPayment: boolean): void {
  const [first] = useState(outcome);
  const isNews = isAtPayment && outcome === "DELIVERED" && first !== "DELIVERED";
  useEffect(() => {
    if (isNews) soundDelivered();
  }, [isNews]);
}

interface OutcomeWordsProps extends ReceiptLineProps {
  readonly outcome: SaleLine["outcome"];
  readonly now: number;
  /** True if the head above the lines names the time. */
  readonly isAtPayment: boolean;
  /** True if the head above the only line names the charge and the refund. */
  readonly isAlone: boolean;
}

function stillSendingWords(line: SaleLine) {
  if (line.beingFoundOut) return "sale.findingOut";
  return line.status === "PENDING" ? "sale.waiting" : "sale.stillSending";
}

function OutcomeWords(props: OutcomeWordsProps) {
  const { line, sale, outcome, now, isAtPayment, isAlone } = props;
  const { t } = useTranslation();
  const format = useFormat();
  if (outcome === "SENDING") {
    return <p>{t("sale.sendingHint")}</p>;
  }
  if (outcome === "STILL_SENDING") {
    const until = format.until(line.keepTryingUntil, now);
    return <p>{t(stillSendingWords(line), { until })}</p>;
  }
  if (outcome === "DELIVERED") {
    return (
      <p>
        {line.finishedAt && !isAtPayment
          ? t("sale.confirmedAt", { time: format.timeExact(line.finishedAt) })
          : null}{" "}
        {line.confirmationNumber ? (
          <span className="block medium break-anywhere">
            {t("sale.confirmation", { number: line.confirmationNumber })}
          </span>
        ) : null}
        {line.noConfirmation ? (
          <span className="block medium break-anywhere">{t("sale.noConfirmation")}</span>
        ) : null}
      </p>
    );
  }
  const failure = failureWords(line, t, format);
  const owed = format.money(line.price - line.discount, sale.currency, sale.currencyDivisor);
  const isInHead = isAlone && !line.refunded && line.sentAgainAs === undefined;
  return (
    <>
      <p>
        {line.canceled
          ? t("sale.canceledHint")
          : [failure.what, ...(isAlone ? [] : [t("sale.nothingCharged")])].join(" ")}
      </p>
      <p
        className={isInHead ? "spoken" : classes.refundDue}
        style={{ "--letters": owed.length } as CSSProperties}
      >
        {line.sentAgainAs === undefined
          ? t(line.refunded ? "sale.refundedAmount" : "sale.refundDue", { amount: owed })
          : t("sale.sentAgain", { number: line.sentAgainAs })}
      </p>
      {line.sentAgainAs === undefined && !line.canceled ? (
        <p>
          {failure.next} <small className="soft size-caption">{failure.code}</small>
        </p>
      ) : null}
    </>
  );
}
