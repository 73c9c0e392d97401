import type { FigureMoney } from "../../contract/pos/figures.ts";
import type { Language } from "../../contract/pos/setup.ts";
import words from "./report-mail-words.json" with { type: "json" };
import type { StoredShopReport } from "./shop-report-store.ts";

interface ReportMail {
  language: Language;
  shopName: string;
  scheduleName: string;
  report: StoredShopReport;
  money: FigureMoney;
  /** Whose shift is still open, where the mail goes all the same. */
  stillOpen: readonly string[];
}

/** The mail that a report goes with: what it is, of which days, and the figures that matter most. */
export function composeMail(mail: ReportMail): { subject: string; body: string } {
  const { language, shopName, scheduleName, report, money, stillOpen } = mail;
  const text = words[language];
  const { currency, figures, taken, refunded } = money;
  const format = new Intl.NumberFormat(language, { style: "currency", currency });
  const amount = (minor: number) => format.format(minor / money.currencyDivisor);
  const { firstDay, lastDay } = report;
  const days = firstDay === lastDay ? firstDay : `${firstDay} – ${lastDay}`;
  const isTest = report.environment === "test" ? ` (${text.test})` : "";
  const lines = [
    `${shopName}${isTest}`,
    `${scheduleName}: ${days} (${money.timeZone})`,
    "",
    `${text.sales}: ${figures.sales}`,
    `${text.sold}: ${amount(figures.sold)}`,
    `${text.tax}: ${amount(figures.tax)}`,
    `${text.earned}: ${amount(figures.earned)}`,
    `${text.cash}: ${amount(taken.cash - refunded.cash)}`,
    `${text.card}: ${amount(taken.card - refunded.card)}`,
    `${text.other}: ${amount(taken.other - refunded.other)}`,
    `${text.cashRounding}: ${amount(figures.cashRounding)}`,
    `${text.owed}: ${amount(figures.owed)}`,
    ...(stillOpen.length > 0 ? ["", `${text.stillOpen}: ${stillOpen.join(", ")}`] : []),
    ...(report.fault === undefined ? [] : ["", `${text.noFile}: ${report.fault}`]),
  ];
  return { subject: `${shopName}${isTest}: ${scheduleName}, ${days}`, body: lines.join("\n") };
}
