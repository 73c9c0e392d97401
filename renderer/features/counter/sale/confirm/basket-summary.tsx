import { useTranslation } from "react-i18next";
import { FitText } from "../../../../components/fit-text.tsx";
import { useFormat } from "../../../../lib/use-format.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import { HoldButton } from "../held/hold-button.tsx";
import type { Held } from "../held/use-held.ts";
import { BasketLines } from "./basket-lines.tsx";
import tenderClasses from "./tender-box.module.css";

interface BasketSummaryProps {
  readonly sale: CurrentSale;
  readonly held: Held;
}

/** The basket while another line is composed. */
export function BasketSummary({ sale, held }: BasketSummaryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { lines, total, till } = sale;
  return (
    <div className={tenderClasses.cash}>
      <BasketLines sale={sale} lines={lines} />
      <div className={tenderClasses.row}>
        <span className={tenderClasses.label}>{t("counter.total")}</span>
        <span className={tenderClasses.total}>
          <FitText>{format.money(total, till.currency, till.currencyDivisor)}</FitText>
        </span>
      </div>
      <HoldButton held={held} sale={sale} flush />
    </div>
  );
}
