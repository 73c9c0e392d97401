import { Button, Skeleton } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { PrintButton } from "../../../components/print-button.tsx";
import { SaleReceipt } from "../../../components/sale-receipt.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { saleQuery } from "../../../lib/pos-queries.ts";
import { saleOutcomeAt } from "../../../lib/sale-outcome.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useLineTitle } from "../../../lib/use-line-title.ts";
import { useNow } from "../../../lib/use-now.ts";
import type { Counter } from "../use-counter.ts";
import type { OutboxEntry } from "../use-outbox.ts";
import classes from "./shown-sale.module.css";

interface ShownSaleProps {
  readonly saleId: string;
  readonly counter: Counter;
}

/** The newest sale as a live receipt; before the gateway has answered, what is known of it. */
export function ShownSale({
  saleId,
  counter,
  onPrint,
}: ShownSaleProps & { readonly onPrint: (saleId: string) => Promise<void> }) {
  const entry = counter.outbox.entries.find(({ attempt }) => attempt.saleId === saleId);
  const sale = useQuery({ ...saleQuery(saleId), enabled: !entry });
  if (entry) {
    return <UnansweredSale entry={entry} counter={counter} />;
  }
  if (sale.error && !sale.data) {
    return null;
  }
  if (!sale.data) {
    return <Skeleton height="12rem" radius="md" />;
  }
  return (
    <>
      <SaleReceipt sale={sale.data} />
      <PrintButton sale={sale.data} onPrint={onPrint} />
    </>
  );
}

interface UnansweredSaleProps {
  readonly entry: OutboxEntry;
  readonly counter: Counter;
}

function UnansweredSale({ entry, counter }: UnansweredSaleProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const { basket, input, saleId } = entry.attempt;
  const money = (minor: number) =>
    format.money(minor, basket.priceCurrency, basket.priceCurrencyDivisor);
  return (
    <div className={classes.unanswered}>
      <p className={classes.title}>
        {t(entry.error ? "sale.refused.title" : "sale.unanswered.title")}
      </p>
      <p className={classes.number}>
        <bdi dir="ltr">{basket.formatted}</bdi>
      </p>
      <p>
        {lineTitle(basket)} · {money(basket.price)}
      </p>
      {entry.error ? (
        <>
          <ErrorNotice
            words={errorWords(entry.error, t, format, {
              currency: basket.priceCurrency,
              divisor: basket.priceCurrencyDivisor,
            })}
          />
          <p className={classes.giveBack}>
            {t("sale.giveBack", {
              amount: money(input.tenders.reduce((sum, { tendered = 0 }) => sum + tendered, 0)),
            })}
          </p>
          <Button
            variant="default"
            onClick={() => {
              counter.outbox.dismiss(saleId);
              counter.hideSale(saleId);
            }}
          >
            {t("sale.refused.done")}
          </Button>
        </>
      ) : (
        <Notice tone="wait" loud>
          {t("sale.unanswered.body")}
        </Notice>
      )}
    </div>
  );
}

/** An older sale of this round in one line, still live. */
export function SaleStrip({ saleId, counter }: ShownSaleProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const entry = counter.outbox.entries.find(({ attempt }) => attempt.saleId === saleId);
  const { data: sale } = useQuery({ ...saleQuery(saleId), enabled: !entry });
  if (entry) {
    return (
      <li className={classes.strip}>
        <span className={classes.stripWho}>
          <bdi dir="ltr">{entry.attempt.basket.formatted}</bdi>
          <small>{t(entry.error ? "sale.refused.title" : "sale.unanswered.title")}</small>
        </span>
        <IconClock size="1.25rem" aria-hidden="true" />
      </li>
    );
  }
  return sale ? (
    <li className={classes.strip}>
      <span className={classes.stripWho}>
        <bdi dir="ltr">{sale.lines[0]?.recipientFormatted}</bdi>
        <small>
          {t("sale.number", { number: sale.saleNumber })} ·{" "}
          {format.money(sale.total, sale.currency, sale.currencyDivisor)}
        </small>
      </span>
      <OutcomeBadge outcome={saleOutcomeAt(sale, now)} />
    </li>
  ) : null;
}
