import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { explainPlan } from "../../../testing/explained-plan.ts";
import { makeTrade } from "../../../testing/generated-trade.ts";
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

  it.each(["/charts", "/today"])("count each open quarter hour once for %s", async (path) => {
    statements.clear();
    expect((await owner.pos("GET", `/figures${path}`)).status).toBe(200);
    const counts = [...statements].filter((statement) => statement.includes("'ALL' as dimension"));
    expect(counts).toHaveLength(1);
  });
});
