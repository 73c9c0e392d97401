import { ENVIRONMENTS } from "../../contract/common.ts";
import type { ZReport } from "../../contract/pos/shifts.ts";
import { calendarOf, startOfDay } from "../../contract/pos/shop-day.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import type { SimulatedCounter } from "./simulated-counter.ts";
import type { SimulatedShop } from "./simulated-shop.ts";
import { CLERK_PER_DAY, workerOf } from "./template-shop.ts";

export async function checkCounter(
  { context }: SimulatedShop,
  counter: SimulatedCounter,
): Promise<string[]> {
  const { db, accountId } = context;
  const faults = [...counter.faults, ...counter.drawers.faults];
  for (const environment of ENVIRONMENTS) {
    const scope = { accountId, environment };
    const books = await readBooks(db, scope);
    faults.push(...checkSales(books, counter, environment), ...checkMoney(books));
    const { timeZone } = await context.shop.get(accountId);
    faults.push(...checkDayLimit(books, counter.clerkId, timeZone));
    const shown = await context.sales.list(workerOf(accountId, environment, OWNER), ALL);
    if (shown.total !== books.sales.length) faults.push(`${shown.total} sales are listed`);
    for (const { saleId, refundDue, change, tenders, total } of shown.list) {
      const owed = sumOf(books.lines, (line) => {
        const isOwed = line.sale_id === saleId && line.status === "FAILED" && !line.refunded;
        return isOwed ? paidFor(line) : 0;
      });
      if (refundDue !== owed) faults.push(`${saleId} owes ${refundDue}, not ${owed}`);
      const tendered = sumOf(tenders, (tender) => tender.tendered ?? tender.amount);
      if (tendered - change !== total) {
        faults.push(`${saleId}: ${tendered} less ${change} is not ${total}`);
      }
    }
    faults.push(...checkReports(books, counter, environment));
  }
  return faults;
}

const OWNER = { staffId: "", name: "", role: "owner" } as const;
const ALL = { since: 0, limit: 10_000, offset: 0 };

type Books = Awaited<ReturnType<typeof readBooks>>;
type Line = Books["lines"][number];

async function readBooks(db: Db, { accountId, environment }: Scope) {
  const sales = await db
    .selectFrom("sales")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("environment", "=", environment)
    .execute();
  const transactions = await db
    .selectFrom("transactions")
    .select(["transaction_id", "status"])
    .where("environment", "=", environment)
    .execute();
  const statuses = new Map(transactions.map((row) => [row.transaction_id, row.status]));
  const refunded = await db
    .selectFrom("customer_refund_lines")
    .selectAll()
    .where("environment", "=", environment)
    .execute();
  const backIds = new Map(refunded.map((row) => [row.transaction_id, row.amount]));
  const lines = await db
    .selectFrom("sale_lines")
    .selectAll()
    .where("environment", "=", environment)
    .execute();
  const captured = await db
    .selectFrom("ledger_postings as p")
    .innerJoin("ledger_entries as e", "e.posting_id", "p.posting_id")
    .select(["p.transaction_id", "e.amount"])
    .where("p.environment", "=", environment)
    .where("p.kind", "=", "CAPTURE")
    .where("e.name", "=", "provider.spent")
    .execute();
  return {
    sales,
    statuses,
    lines: lines.map((line) => ({
      ...line,
      status: statuses.get(line.transaction_id),
      refunded: backIds.get(line.transaction_id),
    })),
    captured: new Map(captured.map((row) => [row.transaction_id, row.amount])),
    tenders: await db
      .selectFrom("sale_tenders")
      .selectAll()
      .where("environment", "=", environment)
      .execute(),
    customerRefunds: await db
      .selectFrom("customer_refunds")
      .selectAll()
      .where("environment", "=", environment)
      .execute(),
    movements: await db
      .selectFrom("cash_movements")
      .selectAll()
      .where("environment", "=", environment)
      .execute(),
    reports: await db
      .selectFrom("z_reports")
      .selectAll()
      .where("environment", "=", environment)
      .orderBy("z_number")
      .execute(),
  };
}

