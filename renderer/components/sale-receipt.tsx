import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { failureWords } from "../lib/failure-words.ts";
import { outcomeAt } from "../lib/sale-outcome.ts";
import { useFormat } from "../lib/use-format.ts";
import { useLineTitle } from "../lib/use-line-title.ts";
import { useNow } from "../lib/use-now.ts";
import { BrandMonogram } from "./brand-monogram.tsx";
import { DeliveredSlip } from "./delivered-slip.tsx";
import { Flag } from "./flag.tsx";
import { OutcomeBadge } from "./outcome-badge.tsx";
import classes from "./sale-receipt.module.css";

/** A sale with a live line per item: what became of each, in plain words. */
export function SaleReceipt({ sale }: { readonly sale: Sale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (minor: number) => format.money(minor, sale.currency, sale.currencyDivisor);
  return (
    <section className={classes.receipt} aria-label={t("sale.number", { number: sale.saleNumber })}>
      <header className={classes.head}>
        <h2 className={classes.title}>{t("sale.number", { number: sale.saleNumber })}</h2>
        <span className={classes.small}>
          {t("sale.soldBy", { name: sale.staff.name, time: format.time(sale.createdAt) })}
        </span>
      </header>
      <ul className={classes.lines}>
        {sale.lines.map((line) => (
          <ReceiptLine key={line.transactionId} line={line} sale={sale} />
        ))}
      </ul>
      <dl className={classes.sums}>
        <Sum label={t("sale.total")} amount={money(sale.total)} strong />
        {sale.tenders.map(({ kind, amount, tendered, reference }) => (
          <Sum
            key={`${kind} ${amount} ${reference ?? ""}`}
            label={t(`counter.tender.${kind}`)}
            amount={money(tendered ?? amount)}
          />
        ))}
        {sale.change > 0 ? <Sum label={t("sale.change")} amount={money(sale.change)} /> : null}
      </dl>
    </section>
  );
}

interface SumProps {
  readonly label: string;
  readonly amount: string;
  readonly strong?: boolean;
}

function Sum({ label, amount, strong = false }: SumProps) {
  return (
    <div className={classes.sum} data-strong={strong}>
      <dt>{label}</dt>
      <dd>{amount}</dd>
    </div>
  );
}

interface ReceiptLineProps {
  readonly line: SaleLine;
  readonly sale: Sale;
}

function ReceiptLine({ line, sale }: ReceiptLineProps) {
  const format = useFormat();
  const lineTitle = useLineTitle();
  const isFinal = line.outcome === "DELIVERED" || line.outcome === "NOT_DELIVERED";
  const now = useNow(1000, !isFinal);
  const outcome = outcomeAt(line, now);
  return (
    <li className={classes.line}>
      <div className={classes.item}>
        <BrandMonogram name={line.brandName} color={line.brandColor} />
        <div className={classes.what}>
          <span className={classes.number} data-words={line.recipientFormatted === ""}>
            <bdi dir="ltr">{line.recipientFormatted || line.brandName}</bdi>
          </span>
          <span className={classes.small}>
            {line.country ? <Flag country={line.country} /> : null} {lineTitle(line)}
          </span>
        </div>
        <span className={classes.price}>
          {format.money(line.price - line.discount, sale.currency, sale.currencyDivisor)}
        </span>
      </div>
      <div className={classes.outcome} data-outcome={outcome} role="status" aria-live="polite">
        <OutcomeBadge outcome={outcome} size="large" />
        <OutcomeWords line={line} sale={sale} outcome={outcome} now={now} />
      </div>
      <DeliveredSlip line={line} />
    </li>
  );
}

interface OutcomeWordsProps extends ReceiptLineProps {
  readonly outcome: SaleLine["outcome"];
  readonly now: number;
}

/** What each of the outcomes means for the clerk and the customer's money. */
function OutcomeWords({ line, sale, outcome, now }: OutcomeWordsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  if (outcome === "SENDING") {
    return <p>{t("sale.sendingHint")}</p>;
  }
  if (outcome === "STILL_SENDING") {
    const until = format.until(line.keepTryingUntil, now);
    // "5:05 p. m." brings its own full stop.
    const words = line.status === "PENDING" ? "sale.waiting" : "sale.stillSending";
    return <p>{t(words, { until }).replace(/\.\.$/, ".")}</p>;
  }
  if (outcome === "DELIVERED") {
    return (
      <p>
        {line.finishedAt
          ? t("sale.deliveredAt", { time: format.timeExact(line.finishedAt) })
          : null}
        {line.confirmationNumber ? (
          <span className={classes.confirmation}>
            {t("sale.confirmation", { number: line.confirmationNumber })}
          </span>
        ) : null}
      </p>
    );
  }
  const failure = failureWords(line, t, format);
  const owed = format.money(line.price - line.discount, sale.currency, sale.currencyDivisor);
  return (
    <>
      <p>
        {failure.what} {t("sale.nothingCharged")}
      </p>
      <p className={classes.giveBack} style={{ "--letters": owed.length } as CSSProperties}>
        {t(line.givenBack ? "sale.gaveBack" : "sale.giveBack", { amount: owed })}
      </p>
      <p>
        {failure.next} <small className={classes.code}>{failure.code}</small>
      </p>
    </>
  );
}
