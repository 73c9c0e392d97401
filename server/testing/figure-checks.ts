import { expect } from "vitest";
import { FIGURE_DIMENSIONS, type FigureTender } from "../contract/pos/figures.ts";
import { writerOf } from "./direct-writes.ts";
import {
  clockOf,
  groupTrade,
  joinTrade,
  type PlainTrade,
  plainFigures,
  plainLines,
  plainSpent,
  plainTender,
  plainTenders,
  type Within,
} from "./plain-figures.ts";
import type { TestGateway } from "./test-gateway.ts";
import type { TestTill } from "./test-till.ts";

export interface Compared {
  timeZone: string;
  /** Start of the business day in minutes after midnight; default is 0. */
  dayStartsAt?: number;
  firstDay: string;
  lastDay: string;
}

export async function moveShop(
  gateway: TestGateway,
  timeZone: string,
  dayStartsAt = 0,
): Promise<void> {
  const { db } = gateway.gateway.context;
  await writerOf(db)
    .updateTable("accounts")
    .set({ time_zone: timeZone, day_starts_at: dayStartsAt })
    .execute();
}

async function ask(reader: TestTill, path: string, query: object) {
  const asked = new URLSearchParams(Object.entries(query));
  const { status, body } = await reader.pos("GET", `/figures${path}?${asked}`);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

function onDays({ timeZone, dayStartsAt, firstDay, lastDay }: Compared): Within {
  const clock = clockOf(timeZone, dayStartsAt);
  return (at) => clock(at).date >= firstDay && clock(at).date <= lastDay;
}

export async function checkPeriods(reader: TestTill, trade: PlainTrade, days: Compared) {
  const { timeZone, dayStartsAt, ...asked } = days;
  const clock = clockOf(timeZone, dayStartsAt);
  const byDate = groupTrade(trade, (at) => clock(at).date);
  const plainOf = (firstDay: string, lastDay: string) => {
    const dates = [...byDate].filter(([date]) => date >= firstDay && date <= lastDay);
    return plainFigures(joinTrade(dates.map(([, group]) => group)), () => true);
  };
  for (const by of ["DAY", "WEEK", "MONTH"]) {
    const { figures, list } = await ask(reader, "", { ...asked, by });
    expect(figures).toEqual(plainOf(days.firstDay, days.lastDay));
    for (const { period, figures: found } of list) {
      const { firstDay, lastDay } = period;
      const plain = plainOf(firstDay, lastDay);
      expect({ firstDay, ...found }).toEqual({ firstDay, ...plain });
      expect(plain.sold + plain.refundsDue + plain.cashRounding).toBe(plain.taken + plain.owed);
    }
  }
}

export async function checkParts(reader: TestTill, trade: PlainTrade, days: Compared) {
  const { timeZone: _, dayStartsAt: __, ...asked } = days;
  for (const by of FIGURE_DIMENSIONS) {
    const { list } = await ask(reader, "/parts", { ...asked, by });
    const found = list.map(({ value, figures }: { value: string; figures: object }) => [
      value,
      figures,
    ]);
    const within = onDays(days);
    const values = new Set(trade.lines.filter(({ at }) => within(at)).map((line) => line[by]));
    values.delete(null);
    const plain = [...values].map((value) => [
      value,
      plainLines(
        trade.lines.filter((line) => line[by] === value),
        within,
      ),
    ]);
    expect(Object.fromEntries(found)).toMatchObject(Object.fromEntries(plain));
  }
}

export async function checkHours(reader: TestTill, trade: PlainTrade, days: Compared) {
  const { timeZone, dayStartsAt, ...asked } = days;
  const { list } = await ask(reader, "/hours", asked);
  const clock = clockOf(timeZone, dayStartsAt);
  const isOn = onDays(days);
  const weekdayOf = (date: string) => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  const groups = groupTrade(trade, (at) =>
    isOn(at) ? `${weekdayOf(clock(at).date)} ${clock(at).hour}` : "another day",
  );
  let sold = 0;
  for (const { weekday, hour, figures } of list) {
    const group = groups.get(`${weekday} ${hour}`) ?? joinTrade([]);
    const plain = plainFigures(group, () => true);
    expect({ weekday, hour, ...figures }).toEqual({ weekday, hour, ...plain });
    sold += figures.sold;
  }
  expect(sold).toBe(plainFigures(trade, isOn).sold);
}

export async function checkMoney(reader: TestTill, trade: PlainTrade, days: Compared) {
  const { timeZone: _, dayStartsAt: __, ...asked } = days;
  const { taken, refunded, byTender, tieOut, figures } = await ask(reader, "/money", asked);
  const within = onDays(days);
  const tenders = (sign: 1 | -1) => ({
    cash: plainTender(trade, within, "CASH", sign),
    card: plainTender(trade, within, "CARD", sign),
    other: plainTender(trade, within, "OTHER", sign),
  });
  expect(taken).toEqual(tenders(1));
  expect(refunded).toEqual(tenders(-1));
  const each = byTender.map(({ tenderId, ...sums }: FigureTender) => [
    tenderId,
    { taken: sums.taken, refunded: sums.refunded },
  ]);
  expect(Object.fromEntries(each)).toEqual(plainTenders(trade, within));
  expect(figures).toEqual(plainFigures(trade, within));
  const cost = (sign: 1 | -1) =>
    trade.lines
      .filter((line) => line.sign === sign && within(line.at))
      .reduce((sum, line) => sum + line.walletCost, 0);
  expect(tieOut).toMatchObject({
    costSold: cost(1) - cost(-1),
    walletSpent: plainSpent(trade, within),
    difference: 0,
  });
}

interface Row {
  at: string;
  kind: string;
  transactionId: string;
  sold: number;
  cost: number;
  earned: number;
  amount: number;
}

export async function readRows(reader: TestTill, path: string, query: object): Promise<Row[]> {
  const rows: Row[] = [];
  let before: string | undefined;
  do {
    const page = await ask(reader, path, { ...query, limit: 200, ...(before && { before }) });
    rows.push(...page.list);
    before = page.next;
  } while (before !== undefined);
  const times = rows.map(({ at }) => at);
  expect(times).toEqual(times.toSorted().reverse());
  return rows;
}
