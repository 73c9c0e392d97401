import { useTranslation } from "react-i18next";
import { FitText } from "../../../../components/fit-text.tsx";
import { useFormat } from "../../../../lib/use-format.ts";
import type { Counter } from "../../shell/use-counter.ts";
import { HoldButton } from "../held/hold-button.tsx";
import { BasketLines } from "./basket-lines.tsx";
import tenderClasses from "./tender-box.module.css";

/** The basket while another line is composed. */
export function BasketSummary({ counter }: { readonly counter: Counter }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { lines, total, till } = counter.sale;
  return (
    <div className={tenderClasses.cash}>
      <BasketLines counter={counter} lines={lines} />
      <div className={tenderClasses.row}>
        <span className={tenderClasses.label}>{t("counter.total")}</span>
        <span className={tenderClasses.total}>
          <FitText>{format.money(total, till.currency, till.currencyDivisor)}</FitText>
        </span>
      </div>
      <HoldButton counter={counter} flush />
    </div>
  );
}
