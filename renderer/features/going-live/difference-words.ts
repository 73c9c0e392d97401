import type {
  EnvironmentDifference,
  EnvironmentDifferences,
} from "../../../server/contract/pos/environment-copy.ts";
import type { PriceRule } from "../../../server/contract/pos/prices.ts";
import type { ScheduleInput } from "../../../server/contract/pos/shop-reports.ts";
import type { WalletAlert } from "../../../server/contract/pos/wallet-office.ts";
import { isolateText, joinParts } from "../../lib/direction.ts";
import type { Translate } from "../../lib/i18n.ts";
import { offerTitle } from "../../lib/offer-title.ts";
import {
  pricingWords,
  type RuleSaying,
  settingSayer,
  targetWords,
} from "../../lib/price-rule-words.ts";
import type { Format } from "../../lib/use-format.ts";
import { kindsWords } from "../../lib/webhook-words.ts";

/** Formatting context with names from both environments' catalogs, and both currencies. */
export interface DifferenceSaying extends RuleSaying {
  readonly walletMoney: (minor: number) => string;
}

export function differenceSaying(
  differences: EnvironmentDifferences,
  t: Translate,
  format: Format,
): DifferenceSaying {
  const { currency, currencyDivisor, walletCurrency, walletCurrencyDivisor } = differences;
  const brands = new Map(differences.brands.map(({ brand, brandName }) => [brand, brandName]));
  const offers = new Map(differences.offers.map((offer) => [offer.offerId, offer]));
  return {
    t,
    format,
    currency,
    currencyDivisor,
    brandName: (brand) => brands.get(brand) ?? brand,
    offerName: (offerId) => {
      const offer = offers.get(offerId);
      return offer
        ? offerTitle(offer.brandName, format.contents(offer.title), format.locale)
        : offerId;
    },
    walletMoney: (minor) => format.money(minor, walletCurrency, walletCurrencyDivisor),
  };
}

export function titleOf(difference: EnvironmentDifference, saying: DifferenceSaying): string {
  const { t } = saying;
  const { rule, setting, target, family, webhook, schedule, number, kind } = difference;
  const ruled = rule?.from ?? rule?.to;
  if (ruled) {
    return targetWords(ruled, saying);
  }
  if (setting) {
    return t(`office.prices.setting.${setting}`);
  }
  if (target) {
    return targetWords({ target }, saying);
  }
  if (family) {
    return t(`family.${family}.several`);
  }
  if (webhook) {
    return webhook.url;
  }
  const scheduled = schedule?.from ?? schedule?.to;
  if (scheduled) {
    return scheduled.name;
  }
  if (number !== undefined) {
    return number;
  }
  return kind === "WALLET_ALERT"
    ? t("office.wallet.alert.title")
    : t("office.settings.sales.queue");
}

/** Returns undefined if the setting does not exist in that environment. */
export function sideOf(
  difference: EnvironmentDifference,
  side: "from" | "to",
  saying: DifferenceSaying,
): string | undefined {
  const { t } = saying;
  const { rule, setting, settings, shown, pins, alert, queueEnabled, webhook, schedule, name } =
    difference;
  const [ruled, listed, pinned] = [rule?.[side], settings?.[side], pins?.[side]];
  if (rule) {
    return ruled && ruleSide(ruled, saying);
  }
  if (setting && settings) {
    return listed && settingSayer(saying)(setting, listed);
  }
  if (shown) {
    const isShown = shown[side];
    return isShown === undefined ? undefined : t(`office.catalog.state.${isShown ? "ON" : "OFF"}`);
  }
  if (pins) {
    return pinned && pinned.length > 0 ? namesOf(pinned, saying) : undefined;
  }
  if (alert) {
    return alertWords(alert[side], saying);
  }
  if (queueEnabled) {
    return t(`office.live.copy.${queueEnabled[side] ? "on" : "off"}`);
  }
  if (webhook) {
    return side === "from" ? kindsWords(webhook.kinds, saying) : undefined;
  }
  return schedule ? scheduleWords(schedule[side], saying) : name?.[side];
}

export function namesOf(offerIds: readonly string[], saying: DifferenceSaying): string {
  const { locale } = saying.format;
  return joinParts(
    offerIds.map((offerId) => isolateText(saying.offerName(offerId), locale)),
    locale,
  );
}

function ruleSide(rule: PriceRule, saying: DifferenceSaying): string {
  const { t, format } = saying;
  return joinParts(
    [
      pricingWords(rule, saying),
      ...(rule.note ? [`“${isolateText(rule.note, format.locale)}”`] : []),
      ...(rule.class === "PROMOTION" ? [t("office.prices.rules.mark.promotion")] : []),
      ...(rule.enabled ? [] : [t("office.prices.rules.mark.off")]),
    ],
    format.locale,
  );
}

function alertWords(
  { lowAmount, lowHours }: WalletAlert = {},
  { t, format, walletMoney }: DifferenceSaying,
): string | undefined {
  const parts = [
    ...(lowAmount === undefined ? [] : [walletMoney(lowAmount)]),
    ...(lowHours === undefined
      ? []
      : [t("office.live.copy.hours", { number: format.number(lowHours) })]),
  ];
  return parts.length === 0 ? undefined : joinParts(parts, format.locale);
}

function scheduleWords(
  schedule: ScheduleInput | undefined,
  { t, format }: DifferenceSaying,
): string | undefined {
  if (!schedule) {
    return undefined;
  }
  const { kind, format: written, when, at, recipients, folder, enabled } = schedule;
  return joinParts(
    [
      t(`office.reports.of.${kind}`),
      t(`office.reports.as.${written}`),
      t(`office.reports.plan.times.${when}`, { time: at }),
      ...[...recipients, folder]
        .filter((part) => part !== "")
        .map((part) => isolateText(part, format.locale)),
      ...(enabled ? [] : [t("office.reports.plan.off")]),
    ],
    format.locale,
  );
}
