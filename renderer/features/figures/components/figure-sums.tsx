import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type {
  FigureBreakdown,
  FigureDimension,
  FigureSeries,
  Figures,
  PeriodKind,
} from "../../../../server/contract/pos/figures.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { hoursQuery, linesFile, partsQuery, periodsQuery } from "../api/figure-queries.ts";
import { changePercent } from "../comparison.ts";
import type { ShopDays } from "../figure-days.ts";
import { changeWords, daysWords, hourWords, moneyOf, periodWords } from "../figure-format.ts";
import {
  dimensionOf,
  type FigureView,
  type Grouping,
  searchOfDays,
  searchOfPart,
} from "../figure-search.ts";
import { sumByHour } from "../hour-sums.ts";
import { FileLink } from "./chart-panel.tsx";
import { DataTable } from "./data-table.tsx";
import cards from "./figure-card.module.css";
import { FigureCard } from "./figure-card.tsx";
import { figureColumns } from "./figure-columns.ts";
import { FigureIdentity } from "./figure-identity.tsx";
import { AwaitedFigures } from "./figures-page.tsx";
import classes from "./figures-screen.module.css";
import { PlaceLink } from "./place-link.tsx";
import { TillNames } from "./till-names.tsx";
import { useChartHeading } from "./use-chart-heading.ts";
import { usePartName } from "./use-part-name.ts";
import { WeekTable } from "./week-table.tsx";

interface FigureSumsProps {
  readonly days: ShopDays;
  readonly by: Grouping;
  /** Whether the person may change what a till is called. */
  readonly namesTills: boolean;
}

/** The sums of the days beside the same period before, and divided as the owner chose. */
export function FigureSums({ days, by, namesTills }: FigureSumsProps) {
  const kind = by === "WEEK" || by === "MONTH" ? by : "DAY";
  const series = useQuery(periodsQuery(days, kind));
  const dimension = dimensionOf(by);
  return (
    <AwaitedFigures query={series}>
      {(data) => (
        <>
          <Sums series={data} days={days} />
          <FigureIdentity figures={data.figures} unit={data} />
          <div className={classes.block}>
            {dimension ? <PartTable days={days} by={dimension} /> : null}
            {by === "HOUR" ? <HourTable days={days} /> : null}
            {!dimension && by !== "HOUR" ? <PeriodTable series={data} kind={kind} /> : null}
            <FileLink address={linesFile(days)} />
            {by === "TILL" && namesTills ? <TillNames /> : null}
          </div>
        </>
      )}
    </AwaitedFigures>
  );
}

interface SumCard {
  readonly figure: "sold" | "earned" | "tax" | "cost" | "discount" | "refunded" | "taken" | "owed";
  /** Where its rows are. */
  readonly view: FigureView;
}

const SUMS: readonly SumCard[] = [
  { figure: "sold", view: "sold" },
  { figure: "earned", view: "sold" },
  { figure: "cost", view: "sold" },
  { figure: "tax", view: "sold" },
  { figure: "discount", view: "sold" },
  { figure: "taken", view: "taken" },
  { figure: "refunded", view: "taken" },
  { figure: "owed", view: "money" },
];

interface SumsProps {
  readonly series: FigureSeries;
  readonly days: ShopDays;
}

/** Every figure with what it was before; each leads to its rows. */
function Sums({ series, days }: SumsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = moneyOf(format, series);
  const { figures: now, before } = series;
  const { figures: earlier } = before;
  const was = (value: string) => t("office.figures.beforeValue", { value });
  const change = (amount: number, was: number) =>
    changeWords(
      changePercent({ amount, of: now.sales }, { amount: was, of: earlier.sales }),
      t,
      format,
    );
  const placeOf = (view: FigureView) =>
    ({ section: "figures", search: { view, ...searchOfDays(days) } }) as const;
  return (
    <div className={classes.block}>
      <p className={classes.soft}>
        {t("office.figures.compared", {
          days: beforeWords(series, (period) => periodWords(period, period.until, t, format)),
        })}
      </p>
      <ul className={cards.cells}>
        {SUMS.map(({ figure, view }) => (
          <FigureCard
            key={figure}
            label={t(`office.figures.of.${figure}`)}
            value={money(now[figure])}
            base={[
              was(money(earlier[figure])),
              change(now[figure], earlier[figure]),
              ...(figure === "earned" ? [marginLine(now)] : []),
            ].filter((line) => line !== "–")}
            place={placeOf(view)}
          />
        ))}
        <FigureCard
          label={t("office.figures.of.sales")}
          value={format.number(now.sales)}
          base={[
            was(format.number(earlier.sales)),
            change(now.sales, earlier.sales),
            ...(now.average === undefined
              ? []
              : [
                  t("common.labelled", {
                    label: t("office.figures.of.average"),
                    value: money(now.average),
                  }),
                ]),
          ].filter((line) => line !== "–")}
          place={placeOf("taken")}
        />
      </ul>
    </div>
  );

  function marginLine({ marginPct }: Figures): string {
    return marginPct === undefined
      ? t("office.figures.few")
      : t("common.labelled", {
          label: t("office.figures.of.margin"),
          value: format.percent(marginPct),
        });
  }
}

