import { Button, TextInput } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type FigureBreakdown,
  type FigureDimension,
  type FigureHours,
  type FigureSeries,
  type Figures,
  figureOperations,
  type LineFigures,
  type PeriodKind,
} from "../../../../server/contract/pos/figures.ts";
import type { DayClock } from "../../../../server/contract/pos/shop-day.ts";
import {
  LONGEST_TILL_NAME,
  type Till,
  tillOperations,
} from "../../../../server/contract/pos/tills.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Form } from "../../../components/form.tsx";
import { Trouble } from "../../../components/notice.tsx";
import { announce } from "../../../lib/announcer.ts";
import { call } from "../../../lib/api-client.ts";
import type { MoneyUnit } from "../../../lib/money.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { hoursQuery, linesFile, partsQuery, periodsQuery } from "../api/figure-queries.ts";
import type { ShopDays } from "../figure-days.ts";
import { daysWords, hourWords, moneyOf, zoneWords } from "../figure-format.ts";
import {
  dimensionOf,
  type FigureView,
  type Grouping,
  searchOfDays,
  searchOfPart,
} from "../figure-search.ts";
import { AwaitedFigures } from "./awaited-figures.tsx";
import { FileLink, WeekTable } from "./bar-chart.tsx";
import classes from "./figures-screen.module.css";
import { PeriodChart } from "./period-chart.tsx";
import { PlaceLink } from "./place-link.tsx";
import { FigureRow } from "./row-list.tsx";
import { usePartName } from "./use-part-name.ts";

interface HourSums {
  readonly hour: number;
  readonly sold: number;
  readonly earned: number;
  readonly sales: number;
}

/** Omits hours without sales. */
function sumByHour(rows: FigureHours["list"]): HourSums[] {
  return [...Map.groupBy(rows, ({ hour }) => hour)]
    .map(([hour, of]) => ({
      hour,
      sold: of.reduce((sum, { figures }) => sum + figures.sold, 0),
      earned: of.reduce((sum, { figures }) => sum + figures.earned, 0),
      sales: of.reduce((sum, { figures }) => sum + figures.sales, 0),
    }))
    .sort((a, b) => a.hour - b.hour);
}

interface FigureSumsProps {
  readonly days: ShopDays;
  readonly by: Grouping;
  readonly day: DayClock;
  readonly figure: "sold" | "earned";
  readonly namesTills: boolean;
}

export function FigureSums({ days, by, day, figure, namesTills }: FigureSumsProps) {
  const kind = by === "WEEK" || by === "MONTH" ? by : "DAY";
  const series = useQuery(periodsQuery(days, kind));
  const dimension = dimensionOf(by);
  return (
    <AwaitedFigures query={series} height="30rem">
      {(data) => (
        <>
          <Sums series={data} days={days} />
          <PeriodChart series={data} figure={figure} kind={kind} />
          {dimension ? <PartTable days={days} by={dimension} whole={data.figures} /> : null}
          {by === "HOUR" ? <HourTable days={days} zone={day} /> : null}
          {!dimension && by !== "HOUR" ? <PeriodTable series={data} kind={kind} /> : null}
          <div className="row wrap justify-between gap-1-4">
            <Balance figures={data.figures} unit={data} zone={day} />
            <FileLink address={linesFile(days)} />
          </div>
          {by === "TILL" && namesTills ? <TillNames /> : null}
        </>
      )}
    </AwaitedFigures>
  );
}

interface BalanceProps {
  readonly figures: Figures;
  readonly unit: MoneyUnit;
  readonly zone: DayClock;
}

/** Shows that sales, refunds due and cash rounding equal payments and owed amounts. */
export function Balance({ figures, unit, zone }: BalanceProps) {
  const { t } = useTranslation();
  const money = moneyOf(useFormat(), unit);
  return (
    <p className="flex items-start gap-2 soft size-caption">
      <IconCircleCheck className={classes.balanced} size="1rem" aria-hidden="true" />
      {t("office.figures.balanced", {
        sold: money(figures.sold),
        refundsDue: money(figures.refundsDue),
        cashRounding: money(figures.cashRounding),
        taken: money(figures.taken),
        owed: money(figures.owed),
        zone: zoneWords(zone, t),
      })}
    </p>
  );
}

