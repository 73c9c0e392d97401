import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { tenderName } from "../../../lib/tender-name.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { movementsFile, movementsQuery } from "../api/figure-queries.ts";
import type { ShopDays } from "../figure-days.ts";
import { type MoneyUnit, moneyOf } from "../figure-format.ts";
import { AwaitedFigures } from "./figures-page.tsx";
import { RowList, SaleLink } from "./row-list.tsx";

interface MovementRowsProps {
  readonly days: ShopDays;
  readonly unit: MoneyUnit;
}

/** What was taken for sales and given back, each tender a row. */
export function MovementRows({ days, unit }: MovementRowsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const movements = useInfiniteQuery(movementsQuery(days));
  const money = moneyOf(format, unit);
  return (
    <AwaitedFigures query={movements}>
      {({ pages }) => {
        const rows = pages.flatMap(({ list }) => list);
        return (
          <RowList
            label={t("office.figures.view.taken")}
            rows={rows}
            keyOf={({ at, kind, saleId, tender, tenderId, amount }) =>
              [at, kind, saleId, tender, tenderId, amount].join(" ")
            }
            sums={[
              {
                label: t("office.figures.of.taken"),
                value: money(rows.reduce((sum, { amount }) => sum + amount, 0)),
              },
            ]}
            none={t("office.figures.rows.none")}
            file={movementsFile(days)}
            pages={movements}
            columns={[
              {
                key: "sale",
                head: t("office.figures.rows.sale"),
                cell: (row) => <SaleLink {...row} />,
              },
              { key: "at", head: t("office.figures.rows.at"), cell: ({ at }) => format.moment(at) },
              {
                key: "tender",
                head: t("office.figures.rows.tender"),
                cell: ({ tender, name, kind }) =>
                  tenderName({ kind: tender, name }, t) +
                  (kind === "HANDED_BACK" ? ` (${t("office.figures.rows.handedBack")})` : ""),
              },
              { key: "clerk", head: t("office.figures.rows.clerk"), cell: ({ clerk }) => clerk },
              {
                key: "reference",
                head: t("office.figures.rows.reference"),
                cell: ({ reference }) => reference || "–",
              },
              {
                key: "amount",
                head: t("office.figures.rows.amount"),
                cell: ({ amount }) => money(amount),
                isNumber: true,
              },
            ]}
          />
        );
      }}
    </AwaitedFigures>
  );
}
