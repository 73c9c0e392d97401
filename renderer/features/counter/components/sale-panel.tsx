import { IconReceipt } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Counter } from "../use-counter.ts";
import { CashBox } from "./cash-box.tsx";
import { PrimaryAction } from "./primary-action.tsx";
import classes from "./sale-panel.module.css";
import { SaleStrip, ShownSale } from "./shown-sale.tsx";

interface SalePanelProps {
  readonly counter: Counter;
  readonly onPrint: (saleId: string) => Promise<void>;
}

/**
 * The right side: cash while a sale is confirmed, then the live receipt. Older sales of this
 * round stay as strips while a new one is made. The one primary button is always at the foot.
 */
export function SalePanel({ counter, onPrint }: SalePanelProps) {
  const { t } = useTranslation();
  const { state, shownSales } = counter;
  const isConfirming = state.step === "confirm";
  const [latest, ...older] = shownSales;
  const strips = isConfirming ? shownSales : older;
  return (
    <aside className={classes.panel} aria-label={t("counter.panel")}>
      <div className={classes.content}>
        {isConfirming ? <CashBox counter={counter} /> : null}
        {!isConfirming && latest ? (
          <ShownSale key={latest} saleId={latest} counter={counter} onPrint={onPrint} />
        ) : null}
        {!isConfirming && !latest ? <EmptyPanel /> : null}
        {strips.length > 0 ? (
          <ul className={classes.strips}>
            {strips.slice(0, 2).map((saleId) => (
              <SaleStrip key={saleId} saleId={saleId} counter={counter} />
            ))}
          </ul>
        ) : null}
      </div>
      <PrimaryAction counter={counter} />
    </aside>
  );
}

function EmptyPanel() {
  const { t } = useTranslation();
  return (
    <div className={classes.empty}>
      <IconReceipt size="2.5rem" stroke={1.25} aria-hidden="true" />
      <p>{t("counter.panelEmpty")}</p>
      <p className={classes.hint}>{t("counter.panelEmptyHint")}</p>
    </div>
  );
}
