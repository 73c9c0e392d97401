import { useTranslation } from "react-i18next";
import type { FigureCharts } from "../../../../server/contract/pos/figures.ts";
import { isolateText } from "../../../lib/direction.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { linesFile } from "../api/figure-queries.ts";
import { daysWords, hourWords, moneyOf, shortAmount } from "../figure-format.ts";
import { clockHour } from "../shop-clock.ts";
import { BarChart } from "./bar-chart.tsx";
import { BrandBars } from "./brand-bars.tsx";
import { ChartPanel } from "./chart-panel.tsx";
import { DataTable } from "./data-table.tsx";
import { FloatPanel } from "./float-panel.tsx";
import classes from "./overview-charts.module.css";
import type { ChartsProps } from "./overview-props.ts";
import { useChartHeading } from "./use-chart-heading.ts";
import { WeekTable } from "./week-table.tsx";

/** The five charts of the first page, each with its table. */
export function OverviewCharts({ charts }: ChartsProps) {
  const { t } = useTranslation();
  const heading = useChartHeading(charts);
  const month = daysOf(charts);
  const period = heading(daysWords(month, t, useFormat()));
  return (
    <section className={classes.section}>
      <h2 className={classes.heading}>{t("office.overview.charts.title")}</h2>
      <div className={classes.grid}>
        <HoursPanel charts={charts} />
        <DaysPanel charts={charts} figure="sold" />
        <DaysPanel charts={charts} figure="earned" />
        <BrandBars charts={charts} period={period} file={linesFile(month)} />
        <FloatPanel charts={charts} />
        <WeekPanel charts={charts} />
      </div>
    </section>
  );
}

/** The days that the charts are of, from the first to today. */
function daysOf({ days }: FigureCharts) {
  return { firstDay: days[0]?.day ?? "", lastDay: days.at(-1)?.day ?? "" };
}

function HoursPanel({ charts }: ChartsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const heading = useChartHeading(charts);
  const money = moneyOf(format, charts);
  const { lastDay } = daysOf(charts);
  const today = { firstDay: lastDay, lastDay };
  const hourNow = clockHour(charts.madeAt, charts.timeZone);
  const names = { value: t("office.figures.of.sold"), usual: t("office.overview.charts.usual") };
  return (
    <ChartPanel
      isWide
      title={t("office.overview.charts.hours")}
      period={heading(
        t("office.figures.until", {
          days: daysWords(today, t, format),
          time: format.time(charts.madeAt),
        }),
      )}
      legend={[
        { sign: "bar", words: names.value },
        { sign: "hatched", words: t("office.figures.hatched") },
        { sign: "line", words: names.usual },
      ]}
      file={linesFile(today)}
      table={
        <DataTable
          label={t("office.overview.charts.hours")}
          rows={charts.hours}
          keyOf={({ hour }) => String(hour)}
          columns={[
            {
              key: "hour",
              head: t("office.figures.by.HOUR"),
              cell: ({ hour }) =>
                hour === hourNow
                  ? `${hourWords(hour, format)} (${t("office.figures.soFar")})`
                  : hourWords(hour, format),
            },
            { key: "sold", head: names.value, cell: ({ sold }) => money(sold), isNumber: true },
            { key: "usual", head: names.usual, cell: ({ usual }) => money(usual), isNumber: true },
          ]}
        />
      }
    >
      <BarChart
        points={charts.hours.map(({ hour, sold, usual }) => ({
          key: String(hour),
          label: hourWords(hour, format),
          value: sold,
          usual,
          isUnfinished: hour === hourNow,
        }))}
        short={shortAmount(format, charts)}
        full={money}
        names={names}
      />
    </ChartPanel>
  );
}

/** Thirty days of one figure: sold and earned have a panel each, since one would hide the other. */
function DaysPanel({ charts, figure }: ChartsProps & { readonly figure: "sold" | "earned" }) {
  const { t } = useTranslation();
  const format = useFormat();
  const heading = useChartHeading(charts);
  const money = moneyOf(format, charts);
  const days = daysOf(charts);
  const value = t(`office.figures.of.${figure}`);
  return (
    <ChartPanel
      title={t(`office.overview.charts.${figure}`)}
      period={heading(daysWords(days, t, format))}
      legend={[
        { sign: "bar", words: value },
        { sign: "hatched", words: t("office.figures.hatched") },
      ]}
      file={linesFile(days)}
      table={
        <DataTable
          label={t(`office.overview.charts.${figure}`)}
          rows={charts.days}
          keyOf={({ day }) => day}
          columns={[
            {
              key: "day",
              head: t("office.figures.by.DAY"),
              cell: ({ day }) =>
                day === days.lastDay
                  ? `${format.shopDate(day)} (${t("office.figures.soFar")})`
                  : format.shopDate(day),
            },
            { key: figure, head: value, cell: (row) => money(row[figure]), isNumber: true },
          ]}
        />
      }
    >
      <BarChart
        points={charts.days.map((row) => ({
          key: row.day,
          label: isolateText(format.shopDay(row.day), format.locale),
          value: row[figure],
          isUnfinished: row.day === days.lastDay,
        }))}
        short={shortAmount(format, charts)}
        full={money}
        names={{ value }}
      />
    </ChartPanel>
  );
}

/** A table from the beginning: each cell has its figure, and its colour says the same. */
function WeekPanel({ charts }: ChartsProps) {
  const { t } = useTranslation();
  const heading = useChartHeading(charts);
  const format = useFormat();
  const weeks = charts.days.slice(-28);
  const days = { firstDay: weeks[0]?.day ?? "", lastDay: weeks.at(-1)?.day ?? "" };
  return (
    <WeekTable
      title={t("office.overview.charts.week")}
      period={heading(daysWords(days, t, format))}
      rows={charts.week}
      unit={charts}
      file={linesFile(days)}
    />
  );
}
