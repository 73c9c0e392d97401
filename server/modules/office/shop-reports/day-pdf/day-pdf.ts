import { FAMILIES } from "../../../../contract/pos/families.ts";
import { type LineFigures, NO_CLERK, type TieOut } from "../../../../contract/pos/figures.ts";
import type { Language } from "../../../../contract/pos/setup.ts";
import type { ZReport } from "../../../../contract/pos/shifts.ts";
import { NO_TILLS } from "../../../../contract/pos/tills.ts";
import type { Scope } from "../../../../db/changes.ts";
import { type Db, readSnapshot } from "../../../../db/database.ts";
import { toTimestamp } from "../../../../lib/clock.ts";
import type { Unit } from "../../../../lib/money.ts";
import {
  Layout,
  type NamedFigure,
  type Part,
  type TableColumn,
  type TableRow,
} from "../../../../lib/pdf/layout.ts";
import { drawLogo, LOGO } from "../../../../lib/pdf/logo.ts";
import { INNER_WIDTH, Sheet } from "../../../../lib/pdf/sheet.ts";
import { readTypeface } from "../../../../lib/pdf/typeface.ts";
import { showable } from "../../../../lib/pdf/visual-text.ts";
import { ReportFiles } from "../../../books/reports/index.ts";
import { DAY_PARTS, type DayFigures, type DayPart } from "../../figures/index.ts";
import { DayFormat, type DaySource, readDaySource } from "./day-format.ts";

/** Maximum number of brands with their own row; all other brands share a row. */
const MAX_ROWS = 20;

type Row = DayFigures["parts"][DayPart][number];
type RowSums = Pick<LineFigures, "lines" | "sold" | "tax" | "cost" | "earned" | "marginPct">;

function partTables({ parts, money }: DayFigures, format: DayFormat): Part[] {
  const { words } = format;
  const amount = (minor: number) => format.money(minor, money);
  const toShiftCells = (name: string, sum: RowSums) => [
    name,
    format.number(sum.lines),
    ...([sum.sold, sum.tax, sum.cost, sum.earned] as const).map(amount),
    sum.marginPct === undefined ? "–" : format.percent(sum.marginPct),
  ];
  const tableOf = (by: DayPart): Part => {
    const rows: TableRow[] = selectRows(parts[by]).map((row) => ({
      cells:
        "rest" in row
          ? toShiftCells(format.fill(words.list.rest, { number: format.number(row.rest) }), row.sum)
          : toShiftCells(format.isolate(getRowName(by, row, format)), row.figures),
    }));
    const sum = by === "KEY" ? sumRows(parts[by]) : money.figures;
    const total = { cells: toShiftCells(words.list.total, sum), isSum: true };
    const columns = listColumns(words.part[by], words.figures);
    return { kind: "TABLE", heading: words.heading[by], columns, rows: [...rows, total] };
  };
  const hasApi = parts.CHANNEL.some(({ value }) => value === "API");
  const hasProviders = parts.PROVIDER.length > 1;
  const shown = DAY_PARTS.filter((by) => {
    if (by === "PROVIDER") return hasProviders;
    return hasApi || (by !== "CHANNEL" && by !== "KEY");
  });
  return shown.map(tableOf);
}

function listColumns(first: string, words: DayFormat["words"]["figures"]): TableColumn[] {
  const names = ["lines", "sold", "tax", "cost", "earned", "margin"] as const;
  const shares = { lines: 0.08, sold: 0.155, tax: 0.135, cost: 0.145, earned: 0.145, margin: 0.09 };
  return [
    { head: first, share: 0.25 },
    ...names.map((name) => ({ head: words[name], share: shares[name], isNumber: true })),
  ];
}

function selectRows(list: readonly Row[]): (Row | { rest: number; sum: RowSums })[] {
  const sold = list.filter(({ figures }) => figures.lines > 0 || figures.linesFailed > 0);
  if (sold.length <= MAX_ROWS) return sold;
  const rest = sold.slice(MAX_ROWS - 1);
  return [...sold.slice(0, MAX_ROWS - 1), { rest: rest.length, sum: sumRows(rest) }];
}

function sumRows(rows: readonly Row[]): RowSums {
  const total = (name: "lines" | "sold" | "tax" | "cost" | "earned") =>
    rows.reduce((sum, { figures }) => sum + figures[name], 0);
  return {
    lines: total("lines"),
    sold: total("sold"),
    tax: total("tax"),
    cost: total("cost"),
    earned: total("earned"),
  };
}

function getRowName(by: DayPart, { value, name }: Row, { words }: DayFormat): string {
  const family = by === "FAMILY" ? FAMILIES.find((one) => one === value) : undefined;
  if (family) return words.family[family];
  const noTill = by === "TILL" ? NO_TILLS.find((one) => one === value) : undefined;
  if (noTill) return words.till[noTill];
  if (by === "CHANNEL") return words.channel[value as keyof typeof words.channel];
  if (by === "CLERK" && value === NO_CLERK) return words.channel.API;
  if (name !== "") return name;
  return by === "BRAND" ? value : words.list.noName;
}