interface SumsProps {
  readonly series: FigureSeries;
  readonly days: ShopDays;
}

function Sums({ series, days }: SumsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = moneyOf(format, series);
  const { figures: now, before } = series;
  const { figures: earlier } = before;
  const { firstDay, lastDay } = before.period;
  const earlierDays = [...new Set([firstDay, lastDay])].map((day) => format.shopDay(day));
  const versus =
    earlier.sales === 0 ? "" : t("office.figures.versus", { days: earlierDays.join(" – ") });
  const compared = (figure: "sold" | "earned" | "sales") =>
    [
      { amount: now[figure], of: now.sales },
      { amount: earlier[figure], of: earlier.sales },
    ] as const;
  const rows = (view: FigureView) =>
    ({ section: "reports", search: { view, ...searchOfDays(days) } }) as const;
  return (
    <FigureRow
      label={t("office.overview.figures")}
      figures={[
        {
          label: t("office.figures.of.sold"),
          value: money(now.sold),
          change: compared("sold"),
          base: versus,
          place: rows("sold"),
        },
        {
          label: t("office.figures.of.earned"),
          value: money(now.earned),
          change: compared("earned"),
          base:
            now.marginPct === undefined
              ? versus
              : t("office.overview.margin", { percent: format.percent(now.marginPct) }),
          place: rows("sold"),
        },
        {
          label: t("office.figures.of.sales"),
          value: format.number(now.sales),
          change: compared("sales"),
          base:
            now.average === undefined
              ? versus
              : t("office.overview.average", { amount: money(now.average) }),
          place: rows("taken"),
        },
        {
          label: t("office.figures.of.refundsDue"),
          value: money(now.refundsDue),
          base: t("office.figures.notInSold"),
          place: rows("owed"),
        },
      ]}
    />
  );
}

interface HourTableProps {
  readonly days: ShopDays;
  readonly zone: DayClock;
}

function HourTable({ days, zone }: HourTableProps) {
  const hours = useQuery(hoursQuery(days));
  const { t } = useTranslation();
  const format = useFormat();
  const label = t("office.figures.by.HOUR");
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
              period={`${daysWords(days, t, format)} · ${zoneWords(zone, t)}`}
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
  readonly whole: Figures;
}

type Part = FigureBreakdown["list"][number];

