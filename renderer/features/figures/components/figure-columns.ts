import type { LineFigures } from "../../../../server/contract/pos/figures.ts";
import type { Translate } from "../../../lib/i18n.ts";
import type { Format } from "../../../lib/use-format.ts";
import type { Column } from "./data-table.tsx";

interface Wanted<Row> {
  readonly figuresOf: (row: Row) => LineFigures;
  readonly t: Translate;
  readonly format: Format;
  readonly money: (minor: number) => string;
}

/** The figures of lines that every table begins with, in one order. */
export function figureColumns<Row>({ figuresOf, t, format, money }: Wanted<Row>): Column<Row>[] {
  const amount = (figure: "sold" | "earned" | "cost"): Column<Row> => ({
    key: figure,
    head: t(`office.figures.of.${figure}`),
    cell: (row) => money(figuresOf(row)[figure]),
    isNumber: true,
  });
  return [
    amount("sold"),
    amount("earned"),
    {
      key: "margin",
      head: t("office.figures.of.margin"),
      cell: (row) => {
        const { marginPct } = figuresOf(row);
        return marginPct === undefined ? "–" : format.percent(marginPct);
      },
      isNumber: true,
    },
    amount("cost"),
  ];
}