/**
 * Checks that a sale equals its response. A sale without a response must exist completely or not at
 * all.
 */
function checkSales(books: Books, counter: SimulatedCounter, environment: string): string[] {
  const sent = counter.sales.filter(({ worker }) => worker.environment === environment);
  const faults: string[] = [];
  for (const { input, answered } of sent) {
    const { saleId } = input;
    const sale = books.sales.find((row) => row.sale_id === saleId);
    if (answered && !sale) faults.push(`${saleId} was answered and is gone`);
    if (answered && sale && sale.total !== answered.total) faults.push(`${saleId} has changed`);
    const sold = books.lines.filter((line) => line.sale_id === saleId);
    const bought = input.lines.filter(({ transactionId }) => books.statuses.has(transactionId));
    const wanted = sale ? input.lines.length : 0;
    if (sold.length !== wanted || bought.length !== wanted) {
      faults.push(`${saleId} has ${sold.length} lines and ${bought.length} purchases`);
    }
  }
  const numbers = books.sales.map((row) => row.sale_number).sort((a, b) => a - b);
  if (numbers.some((number, index) => number !== index + 1)) {
    faults.push(`the sales of ${environment} have the numbers ${numbers.join(", ")}`);
  }
  const known = new Set(sent.map(({ input }) => input.saleId));
  const strangers = books.sales.filter((row) => !known.has(row.sale_id));
  return [...faults, ...strangers.map((row) => `${row.sale_id} was sold by nobody`)];
}

/** Checks that all money of customers paid for a delivery, was refunded once, or is still owed. */
function checkMoney({ sales, lines, tenders, customerRefunds }: Books): string[] {
  const faults: string[] = [];
  for (const { sale_id: saleId, total } of sales) {
    const paid = sumOf(lines, (line) => (line.sale_id === saleId ? paidFor(line) : 0));
    const taken = sumOf(tenders, (tender) => (tender.sale_id === saleId ? tender.amount : 0));
    if (paid !== total || taken !== total) {
      faults.push(`${saleId} costs ${total}, its lines ${paid}; ${taken} was taken`);
    }
  }
  const taken = sumOf(sales, ({ total }) => total);
  const delivered = sumOf(lines, (line) => (line.status === "DONE" ? paidFor(line) : 0));
  const handedBack = sumOf(customerRefunds, ({ amount }) => amount);
  const owed = sumOf(lines, (line) => {
    return line.status === "FAILED" && line.refunded === undefined ? paidFor(line) : 0;
  });
  if (delivered + handedBack + owed !== taken) {
    faults.push(`${taken} was taken: ${delivered} delivered, ${handedBack} back, ${owed} owed`);
  }
  for (const line of lines.filter(({ refunded }) => refunded !== undefined)) {
    if (line.status !== "FAILED" || line.refunded !== paidFor(line)) {
      faults.push(`${line.transaction_id} is ${line.status}, and ${line.refunded} was given back`);
    }
  }
  return faults;
}

/** Checks that the clerk's sales never exceeded the daily limit. Refunds reduce the day's total. */
function checkDayLimit(
  { sales, customerRefunds }: Books,
  clerkId: string | undefined,
  timeZone: string,
): string[] {
  const days = new Map<number, number>();
  for (const sale of sales.filter(({ staff_id }) => staff_id === clerkId)) {
    const back = sumOf(customerRefunds, (row) => (row.sale_id === sale.sale_id ? row.amount : 0));
    const day = startOfDay(sale.created_at, calendarOf(timeZone));
    days.set(day, (days.get(day) ?? 0) + sale.total - back);
  }
  return [...days].flatMap(([day, sold]) => {
    return sold > CLERK_PER_DAY ? [`the clerk sold ${sold} on the day from ${day}`] : [];
  });
}