const TENDERS = [
  ["CASH", "cash"],
  ["CARD", "card"],
  ["OTHER", "other"],
] as const;

const WALK: readonly TableColumn[] = [
  { head: "", share: 0.7 },
  { head: "", share: 0.3, isNumber: true },
];

export interface DayPdfOrder {
  dataDir: string;
  resourcesDir: string;
  fileName: string;
  scope: Scope;
  day: string;
  language: Language;
  now: number;
  madeBy: { kind: "PERSON" | "SCHEDULE"; name: string };
  brandNames: readonly (readonly [code: string, name: string])[];
}

export async function writeDayPdf(db: Db, order: DayPdfOrder): Promise<void> {
  const brandNames = new Map(order.brandNames.map(([code, brandName]) => [code, { brandName }]));
  const source = await readSnapshot(db, (snapshot) =>
    readDaySource(snapshot, { ...order, brandNames }),
  );
  const sheet = await drawDay(source, order);
  await new ReportFiles(order.dataDir).write(order.fileName, sheet.bytes());
}

async function drawDay(source: DaySource, order: DayPdfOrder): Promise<Sheet> {
  const typeface = await readTypeface(order.resourcesDir);
  const { shop, figures } = source;
  const canShow = (text: string) => showable(text, typeface.regular) === text.normalize("NFC");
  const format = new DayFormat(
    order.language,
    { currency: figures.money.currency, timeZone: shop.timeZone },
    canShow,
  );
  const { words } = format;
  const isTest = order.scope.environment === "test";
  const day = format.day(order.day);
  const title = `${format.isolate(shop.name)} · ${day}`;
  const sheet = new Sheet(typeface, format.direction, {
    title: plain(isTest ? `${words.document.test} · ${title}` : title),
    author: shop.name,
    language: order.language,
    madeAt: new Date(order.now),
  });
  const layout = new Layout(sheet, {
    ...(isTest && { stamp: words.document.test }),
    running: title,
    foot: madeWords(order, format),
    pageOf: (number, count) =>
      format.fill(words.document.page, { page: String(number), pages: String(count) }),
  });
  drawHead(layout, sheet, { source, format, day });
  if (figures.money.figures.lines === 0) layout.lines(words.document.nothing, { size: 10 });
  const parts = [
    summary(figures, format),
    moneyWalk(figures, format),
    payments(figures, format),
    taxTable(figures, format),
    ...partTables(figures, format),
    shiftTable(source, format),
    owedTable(figures, format),
    walletWalk(figures, format),
  ];
  for (const part of parts) layout.part(part);
  if (sheet.hasReplaced || !canShow(order.madeBy.name)) {
    layout.gap(8);
    layout.lines(words.document.unreadable, { size: 7.5, color: "#4b5563" });
  }
  layout.finish();
  return sheet;
}

function drawHead(
  layout: Layout,
  sheet: Sheet,
  { source, format, day }: { source: DaySource; format: DayFormat; day: string },
): void {
  const { shop, figures, logo } = source;
  const { document } = format.words;
  const top = layout.y;
  const from = drawLogo(sheet, logo, top);
  const place = { from, width: INNER_WIDTH - from };
  layout.lines(format.isolate(shop.name), { size: 17, weight: "bold" }, place);
  const soft = { size: 8.5, color: "#4b5563" };
  for (const line of [...shop.receipt.address, ...shop.receipt.support]) {
    layout.lines(format.isolate(line), soft, place);
  }
  layout.y = Math.max(layout.y, from === 0 ? 0 : top + LOGO.height);
  layout.gap(10);
  layout.lines(document.title, { size: 11, color: "#4b5563" });
  layout.lines(day, { size: 14, weight: "bold" });
  const { period, madeAt, dayStartsAt } = figures.money;
  const zone =
    dayStartsAt === 0
      ? format.isolate(shop.timeZone)
      : format.fill(document.zoneFrom, { zone: shop.timeZone, time: timeOfDay(dayStartsAt) });
  layout.lines(format.fill(document.zone, { zone }), soft);
  if (period.isUnfinished) {
    const time = format.moment(madeAt);
    layout.lines(format.fill(document.notOver, { time }), { size: 10, weight: "bold" });
  }
}

function madeWords({ now, madeBy }: DayPdfOrder, format: DayFormat): string {
  const { made, madeByItself } = format.words.document;
  const text = madeBy.kind === "PERSON" ? made : madeByItself;
  return format.fill(text, { time: format.moment(toTimestamp(now)), name: madeBy.name });
}

function timeOfDay(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60];
  return [hour, minute].map((part) => String(part).padStart(2, "0")).join(":");
}

/** A PDF title is plain text, without direction marks. */
function plain(text: string): string {
  return text.replaceAll(/[\u2066-\u2069]/g, "");
}

/** A label with an amount; `SUM` marks a subtotal. */
type Step = readonly [words: string, amount: number, kind?: "SUM"];

