import { FAMILIES } from "../../../../contract/pos/families.ts";
import type { LineFigures } from "../../../../contract/pos/figures.ts";
import { NO_TILLS } from "../../../../contract/pos/tills.ts";
import type { Part, TableColumn, TableRow } from "../../../../lib/pdf/layout.ts";
import type { DayFigures, DayPart } from "../../figures/index.ts";
import type { DayFormat } from "./day-format.ts";

/** So many brands have a row of their own; those that earned less share one. */
const MOST_ROWS = 20;

type Row = DayFigures["parts"][DayPart][number];
type Sum = Pick<LineFigures, "lines" | "sold" | "tax" | "cost" | "earned" | "marginPct">;

/** What was sold by family, brand, person and till: the most earned first, and all of it at the end. */
export function partTables({ parts, money }: DayFigures, format: DayFormat): Part[] {
  const { words } = format;
  const amount = (minor: number) => format.money(minor, money);
  const cellsOf = (name: string, sum: Sum) => [
    name,
    format.number(sum.lines),
    ...([sum.sold, sum.tax, sum.cost, sum.earned] as const).map(amount),
    sum.marginPct === undefined ? "–" : format.percent(sum.marginPct),
  ];
  const tableOf = (by: DayPart): Part => {
    const rows: TableRow[] = shown(parts[by]).map((row) => ({
      cells:
        "rest" in row
          ? cellsOf(format.fill(words.list.rest, { number: format.number(row.rest) }), row.sum)
          : cellsOf(format.isolate(nameOf(by, row, format)), row.figures),
    }));
    const total = { cells: cellsOf(words.list.total, money.figures), isSum: true };
    const columns = columnsOf(words.part[by], words.figures);
    return { kind: "TABLE", heading: words.heading[by], columns, rows: [...rows, total] };
  };
  return (["FAMILY", "BRAND", "CLERK", "TILL"] as const).map(tableOf);
}

function columnsOf(first: string, words: DayFormat["words"]["figures"]): TableColumn[] {
  const names = ["lines", "sold", "tax", "cost", "earned", "margin"] as const;
  const shares = { lines: 0.08, sold: 0.155, tax: 0.135, cost: 0.145, earned: 0.145, margin: 0.09 };
  return [
    { head: first, share: 0.25 },
    ...names.map((name) => ({ head: words[name], share: shares[name], isNumber: true })),
  ];
}

/** Rows with figures of the day, and what the others come to together. */
function shown(list: readonly Row[]): (Row | { rest: number; sum: Sum })[] {
  const sold = list.filter(({ figures }) => figures.lines > 0 || figures.linesFailed > 0);
  if (sold.length <= MOST_ROWS) return sold;
  const rest = sold.slice(MOST_ROWS - 1);
  const total = (name: "lines" | "sold" | "tax" | "cost" | "earned") =>
    rest.reduce((sum, { figures }) => sum + figures[name], 0);
  const sum: Sum = {
    lines: total("lines"),
    sold: total("sold"),
    tax: total("tax"),
    cost: total("cost"),
    earned: total("earned"),
  };
  return [...sold.slice(0, MOST_ROWS - 1), { rest: rest.length, sum }];
}

/** Brands, people and tills have names of their own. */
function nameOf(by: DayPart, { value, name }: Row, { words }: DayFormat): string {
  const family = by === "FAMILY" ? FAMILIES.find((one) => one === value) : undefined;
  if (family) return words.family[family];
  const noTill = by === "TILL" ? NO_TILLS.find((one) => one === value) : undefined;
  if (noTill) return words.till[noTill];
  if (name !== "") return name;
  return by === "BRAND" ? value : words.list.noName;
}