function checkReports(books: Books, counter: SimulatedCounter, environment: string): string[] {
  const faults: string[] = [];
  const reports = books.reports.map((row) => JSON.parse(row.report_json) as ZReport);
  for (const [index, report] of reports.entries()) {
    if (report.zNumber !== index + 1) faults.push(`there is no Z report ${index + 1}`);
    const said = summaryOf(report);
    const counted = JSON.stringify(recount(report, books));
    if (JSON.stringify(said) !== counted) {
      faults.push(`Z ${environment}/${report.zNumber}: ${JSON.stringify(said)}, not ${counted}`);
    }
  }
  for (const { worker, shiftId, answered } of counter.drawers.closings) {
    const kept = reports.find(({ shift }) => shift.shiftId === shiftId);
    // Ignores the shop's cost, which the response omits for people without permission.
    const isSame = JSON.stringify(kept, withoutCost) === JSON.stringify(answered, withoutCost);
    if (answered && worker.environment === environment && !isSame) {
      faults.push(`the report of ${shiftId} is not the one that was answered`);
    }
  }
  return faults;
}

function withoutCost(key: string, value: unknown): unknown {
  return key === "walletSpent" ? undefined : value;
}

function summaryOf({ figures, expectedCash }: ZReport) {
  const cash = figures.tenders.find(({ kind }) => kind === "CASH");
  return {
    sales: figures.sales,
    delivered: figures.delivered,
    notDelivered: figures.notDelivered,
    unfinished: figures.unfinished,
    walletSpent: figures.walletSpent,
    discounts: figures.discounts.value,
    cash: cash?.value ?? 0,
    other: sumOf(figures.tenders, ({ value }) => value) - (cash?.value ?? 0),
    refunded: sumOf(figures.customerRefunds, ({ value }) => value),
    expectedCash,
  };
}

/**
 * Recalculates a report from the rows. Outcomes never change, so a line was final at the close
 * unless the report lists it as unfinished.
 */
function recount({ shift, unfinished }: ZReport, books: Books): ReturnType<typeof summaryOf> {
  const open = new Set(unfinished.map(({ transactionId }) => transactionId));
  const sales = books.sales.filter((row) => row.shift_id === shift.shiftId);
  const saleIds = new Set(sales.map((row) => row.sale_id));
  const lines = books.lines.filter((line) => saleIds.has(line.sale_id));
  const tally = (of: Line[]) => ({ count: of.length, value: sumOf(of, paidFor) });
  const ended = lines.filter((line) => !open.has(line.transaction_id));
  const failed = ended.filter(({ status }) => status === "FAILED");
  const kept = lines.filter((line) => !failed.includes(line));
  const delivered = ended.filter(({ status }) => status === "DONE");
  const tenders = books.tenders.filter((row) => saleIds.has(row.sale_id));
  const cash = sumOf(tenders, (row) => (row.kind === "CASH" ? row.amount : 0));
  const refunded = sumOf(books.customerRefunds, (row) => {
    return row.shift_id === shift.shiftId ? row.amount : 0;
  });
  const moved = sumOf(books.movements, ({ shift_id, kind, amount }) => {
    if (shift_id !== shift.shiftId) return 0;
    return kind === "PAY_IN" ? amount : -amount;
  });
  return {
    sales: { count: new Set(kept.map((line) => line.sale_id)).size, value: sumOf(kept, paidFor) },
    delivered: tally(delivered),
    notDelivered: tally(failed),
    unfinished: tally(lines.filter((line) => open.has(line.transaction_id))),
    walletSpent: sumOf(delivered, (line) => books.captured.get(line.transaction_id) ?? 0),
    discounts: sumOf(kept, ({ discount }) => discount),
    cash,
    other: sumOf(tenders, ({ amount }) => amount) - cash,
    refunded,
    expectedCash: shift.float + cash + moved - refunded,
  };
}

function paidFor({ price, discount }: Pick<Line, "price" | "discount">): number {
  return price - discount;
}

function sumOf<T>(rows: readonly T[], amountOf: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + amountOf(row), 0);
}
