import type { ZReportPrint } from "../../../server/contract/pos/shifts.ts";
import type { Translate } from "../../lib/i18n.ts";
import { formatMoney, formatNumber, formatTaxRate } from "../../lib/money.ts";
import { pickLocale } from "../../lib/use-format.ts";
import { varianceWords } from "../../lib/variance-words.ts";
import {
  expectedRows,
  type FigureFormat,
  figureSections,
  owedSections,
  reportSections,
  type Section,
} from "./shift-sections.ts";
import type { WholeX } from "./whole-x.ts";

export interface ReportText {
  readonly language: string;
  readonly banners: readonly string[];
  readonly shopName: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly verdict?: string;
  readonly sections: readonly Section[];
}

export interface ReportShop {
  readonly shopName: string;
  readonly language: string;
  readonly timeZone: string;
}

export function zReportText(print: ZReportPrint, timeZone: string, t: Translate): ReportText {
  const { report, copy, copyNumber } = print;
  const { shift } = report;
  const { format, moment } = formatOf(report, { ...print, timeZone }, t);
  const names = { name: report.closedBy.name, seller: shift.staff.name };
  return {
    language: print.language,
    banners: [
      ...testBanner(report, t),
      ...(copy ? [t("shift.z.copy", { number: copyNumber })] : []),
    ],
    shopName: print.shopName,
    title: t("shift.z.title", { number: report.zNumber }),
    lines: [
      shift.staff.name,
      t("shift.z.period", { from: moment(shift.openedAt), to: moment(report.closedAt) }),
      t(report.forced ? "shift.z.forced" : "shift.z.closedBy", names),
    ],
    verdict: varianceWords(report.variance, t, format.money),
    sections: reportSections(report, format),
  };
}

export function xReportText(x: WholeX, shop: ReportShop, t: Translate): ReportText {
  const { shift, figures, expectedCash } = x;
  const { format, moment } = formatOf(x, shop, t);
  return {
    language: shop.language,
    banners: testBanner(x, t),
    shopName: shop.shopName,
    title: t("shift.x.title"),
    lines: [
      shift.staff.name,
      t("shift.z.period", { from: moment(shift.openedAt), to: moment(x.at) }),
    ],
    sections: [
      ...figureSections(figures, shift.float, format, expectedRows(expectedCash, format)),
      ...owedSections(x.owed, format),
    ],
  };
}

type Reported = Pick<WholeX, "shift" | "figures">;

function testBanner({ shift }: Reported, t: Translate): string[] {
  return shift.environment === "test" ? [t("header.testMode")] : [];
}

function formatOf(
  { shift, figures }: Reported,
  { language, timeZone }: ReportShop,
  t: Translate,
): { format: FigureFormat; moment: (timestamp: string) => string } {
  const { currency, currencyDivisor } = shift;
  const locale = pickLocale(language, currency, navigator.languages);
  const times = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone,
  });
  return {
    moment: (timestamp) => times.format(new Date(timestamp)),
    format: {
      t,
      money: (minor) => formatMoney(minor, currency, currencyDivisor, { locale }),
      wallet: (minor) =>
        formatMoney(minor, figures.walletCurrency, figures.walletCurrencyDivisor, {
          locale,
          style: figures.walletCurrency === currency ? "symbol" : "code",
        }),
      number: (value) => formatNumber(value, locale),
      taxRate: (rate) => formatTaxRate(rate, locale),
    },
  };
}
