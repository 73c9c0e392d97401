import { Area, AreaChart, ResponsiveContainer, Tooltip } from "recharts";
import { ChartAxes } from "./chart-axes.tsx";
import { ChartTip } from "./chart-tip.tsx";

interface StepChartProps {
  readonly points: readonly { readonly label: string; readonly value: number }[];
  readonly short: (minor: number) => string;
  readonly full: (minor: number) => string;
  readonly name: string;
}

/** What was there from each moment until the next: a recharge is a step up. */
export function StepChart({ points, short, full, name }: StepChartProps) {
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
