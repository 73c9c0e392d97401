import type { SaleLine } from "../../../../server/contract/pos/sales.ts";
import { offerContents } from "../../../lib/offer-title.ts";
import type { ReceiptFormat } from "../receipt-format.ts";
import classes from "./receipt-view.module.css";

interface LineProps {
  readonly line: SaleLine;
  readonly format: ReceiptFormat;
}

/** One thing bought: what, for which number, at what price, and what became of it. */
export function ReceiptLine({ line, format }: LineProps) {
  const { t, money } = format;
  // A bundle is worth what it holds; the amount behind it means nothing to who bought it.
  const contents = line.value === undefined ? offerContents(line.title) : undefined;
  return (
    <li className={classes.line}>
      <div className={classes.what}>
        <p className={classes.name}>
          <strong>{line.brandName}</strong> {line.title}
        </p>
        <p className={classes.price}>{money(line.price)}</p>
      </div>
      <p className={classes.number}>
        <bdi dir="ltr">{line.recipientFormatted}</bdi>
      </p>
      {contents === undefined ? (
        <p className={classes.pair}>
          <span>{t("value")}</span>
          <span>{format.delivered(line.send, line.sendCurrency, line.sendCurrencyDivisor)}</span>
        </p>
      ) : null}
      <LineOutcome line={line} format={format} />
      <p className={classes.small}>
        {t("transaction")} {line.transactionId}
      </p>
    </li>
  );
}

/**
 * The customer's three outcomes. What is not delivered yet says what to do and until when, since
 * the paper is all the customer takes home.
 */
function LineOutcome({ line, format: { t, money, moment, time } }: LineProps) {
  switch (line.outcome) {
    case "DELIVERED":
      return (
        <div className={classes.delivered}>
          <p className={classes.pair}>
            <strong className={classes.outcome}>{t("delivered")}</strong>
            {line.finishedAt === undefined ? null : <span>{time(line.finishedAt)}</span>}
          </p>
          {line.confirmationNumber === undefined ? null : (
            <p className={classes.pair}>
              <span>{t("confirmation")}</span>
              <strong className={classes.code}>{line.confirmationNumber}</strong>
            </p>
          )}
        </div>
      );
    case "NOT_DELIVERED":
      return (
        <div className={classes.notice}>
          <p className={classes.outcome}>{t("notDelivered")}</p>
          <p>{t("moneyToGiveBack", { amount: money(line.price) })}</p>
        </div>
      );
    default:
      return (
        <div className={classes.notice}>
          <p className={classes.outcome}>{t("sending")}</p>
          <p>{t("sendingAdvice", { until: moment(line.keepTryingUntil) })}</p>
          <p>{t("sendingPromise")}</p>
        </div>
      );
  }
}
