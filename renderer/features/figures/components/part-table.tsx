import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { FigureBreakdown, FigureDimension } from "../../../../server/contract/pos/figures.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { partsQuery } from "../api/figure-queries.ts";
import { changePercent } from "../comparison.ts";
import type { ShopDays } from "../figure-days.ts";
import { changeWords, moneyOf } from "../figure-format.ts";
import { searchOfDays, searchOfPart } from "../figure-search.ts";
import { DataTable } from "./data-table.tsx";
import { figureColumns } from "./figure-columns.ts";
import { AwaitedFigures } from "./figures-page.tsx";
import classes from "./figures-screen.module.css";
import { PlaceLink } from "./place-link.tsx";
import { usePartName } from "./use-part-name.ts";

interface PartTableProps {
  readonly days: ShopDays;
  readonly by: FigureDimension;
}

type Row = FigureBreakdown["list"][number];

/** Families, brands, countries or people, most earned first, beside the period before; each leads to its lines. */
export function PartTable({ days, by }: PartTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = useQuery(partsQuery(days, by));
  const nameOf = usePartName();
  const label = t(`office.figures.by.${by}`);
  return (
    <AwaitedFigures query={parts}>
      {(data) => {
        const money = moneyOf(format, data);
        if (data.list.length === 0) {
          return <p className={classes.soft}>{t("office.figures.empty")}</p>;
        }
        return (
          <DataTable
            label={label}
            rows={data.list}
            keyOf={({ value }) => value}
            columns={[
              {
                key: "value",
                head: label,
                cell: ({ value, name }: Row) => (
                  <PlaceLink
                    place={{
                      section: "figures",
                      search: {
                        view: "sold",
                        ...searchOfDays(days),
                        ...searchOfPart({ by, value }),
                      },
                    }}
                  >
                    {name || nameOf(by, value)}
                  </PlaceLink>
                ),
              },
              ...figureColumns<Row>({ figuresOf: ({ figures }) => figures, t, format, money }),
              {
                key: "before",
                head: t("office.figures.of.before"),
                cell: ({ before }) => money(before.sold),
                isNumber: true,
              },
              {
                key: "change",
                head: t("office.figures.of.change"),
                cell: ({ figures, before }) =>
                  changeWords(
                    changePercent(
                      { amount: figures.sold, of: figures.lines },
                      { amount: before.sold, of: before.lines },
                    ),
                    t,
                    format,
                  ),
                isNumber: true,
              },
            ]}
          />
        );
      }}
    </AwaitedFigures>
  );
}
