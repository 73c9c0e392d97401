import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { sells } from "../../../../server/contract/pos/rights.ts";
import type { OfficeTransactionDetails } from "../../../../server/contract/pos/transaction-office.ts";
import { CustomerRefundButton } from "../../../components/customer-refund-button.tsx";
import { Notice } from "../../../components/notice.tsx";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { PrintButton } from "../../../components/print-button.tsx";
import { SaleReceipt } from "../../../components/sale-receipt.tsx";
import { saleQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { transactionQuery } from "../api/sales-office-queries.ts";
import type { SalesScreenProps } from "../sales-screen-props.ts";
import { EsimRefund } from "./esim-refund.tsx";
import { Loaded } from "./loaded.tsx";
import { RawAnswer } from "./raw-answer.tsx";
import classes from "./sales-office.module.css";
import { Timeline } from "./timeline.tsx";
import { outcomeOf } from "./transaction-row.tsx";

interface TransactionViewProps extends SalesScreenProps {
  readonly transactionId: string;
}

/** One purchase: what happened to it, the receipt of its sale, and what may be done now. */
export function TransactionView(props: TransactionViewProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { transactionId, session, search, onSearch, onPrint } = props;
  const found = useQuery(transactionQuery(transactionId));
  const { transaction } = found.data ?? {};
  const saleId = transaction?.sale?.saleId;
  const sale = useQuery({ ...saleQuery(saleId ?? ""), enabled: saleId !== undefined });
  const isSeller = sells(session.staff.role);
  return (
    <>
      <Button
        className={classes.back ?? ""}
        variant="default"
        leftSection={<IconArrowLeft size="1.25rem" aria-hidden="true" />}
        onClick={() => {
          const { id: _, ...rest } = search;
          onSearch(rest);
        }}
      >
        {t("office.sales.back")}
      </Button>
      <Loaded query={found} count={transaction ? 1 : 0} empty="">
        {found.data && transaction ? (
          <div className={classes.columns}>
            <section className={classes.part} aria-labelledby="transaction-title">
              <h2 id="transaction-title" className={classes.legend} dir="auto">
                {transaction.brandName} {format.contents(transaction.title)}
              </h2>
              <OutcomeBadge outcome={outcomeOf(transaction)} />
              <p className={classes.soft}>
                <bdi dir="ltr" className={classes.id}>
                  {transaction.transactionId}
                </bdi>
              </p>
              {transaction.needsDecision ? (
                <Notice tone="wait">
                  {t("office.sales.needsDecision")}{" "}
                  {session.rights.settleCases ? (
                    <Button variant="default" onClick={() => onSearch({ view: "cases" })}>
                      {t("office.sales.view.cases")}
                    </Button>
                  ) : null}
                </Notice>
              ) : null}
              <Timeline details={found.data} />
              <Deviations key={transactionId} details={found.data} />
              {found.data.refundableEsim && session.staff.role === "owner" ? (
                <EsimRefund transactionId={transactionId} />
              ) : null}
            </section>
            {sale.data ? (
              <section className={classes.part} aria-label={t("office.sales.receipt")}>
                <SaleReceipt sale={sale.data} />
                {isSeller ? (
                  <>
                    <CustomerRefundButton sale={sale.data} />
                    <PrintButton sale={sale.data} onPrint={onPrint} />
                  </>
                ) : null}
              </section>
            ) : null}
          </div>
        ) : null}
      </Loaded>
    </>
  );
}

/** Fields of the provider's answers that are missing or not as its documentation says, and the answer itself. */
function Deviations({ details }: { readonly details: OfficeTransactionDetails }) {
  const { t } = useTranslation();
  const { transaction, deviations, rawAnswer } = details;
  if (!deviations) return null;
  return (
    <>
      <Notice tone="wait">
        {t("office.sales.deviations")}{" "}
        <bdi dir="ltr">{deviations.map(({ field }) => field).join(", ")}</bdi>
      </Notice>
      <RawAnswer transactionId={transaction.transactionId} kept={rawAnswer} />
    </>
  );
}
