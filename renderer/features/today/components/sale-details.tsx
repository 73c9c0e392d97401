import { useQuery } from "@tanstack/react-query";
import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { CustomerRefundButton } from "../../../components/customer-refund-button.tsx";
import { PrintButton } from "../../../components/print-button.tsx";
import { ReceiptLanguage } from "../../../components/receipt-language.tsx";
import { SaleReceipt } from "../../../components/sale-receipt.tsx";
import { SendReceiptButton } from "../../../components/send-receipt-button.tsx";
import { saleQuery } from "../../../lib/pos-queries.ts";
import classes from "./sale-details.module.css";

interface SaleDetailsProps {
  readonly sale: Sale | undefined;
  readonly onPrint: (saleId: string) => Promise<void>;
  readonly ref: Ref<HTMLElement>;
}

/** One sale of the day in full, and its receipt again. */
export function SaleDetails({ sale: listed, onPrint, ref }: SaleDetailsProps) {
  const { t } = useTranslation();
  // A list shows nothing that is redeemed; a single sale does, to its seller just after the sale.
  const { data } = useQuery({ ...saleQuery(listed?.saleId ?? ""), enabled: listed !== undefined });
  const sale = data?.saleId === listed?.saleId ? (data ?? listed) : listed;
  return (
    <aside ref={ref} className={classes.details} aria-label={t("today.details")}>
      {sale ? (
        <>
          <SaleReceipt sale={sale} />
          <CustomerRefundButton key={`customer-refund ${sale.saleId}`} sale={sale} />
          <div className={classes.print}>
            <PrintButton key={sale.saleId} sale={sale} onPrint={onPrint} />
            <ReceiptLanguage saleId={sale.saleId} />
            <SendReceiptButton key={`send ${sale.saleId}`} sale={sale} />
          </div>
        </>
      ) : (
        <p className={classes.none}>{t("today.noneChosen")}</p>
      )}
    </aside>
  );
}
