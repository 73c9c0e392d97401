import { useTranslation } from "react-i18next";
import type { FigureSeries, PeriodKind } from "../../../../server/contract/pos/figures.ts";
import { DataTable } from "../../../components/data-table.tsx";
import { isolateText } from "../../../lib/direction.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { linesFile } from "../api/figure-queries.ts";
import { daysWords, moneyOf, shortAmount } from "../figure-format.ts";
import { BarChart } from "./bar-chart.tsx";

interface PeriodChartProps {
  readonly series: FigureSeries;
  readonly figure: "sold" | "earned";
  readonly kind: PeriodKind;
}

export function PeriodChart({ series, figure, kind }: PeriodChartProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = moneyOf(format, series);
  const title = t(`office.figures.chart.${figure}.${kind}`);
  const value = t(`office.figures.of.${figure}`);
  return (
    <BarChart
      title={title}
      unit={series.currency}
      names={{ value }}
      bars={series.list.map(({ period, figures }) => ({
        key: period.firstDay,
        label: isolateText(format.shopDay(period.firstDay), format.locale),
        value: figures[figure],
        isUnfinished: period.isUnfinished,
      }))}
      short={shortAmount(format, series)}
      full={money}
      file={linesFile(series.period)}
      table={
        <DataTable
          label={title}
          rows={series.list}
          keyOf={({ period }) => period.firstDay}
          columns={[
            {
              key: "day",
              head: t(`office.figures.by.${kind}`),
              cell: ({ period }) =>
                period.isUnfinished
                  ? `${daysWords(period, t, format)} (${t("office.figures.soFar")})`
                  : daysWords(period, t, format),
            },
            {
              key: figure,
              head: value,
              cell: ({ figures }) => money(figures[figure]),
              isNumber: true,
            },
          ]}
        />
      }
    />
  );
}
