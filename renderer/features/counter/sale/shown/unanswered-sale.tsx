import { useTranslation } from "react-i18next";
import { BillAmounts } from "../../../../components/bill-amounts.tsx";
import { CustomerRefundAction } from "../../../../components/customer-refund-action.tsx";
import { ErrorNotice } from "../../../../components/notice.tsx";
import { ReceiptFrame, ReceiptItem } from "../../../../components/receipt-frame.tsx";
import { useAnnounced } from "../../../../lib/announcer.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { useLineTitle } from "../../../../lib/use-line-title.ts";
import { type LineItem, recipientOf, toPricedBill } from "../attempt/line-item.ts";
import { sumsOfAttempt } from "../attempt/sums-of-attempt.ts";
import type { OutboxEntry } from "../attempt/use-outbox.ts";
import type { CurrentSale } from "../basket/use-sale.ts";

interface UnansweredSaleProps {
  readonly entry: OutboxEntry;
  readonly sale: CurrentSale;
}

export function UnansweredSale({ entry, sale }: UnansweredSaleProps) {
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
export function SettleRefused({ entry, sale }: UnansweredSaleProps) {
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