function summary({ money }: DayFigures, format: DayFormat): Part {
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

function moneyWalk({ money }: DayFigures, format: DayFormat): Part {
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
  const rows = toRows(steps, money, format);
  return { kind: "TABLE", heading: heading.money, columns: WALK, rows, notes: [identity, numbers] };
}

function walletWalk({ money }: DayFigures, format: DayFormat): Part {
  const { walk, heading } = format.words;
  const { tieOut, fxResult } = money;
  const all = ["failedEarlier", "notSpent", "soldEarlier", "integrators", "refunded"] as const;
  const reasons = all.filter((reason) => reason !== "integrators" || tieOut.integrators !== 0);
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
  const rows = toRows(steps, tieOut, format);
  return { kind: "TABLE", heading: heading.wallet, columns: WALK, rows, notes };
}

function agreement(tieOut: TieOut, format: DayFormat): string {
  const { walk } = format.words;
  if (tieOut.difference === 0) return walk.tiesOut;
  return format.fill(walk.apart, { amount: format.money(tieOut.difference, tieOut) });
}

function payments({ money }: DayFigures, format: DayFormat): Part {
  const { heading, payment, figures: words, tender } = format.words;
  const { taken, byTender, figures } = money;
  const amount = (minor: number) => format.money(minor, money);
  const toShiftCells = (name: string, given: number, back: number) => [
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
        return { cells: toShiftCells(name, one.taken, one.refunded) };
      }),
      { cells: toShiftCells(format.words.list.total, all, figures.refunded), isSum: true },
    ],
    notes: [format.named(words.linesFailed, format.number(figures.linesFailed))],
  };
}

/** @throws Error if the sum differs from the tax of the figures */
function taxTable({ taxes, money }: DayFigures, format: DayFormat): Part {
  const { heading, tax: words, payment, figures: named, list } = format.words;
  const sold = taxes.reduce((sum, tax) => sum + tax.sold, 0);
  const refunded = taxes.reduce((sum, tax) => sum + tax.refunded, 0);
  if (sold - refunded !== money.figures.tax) {
    throw new Error(`the taxes of the day are ${sold - refunded}, its tax is ${money.figures.tax}`);
  }
  if (taxes.length === 0) return { kind: "NOTES", heading: heading.taxes, notes: [words.noTax] };
  const amount = (minor: number) => format.money(minor, money);
  const toShiftCells = (name: string, of: { sold: number; refunded: number }) => [
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
        return { cells: toShiftCells(name, tax) };
      }),
      { cells: toShiftCells(list.total, { sold, refunded }), isSum: true },
    ],
  };
}

function owedTable({ money, refundsDue }: DayFigures, format: DayFormat): Part {
  const { owed, heading } = format.words;
  const asOf = format.fill(owed.refundsDue, { time: format.moment(money.madeAt) });
  const steps: Step[] = [
    [owed.owedDay, money.figures.owed],
    [asOf, refundsDue.amount],
  ];
  const rows = toRows(steps, money, format);
  return { kind: "TABLE", heading: heading.owed, columns: WALK, rows };
}

function toRows(steps: readonly Step[], unit: Unit, format: DayFormat): TableRow[] {
  return steps.map(([words, amount, kind]) => ({
    cells: [words, format.money(amount, unit)],
    isSum: kind === "SUM",
  }));
}

function shiftTable({ ended, stillOpen }: DaySource, format: DayFormat): Part {
  const { heading, part, shift: words } = format.words;
  const open = stillOpen.map(({ name, openedAt }) =>
    format.fill(words.stillOpen, { name, time: format.dayTime(openedAt) }),
  );
  if (ended.length === 0) {
    return { kind: "NOTES", heading: heading.shifts, notes: [words.noShifts, ...open] };
  }
  return {
    kind: "TABLE",
    heading: heading.shifts,
    columns: [
      { head: words.z, share: 0.06 },
      { head: part.CLERK, share: 0.22 },
      { head: words.opened, share: 0.15 },
      { head: words.closed, share: 0.15 },
      { head: words.expected, share: 0.14, isNumber: true },
      { head: words.counted, share: 0.14, isNumber: true },
      { head: words.difference, share: 0.14, isNumber: true },
    ],
    rows: ended.map((report) => ({ cells: toShiftCells(report, format) })),
    notes: open,
  };
}

function toShiftCells(report: ZReport, format: DayFormat): string[] {
  const { shift, forced, closedBy, counted, variance } = report;
  const words = format.words.shift;
  const amount = (minor: number) => format.money(minor, shift);
  const name = format.isolate(shift.staff.name);
  return [
    format.number(report.zNumber),
    forced ? `${name} (${format.fill(words.forced, { name: closedBy.name })})` : name,
    format.dayTime(shift.openedAt),
    format.dayTime(report.closedAt),
    amount(report.expectedCash),
    counted === undefined ? words.notCounted : amount(counted),
    variance === undefined ? "–" : amount(variance),
  ];
}
