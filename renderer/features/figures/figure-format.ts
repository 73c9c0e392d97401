import { trueMinus } from "../../../server/contract/pos/money-text.ts";
import type { DayClock } from "../../../server/contract/pos/shop-day.ts";
import { isolateText } from "../../lib/direction.ts";
import type { Translate } from "../../lib/i18n.ts";
import type { MoneyUnit } from "../../lib/money.ts";
import { timeOfDay } from "../../lib/time-format.ts";
import type { Format } from "../../lib/use-format.ts";
import type { ShopDays } from "./figure-days.ts";

export function zoneWords({ timeZone, dayStartsAt }: DayClock, t: Translate): string {
  return dayStartsAt === 0
    ? timeZone
    : t("office.figures.zoneFrom", { zone: timeZone, time: timeOfDay(dayStartsAt) });
}

export function moneyOf(format: Format, { currency, currencyDivisor }: MoneyUnit) {
  return (minor: number) => format.money(minor, currency, currencyDivisor);
}

/** Formats an amount as "1.2K". The chart shows the currency once. */
export function shortAmount(format: Format, { currencyDivisor }: MoneyUnit) {
  const short = new Intl.NumberFormat(format.locale, {
    notation: "compact",
    maximumFractionDigits: 1,
  });
  return (minor: number) =>
    isolateText(trueMinus(short.format(minor / currencyDivisor)), format.locale);
}

/** Formats days: "1 Nov 2026 – 30 Nov 2026", or a single day. */
export function daysWords({ firstDay, lastDay }: ShopDays, t: Translate, format: Format): string {
  const [from, to] = [format.shopDate(firstDay), format.shopDate(lastDay)];
  return from === to ? from : t("office.figures.days", { from, to });
}

/** @param weekday 0 for Monday */
export function weekdayWords(weekday: number, format: Format): string {
  // 1970-01-05 was a Monday.
  return new Intl.DateTimeFormat(format.locale, { weekday: "short", timeZone: "UTC" }).format(
    (4 + weekday) * 86_400_000,
  );
}

export function hourWords(hour: number, format: Format): string {
  const style = new Intl.DateTimeFormat(format.locale, { hour: "numeric", timeZone: "UTC" });
  return isolateText(style.format(hour * 3_600_000), format.locale);
}

/** Includes the sign, because colours and arrows are easily overlooked. */
export function changeWords(percent: number, t: Translate, format: Format): string {
  if (percent === 0) return t("office.figures.same");
  const amount = format.percent(Math.abs(percent));
  return t(percent > 0 ? "office.figures.more" : "office.figures.less", { percent: amount });
}
