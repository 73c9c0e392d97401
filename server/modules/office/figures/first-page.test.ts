import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Figures } from "../../../contract/pos/figures.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { moveShop } from "../../../testing/figure-checks.ts";
import { makeTrade } from "../../../testing/generated-trade.ts";
import {
  clockOf,
  type PlainTrade,
  plainFigures,
  plainLines,
  readPlainTrade,
  type Within,
} from "../../../testing/plain-figures.ts";
import { sellSamples } from "../../../testing/sold-samples.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openShift, type TestTill } from "../../../testing/test-till.ts";

/** The tests run on the day after a clock change. */
let gateway: TestGateway;
let owner: TestTill;
let trade: PlainTrade;
const TIME_ZONE = "Europe/Madrid";
const NOW = Date.UTC(2026, 2, 30, 15, 7, 11);
const clock = clockOf(TIME_ZONE);

function on(date: string, until = Infinity): Within {
  return (at) => clock(at).date === date && at < until;
}

beforeAll(async () => {
  gateway = await startTestGateway();
  const { owner: seller, samples } = await sellSamples(gateway);
  const { db } = gateway.gateway.context;
  const start = Date.UTC(2026, 1, 24);
  await writerOf(db)
    .transaction()
    .execute((tx) => makeTrade(tx, { samples, count: 1_000, start, days: 34 }));
  await moveShop(gateway, TIME_ZONE);
  gateway.clock.set(NOW);
  owner = await seller.signIn(seller.staffId, OWNER_PIN, { shift: false });
  await openShift(owner, 20_000);
  const topup = (end: string) => ({
    offerId: "TIGO_GT_TOPUP_25",
    recipientPhoneNumber: `+5025123${end}`,
  });
  await owner.sell([topup("9001"), topup("4567")]);
  await owner.sell([topup("9004")]);
  await gateway.advance(MINUTE);
  trade = await readPlainTrade(db);
});
afterAll(() => gateway.close());

async function firstPage() {
  const { status, body } = await owner.pos("GET", "/figures/today");
  expect(status).toBe(200);
  return body;
}

describe("the first page", () => {
  it("shows today's sales and earnings beside those of a week ago, until the same time of day", async () => {
    const { today, weekAgo, timeZone } = await firstPage();
    expect(timeZone).toBe(TIME_ZONE);
    expect(today.figures).toEqual(plainFigures(trade, on("2026-03-30")));
    expect(today.figures.sold).toBeGreaterThan(0);
    // Plus an hour, because the clock changed within these seven days.
    const until = NOW + MINUTE - 7 * DAY + HOUR;
    expect(Date.parse(weekAgo.period.until)).toBe(until);
    expect(weekAgo.figures).toEqual(plainFigures(trade, on("2026-03-23", until)));
  });

  it("shows the expected cash in open drawers", async () => {
    const { drawers } = await firstPage();
    const cash = 3 * 2_635;
    expect(drawers).toEqual([
      { staffId: owner.staffId, name: "Olga", expectedCash: 20_000 + cash },
    ]);
  });

  it("shows unfinished lines", async () => {
    const { sending } = await firstPage();
    expect(sending).toMatchObject({ lines: 1, amount: 2_635 });
  });

  it("shows refunds due on the money page that equal the sum of their list", async () => {
    const all = "/figures/money?firstDay=2026-01-01&lastDay=2026-03-30";
    const { refundsDue } = (await owner.pos("GET", all)).body.figures;
    const listed: { transactionId: string; amount: number }[] = [];
    const totals: { lines: number; amount: number }[] = [];
    let before: string | undefined;
    do {
      const query = `limit=5${before === undefined ? "" : `&before=${encodeURIComponent(before)}`}`;
      const { body } = await owner.pos("GET", `/figures/owed?${query}`);
      totals.push(body);
      listed.push(...body.list);
      before = body.next;
    } while (before !== undefined);
    expect(listed.length).toBeGreaterThan(0);
    expect(new Set(listed.map(({ transactionId }) => transactionId)).size).toBe(listed.length);
    expect(listed.reduce((sum, { amount }) => sum + amount, 0)).toBe(refundsDue);
    for (const total of totals) {
      expect(total).toMatchObject({ lines: listed.length, amount: refundsDue });
    }
  });

  it("reconciles the cost of sales with the ledger, and forecasts the float", async () => {
    const { float } = await firstPage();
    const today = "/figures/money?firstDay=2026-03-30&lastDay=2026-03-30";
    const { tieOut } = (await owner.pos("GET", today)).body;
    expect(tieOut.difference).toBe(0);
    const { costSold, failedEarlier, notSpent, soldEarlier, integrators, refunded } = tieOut;
    expect(costSold + failedEarlier + notSpent + soldEarlier + integrators + refunded).toBe(
      tieOut.walletSpent,
    );
    // The cost of the line without an outcome is not spent yet. The failed line counts neither as
    // sold nor as spent.
    expect(notSpent).toBe(-297);
    const since = Math.floor((NOW + MINUTE - 28 * DAY) / 900_000) * 900_000;
    const until = NOW + MINUTE + 1;
    const recent = trade.lines.filter(({ at }) => at >= since && at < until);
    const cost = recent.reduce((sum, { sign, walletCost }) => sum + sign * walletCost, 0);
    const sales = recent.reduce(
      (sum, { sign, first, lastFailed }) => sum + (sign === 1 ? Number(first) : -lastFailed),
      0,
    );
    expect(float.salesLeft).toBe(Math.floor((float.available * sales) / cost));
  });

  it("shows when a small float runs out, calculated from the spending of earlier weeks", async () => {
    const { db } = gateway.gateway.context;
    const { available } = (await firstPage()).float;
    const account = writerOf(db)
      .updateTable("ledger_accounts")
      .where("environment", "=", "test")
      .where("name", "=", "wallet.available");
    await account.set({ balance: 5_000 }).execute();
    const { float } = await firstPage();
    const lasts = Date.parse(float.lastsUntil);
    expect(lasts).toBeGreaterThanOrEqual(NOW);
    const spentBefore = (end: number) =>
      trade.lines
        .filter(({ at }) =>
          [1, 2, 3, 4].some((weeks) => {
            const [from, until] = [NOW - (NOW % 900_000), end].map((t) => t - weeks * 7 * DAY);
            return at >= (from ?? 0) && at < (until ?? 0);
          }),
        )
        .reduce((sum, { sign, walletCost }) => sum + sign * walletCost, 0) / 4;
    expect(spentBefore(lasts)).toBeLessThanOrEqual(5_000);
    expect(spentBefore(lasts + 900_000)).toBeGreaterThan(5_000);
    await account.set({ balance: available }).execute();
  });
});

