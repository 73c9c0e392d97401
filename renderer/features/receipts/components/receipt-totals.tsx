import type { Sale } from "../../../../server/contract/pos/sales.ts";
import type { ReceiptFormat } from "../receipt-format.ts";
import classes from "./receipt-view.module.css";

interface ReceiptTotalsProps {
  readonly sale: Sale;
  readonly format: ReceiptFormat;
}

/** Cash that was handed over. */
function cashOf({ tenders }: Sale): number {
  return tenders.reduce((sum, { tendered = 0 }) => sum + tendered, 0);
}

/** What changed hands at the counter, and what the shop owes. */
export function ReceiptTotals({ sale, format: { t, money } }: ReceiptTotalsProps) {
  return (
    <dl className={classes.totals}>
      <div className={classes.total}>
        <dt>{t("total")}</dt>
        <dd>{money(sale.total)}</dd>
      </div>
      <div>
        <dt>{t("cash")}</dt>
        <dd>{money(cashOf(sale))}</dd>
      </div>
      <div>
        <dt>{t("change")}</dt>
        <dd>{money(sale.change)}</dd>
      </div>
      {sale.giveBack > 0 ? (
        <div className={classes.toGiveBack}>
          <dt>{t("toGiveBack")}</dt>
          <dd>{money(sale.giveBack)}</dd>
        </div>
      ) : null}
    </dl>
  );
}
