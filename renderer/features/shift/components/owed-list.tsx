import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { OwedSale, Shift } from "../../../../server/contract/pos/shifts.ts";
import { CustomerRefundButton } from "../../../components/customer-refund-button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { saleQuery } from "../../../lib/pos-queries.ts";
import { useCustomerRefundKey } from "../../../lib/use-customer-refund-key.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useRecipient } from "../../../lib/use-place-words.ts";
import classes from "./owed-list.module.css";

interface OwedListProps {
  readonly shift: Shift;
  readonly owed: readonly OwedSale[];
}

/** Money that customers of the shift have not been given back, before the drawer is counted. */
export function OwedList({ shift, owed }: OwedListProps) {
  const { t } = useTranslation();
  useCustomerRefundKey();
  return (
    <Notice tone="wait">
      <strong>{t("shift.owed.title")}</strong>
      <p>{t("shift.owed.hint")}</p>
      <ul className={classes.list} aria-label={t("shift.owed.title")}>
        {owed.map((one, index) => (
          <OwedRow key={one.saleId} shift={shift} owed={one} hasKey={index === 0} />
        ))}
      </ul>
    </Notice>
  );
}

interface OwedRowProps {
  readonly shift: Shift;
  readonly owed: OwedSale;
  /** Alt+G is this one's. */
  readonly hasKey: boolean;
}

function OwedRow({ shift, owed, hasKey }: OwedRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const recipientOf = useRecipient();
  const { data: sale } = useQuery(saleQuery(owed.saleId));
  const failed = sale?.lines.filter((line) => line.outcome === "NOT_DELIVERED" && !line.refunded);
  return (
    <li className={classes.row}>
      <p>
        <strong>{t("sale.number", { number: owed.saleNumber })}</strong> ·{" "}
        {format.money(owed.amount, shift.currency, shift.currencyDivisor)}
        <small className={classes.who}>
          {failed?.map((line) => (
            <bdi key={line.transactionId}>{recipientOf(line) || line.brandName}</bdi>
          ))}
        </small>
      </p>
      <div>{sale ? <CustomerRefundButton sale={sale} hasKey={hasKey} /> : null}</div>
    </li>
  );
}
