import { useTranslation } from "react-i18next";
import type { FigureCharts } from "../../../../server/contract/pos/figures.ts";
import { joinParts } from "../../../lib/direction.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { zoneWords } from "../figure-format.ts";

/** Says beside a chart's days by which clock they are, and what its amounts are in. */
export function useChartHeading(
  charts: Pick<FigureCharts, "timeZone" | "dayStartsAt" | "currency">,
): (days: string, currency?: string) => string {
  const { t } = useTranslation();
  const { locale } = useFormat();
  return (days, currency = charts.currency) =>
    joinParts(
      [
        t("office.figures.asOf", { time: days, zone: zoneWords(charts, t) }),
        t("office.overview.charts.in", { currency }),
      ],
      locale,
    );
}