/** Largest profit first. */
function PartTable({ days, by, whole }: PartTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = useQuery(partsQuery(days, by));
  const nameOf = usePartName();
  const columnsOf = useSumColumns();
  const label = t(`office.figures.by.${by}`);
  // Sales at a till have no key.
  const totalOf = (list: readonly Part[]) => (by === "KEY" ? sumParts(list) : whole);
  return (
    <AwaitedFigures query={parts}>
      {(data) =>
        data.list.length === 0 ? (
          <p className="soft">{t("office.figures.empty")}</p>
        ) : (
          <DataTable
            label={label}
            rows={data.list}
            keyOf={({ value }) => value}
            columns={[
              {
                key: "value",
                head: label,
                cell: ({ value, name }: Part) => (
                  <PlaceLink
                    place={{
                      section: "reports",
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
                total: t("office.figures.total"),
              },
              {
                key: "lines",
                head: t("office.figures.of.lines"),
                cell: ({ figures }) => format.number(figures.lines),
                isNumber: true,
                total: format.number(totalOf(data.list).lines),
              },
              ...columnsOf<Part>(({ figures }) => figures, totalOf(data.list), data),
            ]}
          />
        )
      }
    </AwaitedFigures>
  );
}

function sumParts(list: readonly Part[]): LineFigures {
  const sum = (of: Exclude<keyof LineFigures, "marginPct">) =>
    list.reduce((total, { figures }) => total + figures[of], 0);
  return {
    lines: sum("lines"),
    linesFailed: sum("linesFailed"),
    discount: sum("discount"),
    sold: sum("sold"),
    tax: sum("tax"),
    cost: sum("cost"),
    earned: sum("earned"),
  };
}

function useSumColumns() {
  const { t } = useTranslation();
  const format = useFormat();
  return <Row,>(
    figuresOf: (row: Row) => LineFigures,
    whole: LineFigures,
    unit: MoneyUnit,
  ): Column<Row>[] => {
    const money = moneyOf(format, unit);
    const percent = ({ marginPct }: LineFigures) =>
      marginPct === undefined ? "–" : format.percent(marginPct);
    const amount = (figure: "sold" | "tax" | "cost" | "earned"): Column<Row> => ({
      key: figure,
      head: t(`office.figures.of.${figure}`),
      cell: (row) => money(figuresOf(row)[figure]),
      isNumber: true,
      total: money(whole[figure]),
    });
    return [
      amount("sold"),
      ...(whole.tax === 0 ? [] : [amount("tax")]),
      amount("cost"),
      amount("earned"),
      {
        key: "margin",
        head: t("office.figures.of.margin"),
        cell: (row) => percent(figuresOf(row)),
        isNumber: true,
        total: percent(whole),
      },
    ];
  };
}

interface PeriodTableProps {
  readonly series: FigureSeries;
  readonly kind: PeriodKind;
}

type Period = FigureSeries["list"][number];

/** Newest first. */
function PeriodTable({ series, kind }: PeriodTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const columnsOf = useSumColumns();
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
          cell: ({ period }: Period) => (
            <>
              <PlaceLink
                place={{ section: "reports", search: { view: "sold", ...searchOfDays(period) } }}
              >
                {daysWords(period, t, format)}
              </PlaceLink>
              {period.isUnfinished ? ` (${t("office.figures.soFar")})` : null}
            </>
          ),
          total: t("office.figures.total"),
        },
        {
          key: "sales",
          head: t("office.figures.of.sales"),
          cell: ({ figures }) => format.number(figures.sales),
          isNumber: true,
          total: format.number(series.figures.sales),
        },
        ...columnsOf<Period>(({ figures }) => figures, series.figures, series),
      ]}
    />
  );
}

function TillNames() {
  const { t } = useTranslation();
  const tills = useQuery({ ...operationQuery(tillOperations.list) });
  if (!tills.data || tills.data.list.length === 0) return null;
  return (
    <section className="stack gap-3" aria-label={t("office.figures.tills.title")}>
      <h2 className="size-label">{t("office.figures.tills.title")}</h2>
      <p className="soft">{t("office.figures.tills.hint")}</p>
      {tills.data.list.map((till) => (
        <TillName key={till.tillId} till={till} />
      ))}
    </section>
  );
}

function TillName({ till }: { readonly till: Till }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [name, setName] = useState(till.name);
  const save = useMutation({
    mutationFn: () =>
      call(tillOperations.rename, { params: { tillId: till.tillId }, body: { name } }),
    onSuccess: async () => {
      announce(t("office.figures.tills.saved"));
      await invalidateAnswers(queryClient, [
        tillOperations.list,
        figureOperations.listParts,
        figureOperations.listLines,
      ]);
    },
  });
  const isChanged = name.trim() !== "" && name.trim() !== till.name;
  const label = t("office.figures.tills.name", { till: till.name });
  return (
    <Form
      className={classes.range}
      onSubmit={() => {
        if (isChanged) save.mutate();
      }}
    >
      <TextInput
        label={till.isHere ? `${label} (${t("office.figures.tills.here")})` : label}
        maxLength={LONGEST_TILL_NAME}
        dir="auto"
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
        {t("office.figures.tills.save")}
      </Button>
      <Trouble error={save.error} />
    </Form>
  );
}
