import type { TooltipContentProps } from "recharts";
import classes from "./chart-tip.module.css";

interface ChartTipProps extends Partial<TooltipContentProps> {
  readonly write: (minor: number) => string;
  /** What each of its values is. */
  readonly names: Readonly<Record<string, string | undefined>>;
}

/** What is pointed at, for the mouse; the table under the chart says the same to everybody. */
export function ChartTip({ active, label, payload = [], write, names }: ChartTipProps) {
  if (!active || payload.length === 0) return null;
  return (
    <div className={classes.tip}>
      <strong>{label}</strong>
      {payload.map(({ dataKey, value }) => (
        <span key={String(dataKey)}>
          {names[String(dataKey)]} <bdi>{write(Number(value))}</bdi>
        </span>
      ))}
    </div>
  );
}
