import type { TieOut } from "../../../contract/pos/figures.ts";
import type { Unit } from "../../../lib/money.ts";
import type { NamedFigure, Part, TableColumn, TableRow } from "../../../lib/pdf/layout.ts";
import type { DayFigures } from "../../figures/index.ts";
import type { DayFormat } from "./day-format.ts";

const TENDERS = [
  ["CASH", "cash"],
  ["CARD", "card"],
  ["OTHER", "other"],
] as const;

/** Words and an amount: what is added to those before it, or what they came to. */
type Step = readonly [words: string, amount: number, kind?: "SUM"];

const WALK: readonly TableColumn[] = [
  { head: "", share: 0.7 },
  { head: "", share: 0.3, isNumber: true },
];

/** The figures of the day as the page of figures shows them. */
export function summary({ money }: DayFigures, format: DayFormat): Part {
  const { figures } = money;
  const { words } = format;
  const amount = (
    name: "sold" | "tax" | "cost" | "earned" | "discount" | "refundsDue" | "refunded",
  ) => figure(name, format.money(figures[name], money));
  const figure = (name: keyof typeof words.figures, value: string): NamedFigure => ({
    name: words.figures[name],
    value,
  });
  const { marginPct, average } = figures;
  return {
    kind: "FIGURES",
    heading: words.heading.figures,
    figures: [
      amount("sold"),
      amount("tax"),
      amount("cost"),
      amount("earned"),
      figure("margin", marginPct === undefined ? "–" : format.percent(marginPct)),
      figure("sales", format.number(figures.sales)),
      figure("average", average === undefined ? "–" : format.money(average, money)),
      figure("lines", format.number(figures.lines)),
      amount("discount"),
      amount("refundsDue"),
      amount("refunded"),
      figure("taken", format.money(figures.taken, money)),
      figure("owed", format.money(figures.owed, money)),
    ],
  };
}

/** From what was sold to the drawers, and the identity with its numbers. */
export function moneyWalk({ money }: DayFigures, format: DayFormat): Part {
  const { figures, taken, refunded, drawers } = money;
  const { walk, tender, heading, identity, identityNumbers } = format.words;
  const by = (text: string, kind: (typeof TENDERS)[number][0]) =>
    format.fill(text, { kind: tender[kind] });
  const steps: Step[] = [
    [format.words.figures.sold, figures.sold, "SUM"],
    [walk.refundsDue, figures.refundsDue],
    [format.words.figures.cashRounding, figures.cashRounding],
    [walk.owed, -figures.owed],
    [walk.taken, figures.taken, "SUM"],
    ...TENDERS.map(([kind, name]): Step => [by(walk.takenBy, kind), taken[name]]),
    ...TENDERS.map(([kind, name]): Step => [by(walk.refundedBy, kind), -refunded[name]]),
    [walk.cash, taken.cash - refunded.cash, "SUM"],
    [walk.payIns, drawers.payIns],
    [walk.payOuts, -drawers.payOuts],
    [walk.differences, drawers.differences],
    [walk.deposits, -drawers.deposits],
    [walk.drawers, drawers.cash, "SUM"],
  ];
  const amount = (minor: number) => format.money(minor, money);
  const numbers = format.fill(identityNumbers, {
    sold: amount(figures.sold),
    refundsDue: amount(figures.refundsDue),
    cashRounding: amount(figures.cashRounding),
    taken: amount(figures.taken),
    owed: amount(figures.owed),
  });
  const rows = rowsOf(steps, money, format);
  return { kind: "TABLE", heading: heading.money, columns: WALK, rows, notes: [identity, numbers] };
}

/** From the cost of what was sold to what the ledger says that the wallet spent. */
export function walletWalk({ money }: DayFigures, format: DayFormat): Part {
  const { walk, heading } = format.words;
  const { tieOut, fxResult } = money;
  const reasons = ["failedEarlier", "notSpent", "soldEarlier", "integrators", "refunded"] as const;
  const steps: Step[] = [
    [walk.costSold, tieOut.costSold, "SUM"],
    ...reasons.map((reason): Step => [walk[reason], tieOut[reason]]),
    [walk.difference, tieOut.difference],
    [walk.walletSpent, tieOut.walletSpent, "SUM"],
  ];
  const notes = [
    agreement(tieOut, format),
    ...(fxResult === undefined ? [] : [format.named(walk.fx, format.money(fxResult, money))]),
  ];
  const rows = rowsOf(steps, tieOut, format);
  return { kind: "TABLE", heading: heading.wallet, columns: WALK, rows, notes };
}

