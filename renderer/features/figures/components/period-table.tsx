import { useTranslation } from "react-i18next";
import type { FigureSeries, PeriodKind } from "../../../../server/contract/pos/figures.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { daysWords, moneyOf } from "../figure-format.ts";
import { searchOfDays } from "../figure-search.ts";
import { DataTable } from "./data-table.tsx";
import { figureColumns } from "./figure-columns.ts";
import { PlaceLink } from "./place-link.tsx";

interface PeriodTableProps {
  readonly series: FigureSeries;
  readonly kind: PeriodKind;
}

/** Days, weeks or months, the newest first; each leads to its lines. */
export function PeriodTable({ series, kind }: PeriodTableProps) {
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
