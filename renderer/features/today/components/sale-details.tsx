import { useTranslation } from "react-i18next";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { GiveBackButton } from "../../../components/give-back/give-back-button.tsx";
import { PrintButton } from "../../../components/print-button.tsx";
import { SaleReceipt } from "../../../components/sale-receipt.tsx";
import classes from "./sale-details.module.css";

interface SaleDetailsProps {
  readonly sale: Sale | undefined;
  readonly onPrint: (saleId: string) => Promise<void>;
}

/** One sale of the day in full, and its receipt again. */
export function SaleDetails({ sale, onPrint }: SaleDetailsProps) {
  const { t } = useTranslation();
  return (
    <aside className={classes.details} aria-label={t("today.details")}>
      {sale ? (
        <>
          <SaleReceipt sale={sale} />
          <GiveBackButton key={`give-back ${sale.saleId}`} sale={sale} />
          <PrintButton key={sale.saleId} sale={sale} onPrint={onPrint} />
        </>
      ) : (
        <p className={classes.none}>{t("today.noneChosen")}</p>
      )}
    </aside>
  );
}
