import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../../lib/use-format.ts";
import { hoursQuery, linesFile } from "../api/figure-queries.ts";
import type { ShopDays } from "../figure-days.ts";
import { daysWords, hourWords, moneyOf } from "../figure-format.ts";
import { sumByHour } from "../hour-sums.ts";
import { DataTable } from "./data-table.tsx";
import { AwaitedFigures } from "./figures-page.tsx";
import { useChartHeading } from "./use-chart-heading.ts";
import { WeekTable } from "./week-table.tsx";

/** The hours of the days, and the same by weekday. */
export function HourTable({ days }: { readonly days: ShopDays }) {
  const hours = useQuery(hoursQuery(days));
  const { t } = useTranslation();
  const format = useFormat();
  const label = t("office.figures.by.HOUR");
  const heading = useChartHeading(hours.data ?? { timeZone: "", dayStartsAt: 0, currency: "" });
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
              period={heading(daysWords(days, t, format))}
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