/** The period before; of one that is not over, only as much is compared as has passed. */
function beforeWords(
  { before, madeAt, period }: FigureSeries,
  write: (period: FigureSeries["period"]) => string,
): string {
  const isPart = period.isUnfinished && Date.parse(period.from) <= Date.parse(madeAt);
  return write({ ...before.period, isUnfinished: isPart });
}

/** The hours of the days, and the same by weekday. */
function HourTable({ days }: { readonly days: ShopDays }) {
  const hours = useQuery(hoursQuery(days));
  const { t } = useTranslation();
  const format = useFormat();
  const label = t("office.figures.by.HOUR");
  const heading = useChartHeading(hours.data ?? { timeZone: "", dayStartsAt: 0, currency: "" });
  return (
    <AwaitedFigures query={hours}>
      {(data) => {
        const money = moneyOf(format, data);
        return (
          <>
            <DataTable
              label={label}
              rows={sumByHour(data.list)}
              keyOf={({ hour }) => String(hour)}
              columns={[
                { key: "hour", head: label, cell: ({ hour }) => hourWords(hour, format) },
                {
                  key: "sold",
                  head: t("office.figures.of.sold"),
                  cell: ({ sold }) => money(sold),
                  isNumber: true,
                },
                {
                  key: "earned",
                  head: t("office.figures.of.earned"),
                  cell: ({ earned }) => money(earned),
                  isNumber: true,
                },
                {
                  key: "sales",
                  head: t("office.figures.of.sales"),
                  cell: ({ sales }) => format.number(sales),
                  isNumber: true,
                },
              ]}
            />
            <WeekTable
              title={t("office.figures.week.caption")}
              period={heading(daysWords(days, t, format))}
              rows={data.list}
              unit={data}
              file={linesFile(days)}
            />
          </>
        );
      }}
    </AwaitedFigures>
  );
}

interface PartTableProps {
  readonly days: ShopDays;
  readonly by: FigureDimension;
}

type Row = FigureBreakdown["list"][number];

/** Families, brands, countries or people, most earned first, beside the period before; each leads to its lines. */
function PartTable({ days, by }: PartTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = useQuery(partsQuery(days, by));
  const nameOf = usePartName();
  const label = t(`office.figures.by.${by}`);
  return (
    <AwaitedFigures query={parts}>
      {(data) => {
        const money = moneyOf(format, data);
        if (data.list.length === 0) {
          return <p className={classes.soft}>{t("office.figures.empty")}</p>;
        }
        return (
          <DataTable
            label={label}
            rows={data.list}
            keyOf={({ value }) => value}
            columns={[
              {
                key: "value",
                head: label,
                cell: ({ value, name }: Row) => (
                  <PlaceLink
                    place={{
                      section: "figures",
                      search: {
                        view: "sold",
                        ...searchOfDays(days),
                        ...searchOfPart({ by, value }),
                      },
                    }}
                  >
                    {name || nameOf(by, value)}
                  </PlaceLink>
                ),
              },
              ...figureColumns<Row>({ figuresOf: ({ figures }) => figures, t, format, money }),
              {
                key: "before",
                head: t("office.figures.of.before"),
                cell: ({ before }) => money(before.sold),
                isNumber: true,
              },
              {
                key: "change",
                head: t("office.figures.of.change"),
                cell: ({ figures, before }) =>
                  changeWords(
                    changePercent(
                      { amount: figures.sold, of: figures.lines },
                      { amount: before.sold, of: before.lines },
                    ),
                    t,
                    format,
                  ),
                isNumber: true,
              },
            ]}
          />
        );
      }}
    </AwaitedFigures>
  );
}

interface PeriodTableProps {
  readonly series: FigureSeries;
  readonly kind: PeriodKind;
}

/** Days, weeks or months, the newest first; each leads to its lines. */
function PeriodTable({ series, kind }: PeriodTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = moneyOf(format, series);
  const label = t(`office.figures.by.${kind}`);
  return (
    <DataTable
      label={label}
      rows={series.list.toReversed()}
      keyOf={({ period }) => period.firstDay}
      columns={[
        {
          key: "period",
          head: label,
          cell: ({ period }) => (
            <>
              <PlaceLink
                place={{ section: "figures", search: { view: "sold", ...searchOfDays(period) } }}
              >
                {daysWords(period, t, format)}
              </PlaceLink>
              {period.isUnfinished ? ` (${t("office.figures.soFar")})` : null}
            </>
          ),
        },
        ...figureColumns<FigureSeries["list"][number]>({
          figuresOf: ({ figures }) => figures,
          t,
          format,
          money,
        }),
        {
          key: "sales",
          head: t("office.figures.of.sales"),
          cell: ({ figures }) => format.number(figures.sales),
          isNumber: true,
        },
        {
          key: "taken",
          head: t("office.figures.of.taken"),
          cell: ({ figures }) => money(figures.taken),
          isNumber: true,
        },
      ]}
    />
  );
}