describe("the charts of the first page", () => {
  it("show days, brands, weekdays, and today's hours beside the median of four weeks", async () => {
    const { body } = await owner.pos("GET", "/figures/charts");
    const soldOn = (date: string, hour: number) =>
      plainFigures(trade, (at) => clock(at).date === date && clock(at).hour === hour).sold;
    for (const { hour, sold, usual } of body.hours) {
      expect([hour, sold]).toEqual([hour, soldOn("2026-03-30", hour)]);
      const before = ["2026-03-23", "2026-03-16", "2026-03-09", "2026-03-02"]
        .map((date) => soldOn(date, hour))
        .sort((a, b) => a - b);
      expect([hour, usual]).toEqual([hour, Math.round(((before[1] ?? 0) + (before[2] ?? 0)) / 2)]);
    }
    expect(body.days).toHaveLength(30);
    for (const { day, sold, earned } of body.days) {
      expect({ day, sold, earned }).toMatchObject({ day, sold: plainFigures(trade, on(day)).sold });
      expect(earned).toBe(plainFigures(trade, on(day)).earned);
    }
    const since = body.days[0].day;
    for (const { brand, figures } of body.brands) {
      const lines = trade.lines.filter((line) => line.BRAND === brand);
      expect(figures).toEqual(plainLines(lines, (at) => clock(at).date >= since));
    }
    const [last] = body.float.slice(-1);
    expect(last.available).toBe((await firstPage()).float.available);
    expect(body.week.length).toBeGreaterThan(80);
    const places: number[] = body.week.map(
      ({ weekday, hour }: { weekday: number; hour: number }) => 24 * weekday + hour,
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

describe("a failed line of a sale", () => {
  it("stops counting as sold at once, and its price counts as due until it is refunded", async () => {
    const refused = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251239001" };
    const read = async () => (await firstPage()).today.figures as Figures;
    const before = await read();
    const { saleId, lines } = (await owner.sell([refused])).body;
    await gateway.advance(MINUTE);
    const failed = await read();
    expect(failed).toEqual({
      ...before,
      linesFailed: before.linesFailed + 1,
      refundsDue: before.refundsDue + 2_635,
      taken: before.taken + 2_635,
    });
    const shift = (await owner.pos("GET", "/shifts/current")).body.shift.shiftId;
    const x = (await owner.pos("GET", `/shifts/${shift}/x`)).body;
    const due = x.owed.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
    expect(x.figures.refundsDue).toEqual({ count: x.owed.length, value: due });
    expect(x.figures.sales.value).toBe(x.figures.delivered.value + x.figures.unfinished.value);
    const body = { customerRefundId: randomUUID(), lines: [lines[0]?.transactionId] };
    expect((await owner.pos("POST", `/sales/${saleId}/customer-refunds`, body)).status).toBe(200);
    expect(await read()).toEqual({
      ...failed,
      refundsDue: before.refundsDue,
      taken: before.taken,
      refunded: failed.refunded + 2_635,
    });
    await gateway.expectCleanBooks();
  });
});

describe("figures", () => {
  it("appear only for the owner and for people with the permission", async () => {
    const eva = { name: "Eva", role: "supervisor", pin: "629318" };
    const { staffId } = (await owner.pos("POST", "/staff", eva)).body;
    const supervisor = await owner.signIn(staffId, eva.pin, { shift: false });
    const refused = await supervisor.pos("GET", "/figures/today");
    expect([refused.status, refused.body.errorCode]).toEqual([403, "FORBIDDEN"]);
    await owner.pos("PATCH", `/staff/${staffId}`, { ownRights: { seeFigures: true } });
    const again = await owner.signIn(staffId, eva.pin, { shift: false });
    expect((await again.pos("GET", "/figures/today")).status).toBe(200);
  });
});
