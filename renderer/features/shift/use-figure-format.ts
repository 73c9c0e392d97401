import { useTranslation } from "react-i18next";
import type { Shift, ShiftFigures } from "../../../server/contract/pos/shifts.ts";
import { useFormat } from "../../lib/use-format.ts";
import type { FigureFormat } from "./shift-sections.ts";

type WalletUnit = Pick<ShiftFigures, "walletCurrency" | "walletCurrencyDivisor">;

export function useFigureFormat(shift: Shift, wallet: WalletUnit): FigureFormat {
  const { t } = useTranslation();
  const format = useFormat();
  return {
    t,
    money: (minor) => format.money(minor, shift.currency, shift.currencyDivisor),
    wallet: (minor) =>
      format.money(minor, wallet.walletCurrency, wallet.walletCurrencyDivisor, "code"),
    number: (value) => format.number(value),
    taxRate: (rate) => format.taxRate(rate),
  };
}
