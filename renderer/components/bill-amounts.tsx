import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type PricedBill, splitBill } from "../../server/contract/pos/bill-amounts.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./bill-amounts.module.css";

interface BillAmountsProps {
  /** Undefined until the price is known. The rows still take their space. */
  readonly bill: PricedBill | undefined;
  /** Discount in minor units of the shop's currency. */
  readonly discount?: number;
  /** Label of the first row if the customer does not pay the exact amount due. */
  readonly label?: string;
  /** Text beside the first row's label, such as the amount due. */
  readonly note?: string;
  readonly beside?: ReactNode;
}

const AMOUNT = "push-end size-title strong tabular";

export function BillAmounts({ bill, discount = 0, label, note, beside }: BillAmountsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (minor: number) =>
    bill ? format.money(minor, bill.priceCurrency, bill.priceCurrencyDivisor) : "—";
  const { due, fee } = bill ? splitBill(bill) : { due: 0, fee: 0 };
  const abroad =
    bill && bill.sendCurrency !== bill.priceCurrency
      ? format.money(bill.send, bill.sendCurrency, bill.sendCurrencyDivisor, "code")
      : undefined;
  return (
    <dl className="divided">
      <div className={classes.row}>
        <dt className="soft">
          {label ?? t("sale.bill.due")}
          {note === undefined ? null : <span className={classes.abroad}>{note}</span>}
          {abroad === undefined ? null : <span className={classes.abroad}>{abroad}</span>}
        </dt>
        <dd className={AMOUNT}>{money(due)}</dd>
      </div>
      <div className={classes.row}>
        <dt className="soft">{t("sale.bill.fee")}</dt>
        <dd className={AMOUNT}>{money(fee)}</dd>
      </div>
      {discount > 0 ? (
        <div className={classes.row}>
          <dt className="soft">{t("sale.bill.discount")}</dt>
          <dd className={AMOUNT}>{money(-discount)}</dd>
        </div>
      ) : null}
      <div className={classes.row}>
        <dt className="ink strong">{t("sale.bill.total")}</dt>
        <dd className="push-end size-figure strong tracking-tight leading-130 tabular">
          {beside}
          {money((bill?.price ?? 0) - discount)}
        </dd>
      </div>
    </dl>
  );
}
