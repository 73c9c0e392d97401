import { useTranslation } from "react-i18next";
import { FAMILIES } from "../../../../server/contract/pos/families.ts";
import type { FigureDimension } from "../../../../server/contract/pos/figures.ts";
import { useFormat } from "../../../lib/use-format.ts";

/** What a family or a country is called; brands and people have names of their own. */
export function usePartName(): (by: FigureDimension, value: string) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (by, value) => {
    const family = by === "FAMILY" ? FAMILIES.find((one) => one === value) : undefined;
    if (family) return t(`family.${family}.several`);
    return by === "COUNTRY" ? format.country(value) : value;
  };
}
