import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import {
  type Compared,
  checkHours,
  checkMoney,
  checkParts,
  checkPeriods,
  moveShop,
  readRows,
} from "../../../testing/figure-checks.ts";
import { makeTrade } from "../../../testing/generated-trade.ts";
import { type PlainTrade, plainFigures, readPlainTrade } from "../../../testing/plain-figures.ts";
import { sellSamples } from "../../../testing/sold-samples.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, type TestTill } from "../../../testing/test-till.ts";
import { sumSpans } from "./figure-sums-store.ts";

let gateway: TestGateway;
let owner: TestTill;
let trade: PlainTrade;
const START = Date.UTC(2026, 1, 27);
const NOW = Date.UTC(2026, 2, 25, 15, 7);
const MONTH = { firstDay: "2026-03-01", lastDay: "2026-03-31" };
/** Zones whose clocks change on 8 March, on 29 March, and never. */
const ZONES: [timeZone: string, dayStartsAt: number][] = [
  ["America/New_York", 0],
  ["Europe/Madrid", 0],
  ["Asia/Kathmandu", 0],
  // Days that start after midnight, even at a time that the clock change skips.
  ["America/New_York", 150],
  ["Europe/Madrid", 360],
  ["Asia/Kathmandu", 30],
];

beforeAll(async () => {
  gateway = await startTestGateway();
  const { owner: seller, samples } = await sellSamples(gateway);
  const { db } = gateway.gateway.context;
  await writerOf(db)
    .transaction()
    .execute((tx) => makeTrade(tx, { samples, count: 1_500, start: START, days: 26 }));
  gateway.clock.set(NOW);
  owner = await seller.signIn(seller.staffId, OWNER_PIN);
  const waiting = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251239004" };
  await owner.sell([waiting]);
  const refused = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251239001" };
  await owner.sell([refused, { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" }]);
  await gateway.advance(MINUTE);
  trade = await readPlainTrade(db);
});
afterAll(() => gateway.close());

describe.each(ZONES)(
  "figures in %s, with days that start %i minutes after midnight",
  (timeZone, dayStartsAt) => {
    const days: Compared = { timeZone, dayStartsAt, ...MONTH };
    beforeAll(() => moveShop(gateway, timeZone, dayStartsAt));

    it("equal the sums of the rows for each day, week and month", () =>
      checkPeriods(owner, trade, days));
    it("equal the sums of the rows for every family, brand, country and clerk", () =>
      checkParts(owner, trade, days));
    it("equal the sums of the rows for every hour of the week", () =>
      checkHours(owner, trade, days));
    it("agree with the tenders on payments, and with the ledger on costs", () =>
      checkMoney(owner, trade, days));
  },
);

it("figures of a month are compared with the previous month, or with the same part of it if the month is unfinished", async () => {
  await moveShop(gateway, "Europe/Madrid");
  const { body } = await owner.pos("GET", "/figures?firstDay=2026-03-01&lastDay=2026-03-31&by=DAY");
  expect(body.period.isUnfinished).toBe(true);
  const until = Date.UTC(2026, 1, 25, 15, 8);
  expect(body.before.period).toMatchObject({
    firstDay: "2026-02-01",
    from: "2026-01-31T23:00:00.000Z",
    until: new Date(until).toISOString(),
  });
  const days = (await owner.pos("GET", "/figures?firstDay=2026-03-03&lastDay=2026-03-05&by=DAY"))
    .body;
  expect(days.before.period).toMatchObject({ firstDay: "2026-02-28", lastDay: "2026-03-02" });
  const from = Date.parse(days.before.period.from);
  expect(days.before.figures).toEqual(
    plainFigures(trade, (at) => at >= from && at < Date.parse(days.period.from)),
  );
});

it("a later start of the day moves sales to other days at once, and is recorded in the audit trail", async () => {
  await moveShop(gateway, "Europe/Madrid");
  const month = "firstDay=2026-03-01&lastDay=2026-03-24";
  const read = async () => {
    const { figures, list } = (await owner.pos("GET", `/figures?${month}&by=DAY`)).body;
    return { sold: figures.sold, days: list.map((one: { figures: object }) => one.figures) };
  };
  const before = await read();
  const settings = (await owner.pos("GET", "/settings")).body;
  for (const dayStartsAt of [15, 390, -30]) {
    const { status, body } = await owner.pos("PUT", "/settings", { ...settings, dayStartsAt });
    expect([status, Object.keys(body.fields)]).toEqual([400, ["dayStartsAt"]]);
  }
  await owner.pos("PUT", "/settings", { ...settings, dayStartsAt: 270 });
  expect((await owner.pos("GET", "/status")).body.dayStartsAt).toBe(270);
  expect(await read()).not.toEqual(before);
  await checkPeriods(owner, trade, { timeZone: "Europe/Madrid", dayStartsAt: 270, ...MONTH });
  const { today, weekAgo } = (await owner.pos("GET", "/figures/today")).body;
  expect(today.period.from).toBe("2026-03-25T03:30:00.000Z");
  expect(weekAgo.period.from).toBe("2026-03-18T03:30:00.000Z");
  const until = Date.parse(weekAgo.period.until) - Date.parse(weekAgo.period.from);
  expect(until).toBe(gateway.clock.now() - Date.parse(today.period.from));
  const { hours } = (await owner.pos("GET", "/figures/charts")).body;
  expect([hours[0].hour, hours[23].hour]).toEqual([4, 3]);
  await owner.pos("PUT", "/settings", { ...settings, dayStartsAt: 0 });
  expect(await read()).toEqual(before);
  const { list } = (await owner.pos("GET", "/audit-trail?limit=1")).body;
  expect(list[0]).toMatchObject({
    action: "settings.change",
    detail: { dayStartsAt: 0, "dayStartsAt.was": 270 },
  });
  await gateway.expectCleanBooks();
});

it("between any two moments, sold + refunds due + cash rounding = taken + owed", async () => {
  const { db } = gateway.gateway.context;
  const scope = { accountId: "default", environment: "test", currency: "GTQ" } as const;
  const moment = fc.integer({ min: START - DAY, max: START + 30 * DAY });
  await fc.assert(
    fc.asyncProperty(moment, moment, async (one, other) => {
      const span = { from: Math.min(one, other), until: Math.max(one, other) };
      const [sums] = await sumSpans(db, scope, [span]);
      const plain = plainFigures(trade, (at) => at >= span.from && at < span.until);
      expect(sums?.paid).toBe(plain.sold + (sums?.paid_back ?? 0));
      expect(plain.sold + plain.refundsDue + plain.cashRounding).toBe(plain.taken + plain.owed);
      const ofApi = trade.lines.filter(
        ({ at, CHANNEL }) => CHANNEL === "API" && at >= span.from && at < span.until,
      );
      expect(plain.owed).toBe(ofApi.reduce((sum, { sign, price }) => sum + sign * price, 0));
      expect((sums?.sales ?? 0) - (sums?.sales_back ?? 0)).toBe(plain.sales);
    }),
    { numRuns: 40 },
  );
});

describe("the rows behind a figure", () => {
  it("add up to the figure without repeated rows, even for a single value of a dimension", async () => {
    await moveShop(gateway, "America/New_York");
    const { figures } = (
      await owner.pos("GET", "/figures?firstDay=2026-03-07&lastDay=2026-03-09&by=DAY")
    ).body;
    const days = { firstDay: "2026-03-07", lastDay: "2026-03-09" };
    const rows = await readRows(owner, "/lines", days);
    const sum = (list: typeof rows, of: "sold" | "cost" | "earned") =>
      list.reduce((total, row) => total + row[of], 0);
    expect(sum(rows, "sold")).toBe(figures.sold);
    expect(sum(rows, "earned")).toBe(figures.earned);
    expect(rows).toHaveLength(figures.lines + 2 * figures.linesFailed);
    expect(new Set(rows.map((row) => row.kind + row.transactionId)).size).toBe(rows.length);
    const { list } = (
      await owner.pos("GET", "/figures/parts?firstDay=2026-03-07&lastDay=2026-03-09&by=BRAND")
    ).body;
    for (const { value, figures: part } of list) {
      const of = await readRows(owner, "/lines", { ...days, by: "BRAND", value });
      expect([value, sum(of, "sold"), sum(of, "cost")]).toEqual([value, part.sold, part.cost]);
    }
    const movements = await readRows(owner, "/movements", days);
    expect(movements.reduce((total, row) => total + row.amount, 0)).toBe(figures.taken);
  });

  it("can be exported with a byte order mark, quoted texts and decimal points", async () => {
    const path = "/pos/figures/lines.csv?firstDay=2026-03-07&lastDay=2026-03-09";
    const answer = await fetch(gateway.url + path, { headers: { cookie: owner.cookie } });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect(Buffer.from(bytes.slice(0, 3)).toString("hex")).toBe("efbbbf");
    expect(answer.headers.get("content-disposition")).toContain("sold-2026-03-07-2026-03-09.csv");
    const [head = "", ...lines] = new TextDecoder().decode(bytes).trimEnd().split("\r\n");
    const column = head.split(",").indexOf('"sold"');
    const rows = await readRows(owner, "/lines", { firstDay: "2026-03-07", lastDay: "2026-03-09" });
    expect(lines.map((line) => Math.round(Number(line.split(",")[column]) * 100))).toEqual(
      rows.map(({ sold }) => sold),
    );
    expect(lines[0]).toMatch(/^"2026-[^"]*Z","\w+","\d+","/);
  });
});

describe("a sum with a wrong checksum", () => {
  it.each(["ALL", "FAMILY"])(
    "a sum with a wrong checksum in %s is recounted before it is used",
    async (dimension) => {
      const { db } = gateway.gateway.context;
      const parts = "/figures/parts?firstDay=2026-03-02&lastDay=2026-03-20&by=FAMILY";
      const days = "/figures?firstDay=2026-03-02&lastDay=2026-03-20&by=DAY";
      const before = [
        (await owner.pos("GET", parts)).body.list,
        (await owner.pos("GET", days)).body.list,
      ];
      await sql`update day_figures set paid = paid + 512
      where lines > 1 and dimension = ${dimension}`.execute(writerOf(db));
      const after = [
        (await owner.pos("GET", parts)).body.list,
        (await owner.pos("GET", days)).body.list,
      ];
      expect(after).toEqual(before);
    },
  );
});

it.each([
  ["firstDay=2026-02-30&lastDay=2026-03-01", "firstDay"],
  ["firstDay=2026-03-02&lastDay=2026-03-01", "lastDay"],
  ["firstDay=2020-03-02&lastDay=2026-03-01", "lastDay"],
])("a request for invalid days causes an error that names the field: %s", async (days, field) => {
  const { status, body } = await owner.pos("GET", `/figures/hours?${days}`);
  expect([status, body.errorCode, Object.keys(body.fields)]).toEqual([
    400,
    "INVALID_REQUEST",
    [field],
  ]);
});
