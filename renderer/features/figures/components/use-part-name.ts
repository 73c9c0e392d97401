import { useTranslation } from "react-i18next";
import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import type { FigureDimension } from "../../../../server/contract/pos/figures.ts";
import { NO_TILLS } from "../../../../server/contract/pos/tills.ts";
import { useFormat } from "../../../lib/use-format.ts";

export function usePartName(): (by: FigureDimension, value: string) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (by, value) => {
    const family = by === "FAMILY" ? FAMILIES.find((one) => one === value) : undefined;
    if (family) return t(`family.${family}.several`);
    const noTill = by === "TILL" ? NO_TILLS.find((one) => one === value) : undefined;
    if (noTill) return t(`office.figures.tills.${noTill}`);
    return by === "COUNTRY" ? format.country(value) : value;
  };
}
