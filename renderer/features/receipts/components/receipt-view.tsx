import type { Receipt } from "../../../../server/contract/pos/sales.ts";
import { directionOf } from "../../../lib/direction.ts";
import type { PaperWidth } from "../paper-width.ts";
import { receiptFormat } from "../receipt-format.ts";
import { ReceiptLine } from "./receipt-line.tsx";
import { ReceiptTotals } from "./receipt-totals.tsx";
import classes from "./receipt-view.module.css";

interface ReceiptViewProps {
  readonly receipt: Receipt;
  readonly paper: PaperWidth;
}

/** A receipt exactly as it leaves the printer, in black on white and in its own language. */
export function ReceiptView({ receipt, paper }: ReceiptViewProps) {
  const format = receiptFormat(receipt);
  const { t, moment } = format;
  const { sale } = receipt;
  const isOwed = sale.giveBack > 0;
  const isTest = sale.environment === "test";
  const testBanner = isTest ? <p className={classes.banner}>{t("testBanner")}</p> : null;
  return (
    <article
      className={classes.receipt}
      data-paper={paper}
      lang={receipt.language}
      dir={directionOf(receipt.language)}
    >
      {testBanner}
      {receipt.copy ? (
        <p className={classes.banner}>{t("copyBanner", { number: receipt.copyNumber })}</p>
      ) : null}
      <header className={classes.head}>
        <h1 className={classes.shop}>{receipt.shopName}</h1>
        <p className={classes.saleNumber}>
          {t("sale", { number: String(sale.saleNumber).padStart(6, "0") })}
        </p>
        <p>{moment(sale.createdAt)}</p>
        <p>{t("servedBy", { name: sale.staff.name })}</p>
      </header>
      <ol className={classes.lines}>
        {sale.lines.map((line) => (
          <ReceiptLine key={line.transactionId} line={line} format={format} />
        ))}
      </ol>
      <ReceiptTotals sale={sale} format={format} />
      <footer className={classes.foot}>
        {isOwed ? (
          <p>{t("claim")}</p>
        ) : (
          <>
            <p className={classes.thanks}>{t("thanks")}</p>
            <p>{t("keep")}</p>
          </>
        )}
        {receipt.copy ? (
          <p className={classes.small}>
            {t("printedAgain", { time: moment(receipt.printedAt), name: receipt.printedBy })}
          </p>
        ) : null}
      </footer>
      {testBanner}
    </article>
  );
}
