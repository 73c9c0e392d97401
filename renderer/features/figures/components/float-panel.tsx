import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Area, AreaChart, ResponsiveContainer, Tooltip } from "recharts";
import { isolateText } from "../../../lib/direction.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { firstPageQuery } from "../api/figure-queries.ts";
import { daysWords, moneyOf, shortAmount } from "../figure-format.ts";
import { ChartAxes } from "./chart-axes.tsx";
import { ChartPanel } from "./chart-panel.tsx";
import { ChartTip } from "./chart-tip.tsx";
import { DataTable } from "./data-table.tsx";
import type { ChartsProps } from "./overview-props.ts";
import { useChartHeading } from "./use-chart-heading.ts";

/** What the wallet held, in its own currency: a recharge is a step up. */
export function FloatPanel({ charts }: ChartsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const heading = useChartHeading(charts);
  const { data: page } = useQuery(firstPageQuery());
  if (!page) return null;
  const { float: unit } = page;
  const money = moneyOf(format, unit);
  const days = { firstDay: charts.days[0]?.day ?? "", lastDay: charts.days.at(-1)?.day ?? "" };
  const title = t("office.overview.charts.float");
  const name = t("office.overview.charts.floatAt");
  return (
    <ChartPanel
      title={title}
      period={heading(daysWords(days, t, format), unit.currency)}
      table={
        <DataTable
          label={title}
          rows={charts.float}
          keyOf={({ at }) => at}
          columns={[
            { key: "at", head: t("office.figures.rows.at"), cell: ({ at }) => format.moment(at) },
            { key: "float", head: name, cell: ({ available }) => money(available), isNumber: true },
          ]}
        />
      }
    >
      <StepChart
        points={charts.float.map(({ at, available }, index) => ({
          label: isolateText(
            index === charts.float.length - 1 ? format.moment(at) : format.day(at),
            format.locale,
          ),
          value: available,
        }))}
        short={shortAmount(format, unit)}
        full={money}
        name={name}
      />
    </ChartPanel>
  );
}

interface StepChartProps {
  readonly points: readonly { readonly label: string; readonly value: number }[];
  readonly short: (minor: number) => string;
  readonly full: (minor: number) => string;
  readonly name: string;
}

/** What was there from each moment until the next: a recharge is a step up. */
function StepChart({ points, short, full, name }: StepChartProps) {
  return (
    <ResponsiveContainer width="100%" height={208} minWidth={0}>
      <AreaChart
        data={[...points]}
        accessibilityLayer={false}
        margin={{ top: 8, right: 4, bottom: 0, left: 4 }}
      >
        <ChartAxes short={short} />
        <Tooltip
          isAnimationActive={false}
          content={<ChartTip write={full} names={{ value: name }} />}
        />
        <Area
          dataKey="value"
          type="stepAfter"
          stroke="var(--accent-text)"
          strokeWidth={2}
          fill="var(--accent-soft)"
          fillOpacity={1}
          isAnimationActive={false}
        />
      </AreaChart>
    </ResponsiveContainer>
  );
}
