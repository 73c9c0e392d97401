import type { CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import type { FigureCharts } from "../../../../server/contract/pos/figures.ts";
import { directionOf, withoutIsolates } from "../../../lib/direction.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { moneyOf } from "../figure-format.ts";
import { searchOfDays, searchOfPart } from "../figure-search.ts";
import { ChartPanel } from "./chart-panel.tsx";
import { DataTable } from "./data-table.tsx";
import { figureColumns } from "./figure-columns.ts";
import classes from "./overview-charts.module.css";
import type { ChartsProps } from "./overview-props.ts";
import { type FigurePlace, PlaceLink } from "./place-link.tsx";

const DRAWN = 8;

type Brand = FigureCharts["brands"][number];

interface BrandBarsProps extends ChartsProps {
  readonly period: string;
  readonly file: string;
}

/** The brands that earned most; each leads to its lines. */
export function BrandBars({ charts, period, file }: BrandBarsProps) {
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
