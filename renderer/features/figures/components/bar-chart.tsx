import { useId } from "react";
import {
  Bar,
  ComposedChart,
  Line,
  Rectangle,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
} from "recharts";
import { ChartAxes } from "./chart-axes.tsx";
import { ChartTip } from "./chart-tip.tsx";

/** What a bar shows, in minor units. */
export interface BarPoint {
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
export function BarChart({ points, height = 208, short, full, names }: BarChartProps) {
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
          cursor={{ fill: "var(--surface-sunken)" }}
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
