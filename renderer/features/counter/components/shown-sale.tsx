import { Button, Skeleton } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { GiveBackButton } from "../../../components/give-back/give-back-button.tsx";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { PrintButton } from "../../../components/print-button.tsx";
import { SaleReceipt } from "../../../components/sale-receipt.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { saleQuery } from "../../../lib/pos-queries.ts";
import { usePrintSettings } from "../../../lib/print-settings.ts";
import { saleOutcomeAt } from "../../../lib/sale-outcome.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useLineTitle } from "../../../lib/use-line-title.ts";
import { useNow } from "../../../lib/use-now.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import { NameButton } from "../favourites/name-button.tsx";
import { recipientOf } from "../line-item.ts";
import type { OutboxEntry } from "../use-outbox.ts";
import classes from "./shown-sale.module.css";

interface ShownSaleProps {
  readonly saleId: string;
  readonly sale: CurrentSale;
}

/** The newest sale as a live receipt; before the gateway has answered, what is known of it. */
export function ShownSale({
  saleId,
  sale,
  onPrint,
}: ShownSaleProps & { readonly onPrint: (saleId: string) => Promise<void> }) {
  const { rule } = usePrintSettings();
  const entry = sale.outbox.entries.find(({ attempt }) => attempt.saleId === saleId);
  const shown = useQuery({ ...saleQuery(saleId), enabled: !entry });
  if (entry) {
    return <UnansweredSale entry={entry} sale={sale} />;
  }
  if (shown.error && !shown.data) {
    return null;
  }
  if (!shown.data) {
    return <Skeleton height="12rem" radius="md" />;
  }
  return (
    <>
      <SaleReceipt sale={shown.data} />
      <GiveBackButton sale={shown.data} />
      {rule === "never" ? null : <PrintButton sale={shown.data} onPrint={onPrint} />}
      <NumbersOf sale={shown.data} />
    </>
  );
}

/** Whoever bought a top-up may be back: each number can be kept under a name. */
function NumbersOf({ sale }: { readonly sale: Sale }) {
  const topups = sale.lines.filter(
    ({ productType, outcome }) => productType === "TOPUP" && outcome !== "NOT_DELIVERED",
  );
  const numbers = new Map(
    topups.map((line) => [line.recipientPhoneNumber, line.recipientFormatted]),
  );
  return [...numbers].map(([number, formatted]) =>
    number === undefined ? null : (
      <NameButton key={number} number={number} formatted={formatted} ofSeveral={numbers.size > 1} />
    ),
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
  const { lines, input, saleId } = entry.attempt;
  const { currency, currencyDivisor: divisor } = sale.till;
  const money = (minor: number) => format.money(minor, currency, divisor);
  const handedOver = input.tenders.reduce(
    (sum, { tendered = 0, amount = 0 }) => sum + tendered + amount,
    0,
  );
  return (
    <div className={classes.unanswered}>
      <p className={classes.title}>
        {t(entry.error ? "sale.refused.title" : "sale.unanswered.title")}
      </p>
      {lines.map(({ transactionId, item }) => (
        <div key={transactionId}>
          <p className={classes.number}>
            <bdi dir="ltr">{recipientOf(item) || item.brandName}</bdi>
          </p>
          <p>
            {lineTitle(item)} · {money(item.price)}
          </p>
        </div>
      ))}
      {entry.error ? (
        <>
          <ErrorNotice words={errorWords(entry.error, t, format, { currency, divisor })} />
          <p className={classes.giveBack}>{t("sale.giveBack", { amount: money(handedOver) })}</p>
          <Button
            variant="default"
            onClick={() => {
              sale.outbox.dismiss(saleId);
              sale.hideSale(saleId);
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
export function SaleStrip({ saleId, sale }: ShownSaleProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const entry = sale.outbox.entries.find(({ attempt }) => attempt.saleId === saleId);
  const { data: shown } = useQuery({ ...saleQuery(saleId), enabled: !entry });
  if (entry) {
    return (
      <li className={classes.strip}>
        <span className={classes.stripWho}>
          <bdi dir="ltr">{titleOf(entry)}</bdi>
          <small>{t(entry.error ? "sale.refused.title" : "sale.unanswered.title")}</small>
        </span>
        <IconClock size="1.25rem" aria-hidden="true" />
      </li>
    );
  }
  return shown ? (
    <li className={classes.strip}>
      <span className={classes.stripWho}>
        <bdi dir="ltr">{shown.lines[0]?.recipientFormatted || shown.lines[0]?.brandName}</bdi>
        <small>
          {t("sale.number", { number: shown.saleNumber })} ·{" "}
          {format.money(shown.total, shown.currency, shown.currencyDivisor)}
        </small>
      </span>
      <OutcomeBadge outcome={saleOutcomeAt(shown, now)} />
    </li>
  ) : null;
}

function titleOf({ attempt }: OutboxEntry): string {
  const item = attempt.lines[0]?.item;
  return item ? recipientOf(item) || item.brandName : "";
}
