import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QUARTER_MS } from "../../../db/figure-sums.ts";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { explainPlan } from "../../../testing/explained-plan.ts";
import { checkMoney, checkParts, checkPeriods, moveShop } from "../../../testing/figure-checks.ts";
import { makeTrade } from "../../../testing/generated-trade.ts";
import { readPlainTrade } from "../../../testing/plain-figures.ts";
import { isWalk } from "../../../testing/query-walks.ts";
import { sellSamples } from "../../../testing/sold-samples.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, type TestTill } from "../../../testing/test-till.ts";
import { sumTaxRates } from "./money-service.ts";

let gateway: TestGateway;
let owner: TestTill;
const statements = new Set<string>();
const DAYS = "firstDay=2026-03-01&lastDay=2026-03-31";
const PATHS = [
  "/today",
  "/charts",
  `?${DAYS}&by=DAY`,
  `/hours?${DAYS}`,
  `/money?${DAYS}`,
  ...["FAMILY", "BRAND", "COUNTRY", "CLERK", "KEY", "PROVIDER"].map(
    (by) => `/parts?${DAYS}&by=${by}`,
  ),
  `/lines?${DAYS}&limit=50`,
  `/lines?${DAYS}&limit=50&by=BRAND&value=TIGO`,
  `/lines?${DAYS}&limit=50&by=KEY&value=UNKNOWN`,
  `/lines?${DAYS}&limit=50&by=CHANNEL&value=API`,
  `/lines?${DAYS}&limit=50&by=PROVIDER&value=p2`,
  `/movements?${DAYS}&limit=50`,
  "/owed?limit=50",
];

beforeAll(async () => {
  gateway = await startTestGateway({ onStatement: (statement) => statements.add(statement) });
  const { owner: seller, samples } = await sellSamples(gateway);
  const start = Date.UTC(2026, 2, 1);
  await writerOf(gateway.gateway.context.db)
    .transaction()
    .execute((tx) => makeTrade(tx, { samples, count: 300, start, days: 10 }));
  gateway.clock.set(Date.UTC(2026, 2, 11, 12));
  owner = await seller.signIn(seller.staffId, OWNER_PIN);
});
afterAll(() => gateway.close());

const explain = (statement: string) => explainPlan(gateway.gateway.context.db, statement);

describe("the query plans of figures", () => {
  it("reveal a scan of a whole table", async () => {
    const walks = [
      "select sum(price) from sale_lines",
      "select sum(paid) from day_figures where account_id = 'a' and environment = 'test'",
    ];
    for (const walk of walks) expect((await explain(walk)).some(isWalk)).toBe(true);
  });

  it("use a time-ordered index for the tax by rate", async () => {
    statements.clear();
    const scope = { accountId: "default", environment: "test", currency: "GTQ" } as const;
    const span = { from: Date.UTC(2026, 2, 1), until: Date.UTC(2026, 2, 2) };
    await sumTaxRates(gateway.gateway.context.db, scope, span);
    const [statement = ""] = statements;
    expect((await explain(statement)).filter(isWalk)).toEqual([]);
  });

  it.each(PATHS)("use an index by time or by value for %s", async (path) => {
    statements.clear();
    expect((await owner.pos("GET", `/figures${path}`)).status).toBe(200);
    const asked = [...statements].filter((statement) => /^\s*(select|with)\b/i.test(statement));
    expect(asked.length).toBeGreaterThan(0);
    for (const statement of asked) {
      expect([statement, (await explain(statement)).filter(isWalk)]).toEqual([statement, []]);
    }
  });

  it("read the rare returned lines within the time of a full page only", async () => {
    statements.clear();
    const { list } = (await owner.pos("GET", `/figures/lines?${DAYS}&limit=50`)).body;
    expect(list).toHaveLength(50);
    const firstDay = Date.UTC(2026, 2, 1);
    for (const column of ["l.returned_at", "t.created_at", "x.finished_at"]) {
      const [table, name] = column.split(".");
      const start = new RegExp(`"${table}"."${name}" >= \\+(\\d+)`);
      const [from] = [...statements].flatMap((statement) => start.exec(statement)?.[1] ?? []);
      expect([column, Number(from) > firstDay + DAY]).toEqual([column, true]);
    }
  });

  it.each(["/charts", "/today"])("count a final quarter hour once for %s", async (path) => {
    await owner.pos("GET", `/figures${path}`);
    statements.clear();
    expect((await owner.pos("GET", `/figures${path}`)).status).toBe(200);
    const counts = [...statements].filter((statement) => /as dimension/.test(statement));
    const starts = counts.map((statement) => Number(/created_at >= \+(\d+)/.exec(statement)?.[1]));
    // The newest event is the sign-in's shift, at the time of the clock.
    const quarter = gateway.clock.now() - (gateway.clock.now() % QUARTER_MS);
    for (const start of starts) expect(start).toBeGreaterThanOrEqual(quarter);
    expect(starts.length).toBeGreaterThan(0);
  });
});

describe("sums that are kept between requests", () => {
  const steps = fc.array(
    fc.record({
      what: fc.constantFrom("DELIVERED", "QUEUED", "REFUSED", "HANDED_BACK", "NOTHING"),
      minutes: fc.nat({ max: 25 }),
    }),
    { minLength: 3, maxLength: 6 },
  );
  const NUMBERS = {
    DELIVERED: "+50251234567",
    QUEUED: "+50251239004",
    REFUSED: "+50251239001",
  };

  it("equal those counted from rows, whatever happens between the requests", async () => {
    const { db } = gateway.gateway.context;
    const days = { timeZone: "Asia/Kathmandu", firstDay: "2026-03-08", lastDay: "2026-03-13" };
    await moveShop(gateway, days.timeZone);
    const refused: { saleId: string; transactionId: string }[] = [];
    const take = async (what: keyof typeof NUMBERS | "HANDED_BACK" | "NOTHING") => {
      if (what === "NOTHING") return;
      const back = what === "HANDED_BACK" ? refused.pop() : undefined;
      if (back) {
        const body = { customerRefundId: randomUUID(), lines: [back.transactionId] };
        const { status } = await owner.pos("POST", `/sales/${back.saleId}/customer-refunds`, body);
        expect(status).toBe(200);
      }
      if (what === "HANDED_BACK") return;
      const line = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: NUMBERS[what] };
      const { status, body } = await owner.sell([line]);
      expect(status).toBe(200);
      if (what !== "REFUSED") return;
      await gateway.advance(MINUTE);
      const { transactionId } = body.lines[0];
      refused.push({ saleId: body.saleId, transactionId });
    };
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        for (const { what, minutes } of list) {
          await gateway.advance(minutes * MINUTE);
          owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
          await take(what);
          const trade = await readPlainTrade(db);
          await checkPeriods(owner, trade, days);
          await checkParts(owner, trade, days);
          await checkMoney(owner, trade, days);
        }
      }),
      { numRuns: 5 },
    );
  });
});
