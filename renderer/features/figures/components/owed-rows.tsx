import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../../lib/use-format.ts";
import { owedQuery } from "../api/figure-queries.ts";
import { type MoneyUnit, moneyOf } from "../figure-format.ts";
import { AwaitedFigures } from "./awaited-figures.tsx";
import { RowList, SaleLink } from "./row-list.tsx";

export function OwedRows({ unit }: { readonly unit: MoneyUnit }) {
  const { t } = useTranslation();
  const format = useFormat();
  const owed = useInfiniteQuery(owedQuery());
  const money = moneyOf(format, unit);
  return (
    <AwaitedFigures query={owed}>
      {({ pages }) => {
        const rows = pages.flatMap(({ list }) => list);
        return (
          <RowList
            label={t("office.figures.view.owed")}
            rows={rows}
            keyOf={({ transactionId }) => transactionId}
            all={t("office.figures.rows.all", {
              number: format.number(pages[0]?.lines ?? 0),
              amount: money(pages[0]?.amount ?? 0),
            })}
            sums={[
              {
                label: t("office.figures.rows.amount"),
                value: money(rows.reduce((sum, { amount }) => sum + amount, 0)),
              },
            ]}
            none={t("office.figures.rows.nothingOwed")}
            pages={owed}
            columns={[
              {
                key: "sale",
                head: t("office.figures.rows.sale"),
                cell: (row) => <SaleLink {...row} />,
              },
              {
                key: "at",
                head: t("office.figures.rows.at"),
                cell: ({ failedAt }) => format.moment(failedAt),
              },
              { key: "clerk", head: t("office.figures.rows.clerk"), cell: ({ clerk }) => clerk },
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
