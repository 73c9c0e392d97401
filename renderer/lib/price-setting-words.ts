import type { ListSetting } from "../../server/contract/pos/environment-copy.ts";
import { FAMILIES } from "../../server/contract/pos/families.ts";
import type { PriceListSettings } from "../../server/contract/pos/prices.ts";
import { joinParts } from "./direction.ts";
import { type RuleSaying, roundingWords } from "./price-rule-words.ts";

export function settingSayer(
  saying: RuleSaying,
): (name: ListSetting, list: PriceListSettings) => string {
  const { t, format } = saying;
  const percent = (text: string) => format.percent(Number(text));
  return (name, list) => {
    switch (name) {
      case "defaults": {
        const { faceValue = false, cashEndings = false } = list.defaults ?? {};
        if (faceValue && cashEndings) {
          return t("office.prices.settings.defaults.is.both");
        }
        const only = cashEndings ? "endings" : "none";
        return t(`office.prices.settings.defaults.is.${faceValue ? "face" : only}`);
      }
      case "rounding":
        return list.rounding ? roundingWords(list.rounding, saying) : t("priceRule.ends.none");
      case "floor":
        return Number(list.floor?.aboveCostPercent ?? "0") === 0
          ? t("office.prices.settings.floorCost")
          : t("office.prices.settings.floorIs", {
              percent: percent(list.floor?.aboveCostPercent ?? "0"),
            });
      case "taxes":
        return joinParts(
          FAMILIES.map((family) => {
            const { kind, percent: part } = list.taxes[family];
            return t(`office.prices.settings.taxIs.${kind}`, {
              family: t(`family.${family}.several`),
              percent: percent(part),
            });
          }),
          format.locale,
        );
      default:
        return percent(list[name]);
    }
  };
}
