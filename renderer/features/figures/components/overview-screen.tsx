import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useId } from "react";
import { useTranslation } from "react-i18next";
import {
  Bar,
  ComposedChart,
  Line,
  Rectangle,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
} from "recharts";
import type { FigureCharts } from "../../../../server/contract/pos/figures.ts";
import type { DayClock } from "../../../../server/contract/pos/shop-day.ts";
import { directionOf, isolateText, withoutIsolates } from "../../../lib/direction.ts";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { chartsQuery, firstPageQuery, linesFile } from "../api/figure-queries.ts";
import { daysWords, hourWords, moneyOf, shortAmount, zoneWords } from "../figure-format.ts";
import { searchOfDays, searchOfPart } from "../figure-search.ts";
import { clockHour } from "../shop-clock.ts";
import { ChartAxes } from "./chart-axes.tsx";
import { ChartPanel } from "./chart-panel.tsx";
import { ChartTip } from "./chart-tip.tsx";
import { DataTable } from "./data-table.tsx";
import { figureColumns } from "./figure-columns.ts";
import { AwaitedFigures, FiguresPage } from "./figures-page.tsx";
import { FloatPanel } from "./float-panel.tsx";
import classes from "./overview-charts.module.css";
import { OverviewFigures } from "./overview-figures.tsx";
import type { ChartsProps } from "./overview-props.ts";
import { type FigurePlace, PlaceLink, WaysContext } from "./place-link.tsx";
import { useChartHeading } from "./use-chart-heading.ts";
import { WeekTable } from "./week-table.tsx";

const DRAWN = 8;

interface OverviewScreenProps {
  readonly day: DayClock;
  /** Whether the person has the screens of the till. */
  readonly hasTill: boolean;
  readonly onOpen: OfficeSectionProps["onOpen"];
}

/** The owner's first page: can we sell, is the money there, did we earn, what needs me. */
export function OverviewScreen({ day, hasTill, onOpen }: OverviewScreenProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const page = useQuery(firstPageQuery());
  const charts = useQuery(chartsQuery());
  const madeAt = page.data?.madeAt;
  const time = madeAt ? `${format.dayLong(madeAt)}, ${format.time(madeAt)}` : undefined;
  return (
    <WaysContext value={{ open: onOpen, hasTill }}>
      <FiguresPage
        section="overview"
        environment={page.data?.environment}
        lead={time && t("office.figures.asOf", { time, zone: zoneWords(day, t) })}
      >
        <AwaitedFigures query={page}>{(data) => <OverviewFigures page={data} />}</AwaitedFigures>
        <AwaitedFigures query={charts}>{(data) => <OverviewCharts charts={data} />}</AwaitedFigures>
      </FiguresPage>
    </WaysContext>
  );
}

/** The five charts of the first page, each with its table. */
function OverviewCharts({ charts }: ChartsProps) {
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

/** What a bar shows, in minor units. */
interface BarPoint {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** What it usually is, as a line over the bars. */
  readonly usual?: number;
  /** Hatched: there is more to come. */
  readonly isUnfinished?: boolean;
}

interface BarChartProps {
  readonly points: readonly BarPoint[];
  readonly height?: number;
  /** An amount on the axis, and one that is pointed at. */
  readonly short: (minor: number) => string;
  readonly full: (minor: number) => string;
  readonly names: { readonly value: string; readonly usual?: string };
}

/** Bars over time; the first stands where the language begins. */
function BarChart({ points, height = 208, short, full, names }: BarChartProps) {
  const hatch = `hatch${useId().replaceAll(/\W/g, "")}`;
  return (
    <ResponsiveContainer width="100%" height={height} minWidth={0}>
      <ComposedChart
        data={[...points]}
        accessibilityLayer={false}
        margin={{ top: 8, right: 4, bottom: 0, left: 4 }}
      >
        <defs>
          <pattern
            id={hatch}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="3" height="6" fill="var(--accent-text)" />
          </pattern>
        </defs>
        <ChartAxes short={short} />
        <ReferenceLine y={0} stroke="var(--line-strong)" />
        <Tooltip
          cursor={{ fill: "var(--sunken)" }}
          isAnimationActive={false}
          content={<ChartTip write={full} names={names} />}
        />
        <Bar
          dataKey="value"
          isAnimationActive={false}
          maxBarSize={36}
          shape={({ x, y, width, height: tall, payload }) => (
            <Rectangle
              x={x}
              y={y}
              width={width}
              height={tall}
              radius={[3, 3, 0, 0]}
              stroke="var(--accent-text)"
              fill={isUnfinished(payload) ? `url(#${hatch})` : "var(--accent-text)"}
            />
          )}
        />
        {names.usual ? (
          <Line
            dataKey="usual"
            type="step"
            stroke="var(--wait)"
            strokeWidth={2}
            strokeDasharray="5 4"
            dot={false}
            activeDot={false}
            isAnimationActive={false}
          />
        ) : null}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

function isUnfinished(payload: unknown): boolean {
  return (
    typeof payload === "object" &&
    payload !== null &&
    "isUnfinished" in payload &&
    payload.isUnfinished === true
  );
}

type Brand = FigureCharts["brands"][number];

interface BrandBarsProps extends ChartsProps {
  readonly period: string;
  readonly file: string;
}

/** The brands that earned most; each leads to its lines. */
function BrandBars({ charts, period, file }: BrandBarsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = moneyOf(format, charts);
  const most = Math.max(1, ...charts.brands.map(({ figures }) => figures.earned));
  const title = t("office.overview.charts.brands");
  return (
    <ChartPanel
      title={title}
      period={period}
      file={file}
      table={<BrandTable charts={charts} title={title} />}
    >
      {charts.brands.length === 0 ? (
        <p className={classes.none}>{t("office.overview.charts.none")}</p>
      ) : (
        <ol className={classes.bars} dir={directionOf(format.locale)}>
          {charts.brands.slice(0, DRAWN).map((row) => (
            <li key={row.brand} className={classes.bar}>
              <bdi>{withoutIsolates(nameOf(row))}</bdi>
              <span className={classes.track}>
                <span className={classes.fill} style={partOf(row.figures.earned, most)} />
              </span>
              <bdi>{money(row.figures.earned)}</bdi>
            </li>
          ))}
        </ol>
      )}
    </ChartPanel>
  );
}

/** The same and more as a table; each brand leads to its lines. */
function BrandTable({ charts, title }: ChartsProps & { readonly title: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const days = searchOfDays({
    firstDay: charts.days[0]?.day ?? "",
    lastDay: charts.days.at(-1)?.day ?? "",
  });
  const placeOf = (value: string): FigurePlace => ({
    section: "figures",
    search: { view: "sold", ...days, ...searchOfPart({ by: "BRAND", value }) },
  });
  return (
    <DataTable
      label={title}
      rows={charts.brands}
      keyOf={({ brand }) => brand}
      columns={[
        {
          key: "brand",
          head: t("office.figures.by.BRAND"),
          cell: (row) => <PlaceLink place={placeOf(row.brand)}>{nameOf(row)}</PlaceLink>,
        },
        ...figureColumns<Brand>({
          figuresOf: ({ figures }) => figures,
          t,
          format,
          money: moneyOf(format, charts),
        }),
      ]}
    />
  );
}

function nameOf({ brand, name }: Brand): string {
  return name || brand;
}

/** As long as its part of the largest; a loss has no bar, and its figure stands beside it. */
function partOf(amount: number, most: number): CSSProperties {
  return { "--part": `${Math.max(0, (amount * 100) / most)}%` } as CSSProperties;
}
