import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { FigureLine } from "../../../../server/contract/pos/figure-rows.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { linesFile, linesQuery } from "../api/figure-queries.ts";
import type { ShopDays } from "../figure-days.ts";
import { type MoneyUnit, moneyOf } from "../figure-format.ts";
import type { FigurePart } from "../figure-search.ts";
import type { Column } from "./data-table.tsx";
import { AwaitedFigures } from "./figures-page.tsx";
import classes from "./figures-screen.module.css";
import { RowList, SaleLink } from "./row-list.tsx";
import { usePartName } from "./use-part-name.ts";

interface LineRowsProps {
  readonly days: ShopDays;
  readonly part: FigurePart | undefined;
  readonly unit: MoneyUnit;
  /** Shows the lines of everything again. */
  readonly onAll: () => void;
}

const SUMS = ["sold", "tax", "cost", "earned"] as const;

/** Lines that were sold and lines whose money was given back: below zero. */
export function LineRows({ days, part, unit, onAll }: LineRowsProps) {
  const { t } = useTranslation();
  const lines = useInfiniteQuery(linesQuery(days, part));
  const money = moneyOf(useFormat(), unit);
  const columns = useLineColumns(money);
  const partWords = usePartWords(part);
  return (
    <>
      {part ? (
        <div className={classes.bar}>
          <p className={classes.sum}>
            {t("office.figures.only", {
              value: partWords(lines.data?.pages[0]?.list[0]) ?? part.value,
            })}
          </p>
          <Button variant="default" onClick={onAll}>
            {t("office.figures.all")}
          </Button>
        </div>
      ) : null}
      <AwaitedFigures query={lines}>
        {({ pages }) => {
          const rows = pages.flatMap(({ list }) => list);
          return (
            <RowList
              label={t("office.figures.view.sold")}
              columns={columns}
              rows={rows}
              keyOf={({ kind, transactionId }) => `${kind} ${transactionId}`}
              sums={SUMS.map((figure) => ({
                label: t(`office.figures.of.${figure}`),
                value: money(rows.reduce((sum, row) => sum + row[figure], 0)),
              }))}
              none={t("office.figures.rows.none")}
              file={linesFile(days, part)}
              pages={lines}
            />
          );
        }}
      </AwaitedFigures>
    </>
  );
}

/** What the rows are of alone: brands and people are named as their lines name them, and so are tills. */
function usePartWords(part: FigurePart | undefined) {
  const nameOf = usePartName();
  return (line: FigureLine | undefined) => {
    if (part?.by === "BRAND") return line?.brandName;
    if (part?.by === "CLERK") return line?.clerk;
    if (part?.by === "TILL") return line && nameOf("TILL", line.till);
    return part && nameOf(part.by, part.value);
  };
}

function useLineColumns(money: (minor: number) => string): Column<FigureLine>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = usePartName();
  return [
    {
      key: "sale",
      head: t("office.figures.rows.sale"),
      cell: (line) => <SaleLink {...line} />,
    },
    { key: "at", head: t("office.figures.rows.at"), cell: ({ at }) => format.moment(at) },
    {
      key: "what",
      head: t("office.figures.rows.what"),
      cell: ({ family, brandName, country, kind }) =>
        `${brandName} · ${t(`family.${family}.one`)} · ${format.country(country)}${
          kind === "NOT_DELIVERED" ? ` (${t("office.figures.rows.notDelivered")})` : ""
        }`,
    },
    { key: "clerk", head: t("office.figures.rows.clerk"), cell: ({ clerk }) => clerk },
    {
      key: "till",
      head: t("office.figures.rows.till"),
      cell: ({ till }) => nameOf("TILL", till),
    },
    ...SUMS.map((figure) => ({
      key: figure,
      head: t(`office.figures.of.${figure}`),
      cell: (line: FigureLine) => money(line[figure]),
      isNumber: true,
    })),
  ];
}
