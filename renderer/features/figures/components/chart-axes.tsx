import { useTranslation } from "react-i18next";
import { CartesianGrid, XAxis, YAxis } from "recharts";
import { directionOf } from "../../../lib/direction.ts";

const TICK = { fill: "var(--ink-2)", fontSize: 12 };

/** The axes of a chart over time: it begins where the language does. */
export function ChartAxes({ short }: { readonly short: (minor: number) => string }) {
  const { i18n } = useTranslation();
  const isReversed = directionOf(i18n.language) === "rtl";
  return (
    <>
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="label"
        reversed={isReversed}
        tick={TICK}
        tickLine={false}
        axisLine={{ stroke: "var(--line-strong)" }}
        minTickGap={12}
      />
      <YAxis
        orientation={isReversed ? "right" : "left"}
        tick={TICK}
        tickLine={false}
        axisLine={false}
        tickFormatter={short}
        width={isReversed ? 76 : 52}
      />
    </>
  );
}
