import { useTranslation } from "react-i18next";
import type { OfficeTransaction } from "../../../../server/contract/pos/transaction-office.ts";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { isolateDotted, isolateNamed } from "../../../lib/direction.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./sales-office.module.css";

function outcomeOf({ status, canceled }: OfficeTransaction) {
  if (canceled) return "NOT_DELIVERED";
  if (status === "DONE") {
    return "DELIVERED";
  }
  return status === "FAILED" ? "NOT_DELIVERED" : "STILL_SENDING";
}

/** Shows the outcome in the same words as the till. */
export function TransactionOutcome({ transaction }: Pick<TransactionRowProps, "transaction">) {
  const { family: productType, canceled } = transaction;
  return <OutcomeBadge outcome={outcomeOf(transaction)} of={[{ productType, canceled }]} />;
}

/**
 * Returns the name of a sold product. The catalog titles a bill with the range of its amounts,
 * which says nothing about the paid bill.
 */
export function useTransactionTitle() {
  const { t } = useTranslation();
  const format = useFormat();
  return ({
    family,
    brandName,
    title,
  }: Pick<OfficeTransaction, "family" | "brandName" | "title">) =>
    family === "BILL_PAY"
      ? isolateDotted([brandName, t("family.BILL_PAY.one")], format.locale)
      : isolateNamed(brandName, format.contents(title), format.locale);
}

interface TransactionRowProps {
  readonly transaction: OfficeTransaction;
  readonly isChosen: boolean;
  readonly onOpen: () => void;
}

export function TransactionRow({ transaction, isChosen, onOpen }: TransactionRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const titleOf = useTransactionTitle();
  const { sale, createdAt, recipient, needsDecision } = transaction;
  return (
    <li>
      <button type="button" className={classes.row} aria-current={isChosen} onClick={onOpen}>
        <span className="soft">
          {format.moment(createdAt)}
          <small className="block">
            {sale
              ? `${t("sale.number", { number: sale.saleNumber })} · ${sale.clerk}`
              : (transaction.key?.name ?? t("office.sales.byProgram"))}
          </small>
        </span>
        <span className="stack min-w-0 break-anywhere">
          <strong>{titleOf(transaction)}</strong>
          {recipient === "" ? null : (
            <span>
              <bdi dir="ltr">{recipient}</bdi>
            </span>
          )}
        </span>
        <span className="stack items-start min-w-0 break-anywhere">
          <TransactionOutcome transaction={transaction} />
          {needsDecision ? (
            <small className="block">{t("office.sales.needsDecision")}</small>
          ) : null}
        </span>
        <span className={classes.amount}>
          {sale ? format.money(sale.amount, sale.currency, sale.currencyDivisor) : null}
        </span>
      </button>
    </li>
  );
}
