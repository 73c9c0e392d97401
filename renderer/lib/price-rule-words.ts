import type { ListSetting } from "../../server/contract/pos/environment-copy.ts";
import { FAMILIES } from "../../server/contract/pos/families.ts";
import type {
  PriceListSettings,
  PriceRounding,
  PriceRule,
} from "../../server/contract/pos/prices.ts";
import { isolateAmount, isolateText, joinParts } from "./direction.ts";
import type { Translate } from "./i18n.ts";
import { kindWords } from "./kind-words.ts";
import { endingOf, endingText } from "./price-endings.ts";
import type { Format } from "./use-format.ts";

/** Formatting context of a rule: translations, the shop's money, and names of codes. */
export interface RuleSaying {
  readonly t: Translate;
  readonly format: Format;
  readonly currency: string;
  readonly currencyDivisor: number;
  readonly brandName: (brand: string) => string;
  readonly offerName: (offerId: string) => string;
}

/** Describes the target of a rule: "Gift cards, Amazon, Mexico". */
export function targetWords({ target }: Pick<PriceRule, "target">, by: RuleSaying): string {
  const { t, format } = by;
  const { offerId, brand, country, subType, family } = target;
  const parts = [
    ...(offerId === undefined ? [] : [by.offerName(offerId)]),
    ...(family === undefined ? [] : [t(`family.${family}.several`)]),
    ...(subType === undefined ? [] : [kindWords(subType, t)]),
    ...(brand === undefined ? [] : [by.brandName(brand)]),
    ...(country === undefined ? [] : [format.country(country)]),
  ];
  return parts.length === 0
    ? t("priceRule.everything")
    : joinParts(
        parts.map((part) => isolateText(part, format.locale)),
        format.locale,
      );
}

/** Describes the pricing and period of a rule: "8% on cost, prices end in .50". */
export function pricingWords(rule: PriceRule, by: RuleSaying): string {
  const { format } = by;
  const parts = [
    howWords(rule, by),
    ...(rule.rounding === undefined ? [] : [roundingWords(rule.rounding, by)]),
    ...profitWords(rule, by),
    ...lossWords(rule, by),
    ...channelWords(rule, by),
    ...periodWords(rule, by),
  ];
  return joinParts(parts, format.locale);
}

export function ruleWords(rule: PriceRule, by: RuleSaying): string {
  return by.t("priceRule.sentence", {
    target: targetWords(rule, by),
    pricing: pricingWords(rule, by),
  });
}

function howWords({ how, basis, percent = "0", amount = 0 }: PriceRule, by: RuleSaying): string {
  const { t, format } = by;
  const isPercent = how === "MARKUP" || how === "MARGIN";
  const value = isPercent ? Number(percent) : amount;
  const much = isPercent ? format.percent(Math.abs(value)) : moneyOf(Math.abs(value), by);
  if (how === "MARGIN" || how === "SET") {
    return t(`priceRule.how.${how}`, { much });
  }
  if (value === 0) {
    return t(`priceRule.how.${basis}_same`);
  }
  return t(`priceRule.how.${basis}_${value > 0 ? "more" : "less"}`, { much });
}

function roundingWords(rounding: PriceRounding, by: RuleSaying): string {
  const { t, format, currencyDivisor } = by;
  const ending = endingOf(rounding, currencyDivisor);
  const said = endingWords(ending, by);
  return rounding.direction === "UP" || ending === "none"
    ? said
    : joinParts([said, t(`priceRule.direction.${rounding.direction}`)], format.locale);
}

export function endingWords(
  ending: ReturnType<typeof endingOf>,
  { t, format, currencyDivisor }: Pick<RuleSaying, "t" | "format" | "currencyDivisor">,
): string {
  if (ending === undefined) {
    return t("priceRule.ends.own");
  }
  if (ending === "none" || (ending === "whole" && currencyDivisor >= 100)) {
    return t(`priceRule.ends.${ending}`);
  }
  const text = format.typedAmount(endingText(ending, currencyDivisor));
  return t("priceRule.ends.in", { ending: isolateAmount(text, format.locale) });
}

function profitWords({ minProfit, maxProfit }: PriceRule, by: RuleSaying): string[] {
  const { t } = by;
  return [
    ...(minProfit === undefined ? [] : [t("priceRule.least", { much: moneyOf(minProfit, by) })]),
    ...(maxProfit === undefined ? [] : [t("priceRule.most", { much: moneyOf(maxProfit, by) })]),
  ];
}

function lossWords({ belowCost }: PriceRule, by: RuleSaying): string[] {
  if (!belowCost) {
    return [];
  }
  const much = moneyOf(belowCost.maxLossPerSale, by);
  return [by.t("priceRule.loss", { much, date: endWords(belowCost.until, by.format) })];
}

function channelWords({ channel }: PriceRule, { t }: RuleSaying): string[] {
  return channel === "ANY" ? [] : [t(`priceRule.channel.${channel}`)];
}

function periodWords({ from, until }: PriceRule, { t, format }: RuleSaying): string[] {
  return [
    ...(from === undefined ? [] : [t("priceRule.from", { date: startWords(from, format) })]),
    ...(until === undefined ? [] : [t("priceRule.until", { date: endWords(until, format) })]),
  ];
}

/** Formats the day of a start, with the time unless the start is midnight. */
export function startWords(timestamp: string, format: Format): string {
  const at = Date.parse(timestamp);
  return format.isMidnight(at) ? format.date(at) : momentWords(at, format);
}

/** Formats the last day of a period, with the time if the period ends within a day. */
function endWords(timestamp: string, format: Format): string {
  const at = Date.parse(timestamp);
  return format.isMidnight(at) ? format.date(at - 1) : momentWords(at, format);
}

function momentWords(at: number, format: Format): string {
  return joinParts([format.date(at), format.time(at)], format.locale);
}

function moneyOf(minor: number, { format, currency, currencyDivisor }: RuleSaying): string {
  return format.moneyShort(minor, currency, currencyDivisor);
}

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
