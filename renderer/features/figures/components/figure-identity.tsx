import { useTranslation } from "react-i18next";
import type { Figures } from "../../../../server/contract/pos/figures.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { type MoneyUnit, moneyOf } from "../figure-format.ts";
import classes from "./figures-screen.module.css";

interface FigureIdentityProps {
  readonly figures: Figures;
  readonly unit: MoneyUnit;
}

/** Sold, refunds due and cash rounding are taken or owed: printed with its numbers. */
export function FigureIdentity({ figures, unit }: FigureIdentityProps) {
  const { t } = useTranslation();
  const money = moneyOf(useFormat(), unit);
  return (
    <p className={classes.identity}>
      <span>{t("office.figures.identity")}</span>
      <strong>
        {t("office.figures.identityNumbers", {
          sold: money(figures.sold),
          refundsDue: money(figures.refundsDue),
          cashRounding: money(figures.cashRounding),
          taken: money(figures.taken),
          owed: money(figures.owed),
        })}
      </strong>
    </p>
  );
}
