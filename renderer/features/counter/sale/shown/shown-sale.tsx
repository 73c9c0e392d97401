import { Skeleton } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { CustomerRefundButton } from "../../../../components/customer-refund-button.tsx";
import { OutcomeBadge } from "../../../../components/outcome-badge.tsx";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { ReceiptLanguage } from "../../../../components/receipt-language.tsx";
import { SaleReceipt } from "../../../../components/sale-receipt.tsx";
import { SendReceiptButton } from "../../../../components/send-receipt-button.tsx";
import { saleQuery } from "../../../../lib/pos-queries.ts";
import { usePrintSettings } from "../../../../lib/print-settings.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { saleOutcomeAt } from "../../../../lib/sale-outcome.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { useNow } from "../../../../lib/use-now.ts";
import { recipientOf } from "../attempt/line-item.ts";
import type { OutboxEntry } from "../attempt/use-outbox.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import classes from "./shown-sale.module.css";
import { SettleRefused, UnansweredSale } from "./unanswered-sale.tsx";

interface ShownSaleProps {
  readonly saleId: string;
  readonly sale: CurrentSale;
  /** Alt+G refunds the customer of this sale. */
  readonly hasKey: boolean;
}

interface ShownSaleBelowProps extends Omit<ShownSaleProps, "hasKey"> {
  /** What may be done with what was sold. */
  readonly below: (sale: Sale) => ReactNode;
}

/** The newest sale as a live receipt; before the gateway has answered, what is known of it. */
export function ShownSale({ saleId, sale, below }: ShownSaleBelowProps) {
  const { rule } = usePrintSettings();
  const entry = sale.outbox.entries.find(({ attempt }) => attempt.saleId === saleId);
  const shown = useQuery({ ...saleQuery(saleId), enabled: !entry });
  if (entry) {
    return <UnansweredSale entry={entry} sale={sale} />;
  }
  if (troubleOf(shown)) {
    return <QueryTrouble query={shown} />;
  }
  if (!shown.data) {
    return <Skeleton height="12rem" radius="md" />;
  }
  return (
    <>
      <SaleReceipt sale={shown.data} isAtPayment={true} />
      {rule === "never" ? null : (
        // Below an outcome of another height: drawn in its place instead of sliding.
        <ReceiptLanguage key={saleOutcomeAt(shown.data, 0)} saleId={saleId} />
      )}
      <SendReceiptButton sale={shown.data} />
      {below(shown.data)}
    </>
  );
}

/** An older sale of this round in one line, still live; with the button while money is owed. */
export function SaleStrip({ saleId, sale, hasKey }: ShownSaleProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const entry = sale.outbox.entries.find(({ attempt }) => attempt.saleId === saleId);
  const { data: shown } = useQuery({ ...saleQuery(saleId), enabled: !entry });
  if (entry) {
    return (
      <li className={classes.strip}>
        <div className={classes.stripRow}>
          <span className={classes.stripWho}>
            <bdi dir="ltr">{titleOf(entry)}</bdi>
            <small>{t(entry.error ? "sale.refused.title" : "sale.unanswered.title")}</small>
          </span>
          {entry.error ? null : <IconClock size="1.25rem" aria-hidden="true" />}
        </div>
        {entry.error ? <SettleRefused entry={entry} sale={sale} hasKey={hasKey} /> : null}
      </li>
    );
  }
  return shown ? (
    <li className={classes.strip}>
      <div className={classes.stripRow}>
        <span className={classes.stripWho}>
          <bdi dir="ltr">{shown.lines[0]?.recipientFormatted || shown.lines[0]?.brandName}</bdi>
          <small>
            {t("sale.number", { number: shown.saleNumber })} ·{" "}
            {format.money(shown.total, shown.currency, shown.currencyDivisor)}
          </small>
        </span>
        <OutcomeBadge outcome={saleOutcomeAt(shown, now)} />
      </div>
      <CustomerRefundButton sale={shown} hasKey={hasKey} />
    </li>
  ) : null;
}

function titleOf({ attempt }: OutboxEntry): string {
  const item = attempt.lines[0]?.item;
  return item ? recipientOf(item) || item.brandName : "";
}
