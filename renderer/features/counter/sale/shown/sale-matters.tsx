import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { SaleLine } from "../../../../../server/contract/pos/sale-lines.ts";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { CustomerRefundButton } from "../../../../components/customer-refund-button.tsx";
import { PrintButton } from "../../../../components/print-button.tsx";
import { joinParts } from "../../../../lib/direction.ts";
import { saleQuery } from "../../../../lib/pos-queries.ts";
import { usePrintSettings } from "../../../../lib/print-settings.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { useLineTitle } from "../../../../lib/use-line-title.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import classes from "./sale-matters.module.css";
import { SettleRefused } from "./unanswered-sale.tsx";

interface SaleMattersProps {
  readonly saleId: string;
  readonly sale: CurrentSale;
  /** Alt+G refunds the customer of this sale. */
  readonly hasKey: boolean;
  readonly onPrint: (saleId: string) => Promise<void>;
}

/** Lines that are named; more of them stand in the receipt. */
const MOST_NAMED = 2;

/**
 * Of the sale that was just paid: what did not arrive of several lines, the money to give back, and
 * the receipt. It stands below what is scrolled, so nothing moves when it comes, and none of it is
 * out of sight.
 */
export function SaleMatters({ saleId, sale, hasKey, onPrint }: SaleMattersProps) {
  const { rule } = usePrintSettings();
  const entry = sale.outbox.entries.find(({ attempt }) => attempt.saleId === saleId);
  const { data: shown } = useQuery({ ...saleQuery(saleId), enabled: !entry });
  if (entry?.error !== undefined) {
    return (
      <div className={classes.matters}>
        <SettleRefused entry={entry} sale={sale} hasKey={hasKey} />
      </div>
    );
  }
  // Where everything was delivered, the receipt says so, and no room is kept.
  const isOpen = shown?.lines.some(
    ({ finishedAt, outcome }) => finishedAt === undefined || outcome === "NOT_DELIVERED",
  );
  const hasSeveral = isOpen && shown !== undefined && shown.lines.length > 1;
  const canPrint = rule !== "never";
  if (canPrint && !shown) {
    return <div className={`${classes.matters} ${classes.awaited}`} aria-hidden="true" />;
  }
  if (entry || !shown || (shown.refundDue === 0 && !hasSeveral && !canPrint)) {
    return null;
  }
  return (
    <div className={classes.matters}>
      {hasSeveral ? <WhatCame sale={shown} /> : null}
      <CustomerRefundButton sale={shown} hasKey={hasKey} />
      {canPrint ? <PrintButton sale={shown} onPrint={onPrint} /> : null}
    </div>
  );
}

/** How many lines of several have ended, and which were not delivered. */
function WhatCame({ sale: { lines } }: { readonly sale: Sale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const done = lines.filter(({ finishedAt }) => finishedAt !== undefined);
  const failed = lines.filter(({ outcome }) => outcome === "NOT_DELIVERED");
  const whatOf = (line: SaleLine) =>
    joinParts([line.recipientFormatted || line.brandName, lineTitle(line)], format.locale);
  return (
    <div>
      {done.length < lines.length ? (
        <p>{t("sale.linesDone", { done: done.length, count: lines.length })}</p>
      ) : null}
      {failed.slice(0, MOST_NAMED).map((line) => (
        <p key={line.transactionId} className={classes.failed}>
          {t("sale.failedLine", { what: whatOf(line) })}
        </p>
      ))}
      {failed.length > MOST_NAMED ? (
        <p>{t("sale.failedMore", { count: failed.length - MOST_NAMED })}</p>
      ) : null}
    </div>
  );
}
