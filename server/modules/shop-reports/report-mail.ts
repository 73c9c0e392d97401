import type { FigureMoney } from "../../contract/pos/figures.ts";
import type { Language } from "../../contract/pos/setup.ts";
import { trueMinus } from "../../contract/pos/true-minus.ts";
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
  const { currency, figures } = money;
  const format = new Intl.NumberFormat(language, { style: "currency", currency });
  const amount = (minor: number) => trueMinus(format.format(minor / money.currencyDivisor));
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
    ...takenBy(money, text).map(([name, minor]) => `${name}: ${amount(minor)}`),
    `${text.cashRounding}: ${amount(figures.cashRounding)}`,
    `${text.owed}: ${amount(figures.owed)}`,
    ...(stillOpen.length > 0 ? ["", `${text.stillOpen}: ${stillOpen.join(", ")}`] : []),
    ...(report.fault === undefined ? [] : ["", `${text.noFile}: ${report.fault}`]),
  ];
  return { subject: `${shopName}${isTest}: ${scheduleName}, ${days}`, body: lines.join("\n") };
}

/** What was taken, net of what was handed back, by each tender; a kind that has none has nothing. */
function takenBy(
  { byTender, taken, refunded }: FigureMoney,
  words: Record<"cash" | "card" | "other", string>,
): [name: string, minor: number][] {
  const kinds = [
    ["CASH", "cash"],
    ["CARD", "card"],
    ["OTHER", "other"],
  ] as const;
  return kinds.flatMap(([kind, sum]): [string, number][] => {
    const each = byTender.filter((tender) => tender.kind === kind);
    return each.length > 0
      ? each.map((tender) => [tender.name ?? words[sum], tender.taken - tender.refunded])
      : [[words[sum], taken[sum] - refunded[sum]]];
  });
}