function agreement(tieOut: TieOut, format: DayFormat): string {
  const { walk } = format.words;
  if (tieOut.difference === 0) return walk.tiesOut;
  return format.fill(walk.apart, { amount: format.money(tieOut.difference, tieOut) });
}

/** What was taken and handed back by each tender of the shop, by the name it has now. */
export function payments({ money }: DayFigures, format: DayFormat): Part {
  const { heading, payment, figures: words, tender } = format.words;
  const { taken, byTender, figures } = money;
  const amount = (minor: number) => format.money(minor, money);
  const cellsOf = (name: string, given: number, back: number) => [
    name,
    amount(given),
    amount(-back),
    amount(given - back),
  ];
  const all = taken.cash + taken.card + taken.other;
  return {
    kind: "TABLE",
    heading: heading.payments,
    columns: [
      { head: payment.by, share: 0.4 },
      { head: words.taken, share: 0.2, isNumber: true },
      { head: words.refunded, share: 0.2, isNumber: true },
      { head: payment.net, share: 0.2, isNumber: true },
    ],
    rows: [
      ...byTender.map((one) => {
        const name = one.name === undefined ? tender[one.kind] : format.isolate(one.name);
        return { cells: cellsOf(name, one.taken, one.refunded) };
      }),
      { cells: cellsOf(format.words.list.total, all, figures.refunded), isSum: true },
    ],
    notes: [format.named(words.linesFailed, format.number(figures.linesFailed))],
  };
}

/**
 * The tax of the day by kind and rate.
 * @throws where it is not the tax of the figures: they contradict each other
 */
export function taxTable({ taxes, money }: DayFigures, format: DayFormat): Part {
  const { heading, tax: words, payment, figures: named, list } = format.words;
  const sold = taxes.reduce((sum, tax) => sum + tax.sold, 0);
  const refunded = taxes.reduce((sum, tax) => sum + tax.refunded, 0);
  if (sold - refunded !== money.figures.tax) {
    throw new Error(`the taxes of the day are ${sold - refunded}, its tax is ${money.figures.tax}`);
  }
  if (taxes.length === 0) return { kind: "NOTES", heading: heading.taxes, notes: [words.noTax] };
  const amount = (minor: number) => format.money(minor, money);
  const cellsOf = (name: string, of: { sold: number; refunded: number }) => [
    name,
    amount(of.sold),
    amount(-of.refunded),
    amount(of.sold - of.refunded),
  ];
  return {
    kind: "TABLE",
    heading: heading.taxes,
    columns: [
      { head: named.tax, share: 0.4 },
      { head: words.onSold, share: 0.2, isNumber: true },
      { head: words.onBack, share: 0.2, isNumber: true },
      { head: payment.net, share: 0.2, isNumber: true },
    ],
    rows: [
      ...taxes.map((tax) => {
        const percent = format.percent(Number(tax.percent), 6);
        const name = tax.kind === "NONE" ? tax.kind : format.fill(words[tax.kind], { percent });
        return { cells: cellsOf(name, tax) };
      }),
      { cells: cellsOf(list.total, { sold, refunded }), isSum: true },
    ],
  };
}

/** What customers still have to pay of the day, and what is owed to them now. */
export function owedTable({ money, refundsDue }: DayFigures, format: DayFormat): Part {
  const { owed, heading } = format.words;
  const asOf = format.fill(owed.refundsDue, { time: format.moment(money.madeAt) });
  const steps: Step[] = [
    [owed.owedDay, money.figures.owed],
    [asOf, refundsDue.amount],
  ];
  const rows = rowsOf(steps, money, format);
  return { kind: "TABLE", heading: heading.owed, columns: WALK, rows };
}

function rowsOf(steps: readonly Step[], unit: Unit, format: DayFormat): TableRow[] {
  return steps.map(([words, amount, kind]) => ({
    cells: [words, format.money(amount, unit)],
    isSum: kind === "SUM",
  }));
}
