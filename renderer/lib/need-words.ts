import { FAMILIES, type Family } from "../../server/contract/pos/families.ts";
import type { Need } from "../../server/contract/pos/rights.ts";
import type { Translate } from "./i18n.ts";
import type { MoneyUnit } from "./money.ts";
import type { Format } from "./use-format.ts";

/** Describes a need to the clerk: "a discount of 15%", "a sale of Q 600.00". */
export function needWords({ right, asked }: Need, t: Translate, format: Format, unit: MoneyUnit) {
  const figure = needFigure({ right, asked }, format, unit);
  return isOfFamily(right)
    ? t(`family.${familyOf(right)}.needed`, { asked: figure })
    : t(`approval.need.${right}`, { asked: figure });
}

type FamilyRight = `perProduct.${Family}`;

function isOfFamily(right: Need["right"]): right is FamilyRight {
  return right.startsWith("perProduct.");
}

function familyOf(right: FamilyRight): Family {
  const family = FAMILIES.find((one) => right === `perProduct.${one}`);
  if (!family) {
    throw new Error(`${right} names no family`);
  }
  return family;
}

export function needFigure(
  { right, asked = 0 }: { right: Need["right"]; asked?: number | undefined },
  format: Format,
  { currency, currencyDivisor }: MoneyUnit,
): string {
  return right === "discountPct"
    ? format.percent(asked)
    : format.money(asked, currency, currencyDivisor);
}
