import type { ZReportPrint } from "../../../../server/contract/pos/shifts.ts";
import { directionOf } from "../../../lib/direction.ts";
import type { Translate } from "../../../lib/i18n.ts";
import { formatMoney, formatNumber } from "../../../lib/money.ts";
import { pickLocale } from "../../../lib/use-format.ts";
import { type FigureFormat, reportSections, varianceWords } from "../shift-sections.ts";
import classes from "./z-report-paper.module.css";

interface ZReportPaperProps {
  readonly print: ZReportPrint;
  /** The words of the report's own language, whatever the till's is. */
  readonly t: Translate;
  /** Millimetres. */
  readonly paperWidth: number;
}

/** A Z report as it leaves the printer, black on white. */
export function ZReportPaper({ print, t, paperWidth }: ZReportPaperProps) {
  const { report, language } = print;
  const { shift, figures } = report;
  const locale = pickLocale(language, shift.currency, navigator.languages);
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const write = (timestamp: string) => moment.format(new Date(timestamp));
  const format: FigureFormat = {
    t,
    money: (minor) => formatMoney(minor, shift.currency, shift.currencyDivisor, { locale }),
    wallet: (minor) =>
      formatMoney(minor, figures.walletCurrency, figures.walletCurrencyDivisor, {
        locale,
        style: figures.walletCurrency === shift.currency ? "symbol" : "code",
      }),
    number: (value) => formatNumber(value, locale),
  };
  const names = { name: report.closedBy.name, seller: shift.staff.name };
  return (
    <article
      className={classes.paper}
      style={{ width: `${paperWidth}mm` }}
      data-narrow={paperWidth < 70}
      data-sheet={paperWidth > 100}
      lang={language}
      dir={directionOf(language)}
    >
      {shift.environment === "test" ? (
        <p className={classes.banner}>{t("header.testMode")}</p>
      ) : null}
      {print.copy ? (
        <p className={classes.banner}>{t("shift.z.copy", { number: print.copyNumber })}</p>
      ) : null}
      <header className={classes.head}>
        <h1>{print.shopName}</h1>
        <h2>{t("shift.z.title", { number: report.zNumber })}</h2>
        <p>{shift.staff.name}</p>
        <p>{t("shift.z.period", { from: write(shift.openedAt), to: write(report.closedAt) })}</p>
        <p>{t(report.forced ? "shift.z.forced" : "shift.z.closedBy", names)}</p>
      </header>
      <p className={classes.variance}>{varianceWords(report, format)}</p>
      {reportSections(report, format).map(({ title, rows }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl>
            {rows.map(({ key, label, value }) => (
              <div key={key}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </article>
  );
}
