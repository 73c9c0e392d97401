import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POSTING_KINDS, type StatementEntry } from "../../../contract/pos/wallet-office.ts";
import { MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { explainPlan } from "../../../testing/explained-plan.ts";
import { makeTrade } from "../../../testing/generated-trade.ts";
import { onlySqlite, READS_PLANS } from "../../../testing/only-sqlite.ts";
import { sellSamples } from "../../../testing/sold-samples.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, type TestTill } from "../../../testing/test-till.ts";

let gateway: TestGateway;
let owner: TestTill;
const statements = new Set<string>();

beforeAll(async () => {
  gateway = await startTestGateway({ onStatement: (statement) => statements.add(statement) });
  const { owner: seller, samples } = await sellSamples(gateway);
  const start = Date.UTC(2026, 2, 1);
  await writerOf(gateway.gateway.context.db)
    .transaction()
    .execute((tx) => makeTrade(tx, { samples, count: 120, start, days: 10 }));
  gateway.clock.set(Date.UTC(2026, 2, 12, 12));
  owner = await seller.signIn(seller.staffId, OWNER_PIN);
  const input = { rechargeId: randomUUID(), environment: "test", amount: 4_200, reference: "=1+1" };
  await owner.pos("POST", "/wallet/recharges", input);
  await gateway.advance(MINUTE);
});
afterAll(() => gateway.close());

async function readAll(filter: string): Promise<StatementEntry[]> {
  const all: StatementEntry[] = [];
  let before = "";
  for (;;) {
    const { status, body } = await owner.pos("GET", `/wallet/statement?limit=37${filter}${before}`);
    expect(status).toBe(200);
    all.push(...body.list);
    if (body.next === undefined) return all;
    before = `&before=${body.next}`;
  }
}

describe("the wallet statement", () => {
  it("lists every posting once with the resulting balance, newest first", async () => {
    const all = await readAll("");
    const { db } = gateway.gateway.context;
    const postings = await db.selectFrom("ledger_postings").select("posting_id").execute();
    expect(new Set(all.map(({ entryId }) => entryId))).toEqual(
      new Set(postings.map(({ posting_id }) => posting_id)),
    );
    expect(all).toHaveLength(postings.length);
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
    const entries = await db.selectFrom("ledger_entries").selectAll().execute();
    const said = (id: number, name: string) =>
      entries
        .filter((entry) => entry.posting_id === id && entry.name === name)
        .map(({ amount, balance_after }) => ({ change: amount, balance: balance_after }))[0];
    for (const { entryId, available, held } of all) {
      expect([available, held]).toEqual([
        said(entryId, "wallet.available"),
        said(entryId, "wallet.held"),
      ]);
    }
    const [newest] = all;
    expect(newest).toMatchObject({ kind: "RECHARGE", reference: "=1+1" });
    expect(all.some(({ brandName, saleNumber }) => brandName && saleNumber)).toBe(true);
  });

  it("can be filtered by kind and by days of the shop", async () => {
    const all = await readAll("");
    for (const kind of POSTING_KINDS) {
      const wanted = all.filter((entry) => entry.kind === kind);
      expect(wanted.length, kind).toBeGreaterThan(0);
      expect(await readAll(`&kind=${kind}`)).toEqual(wanted);
    }
    const days = "&firstDay=2026-03-02&lastDay=2026-03-03";
    const zone = (await owner.pos("GET", "/settings")).body.timeZone;
    const dayOf = (at: string) => new Date(at).toLocaleDateString("sv-SE", { timeZone: zone });
    const wanted = all.filter(({ at }) => ["2026-03-02", "2026-03-03"].includes(dayOf(at)));
    expect(await readAll(days)).toEqual(wanted);
  });

  it("can be exported as a file with quoted texts, decimal points and no formula", async () => {
    const path = "/wallet/statement.csv?firstDay=2026-03-12&lastDay=2026-03-12";
    const { body, headers } = await owner.pos("GET", path);
    expect(headers.get("content-type")).toContain("text/csv");
    const [head, row] = String(body).split("\r\n");
    expect(head).toMatch(/^\uFEFF?"at","entryId","kind"/);
    expect(row).toContain('"RECHARGE"');
    expect(row).toContain(`"'=1+1",42.00,`);
    const trail = await owner.pos("GET", "/audit-trail?action=figures.export&limit=1");
    expect(trail.body.list[0]).toMatchObject({
      staff: { staffId: owner.staffId },
      detail: { rows: "STATEMENT", firstDay: "2026-03-12", lastDay: "2026-03-12" },
    });
  });

  it.each([
    ["firstDay=2026-03-01", "lastDay"],
    ["lastDay=2026-03-01", "firstDay"],
    ["before=nowhere", "before"],
    ["kind=CASH", "kind"],
  ])("refuses %s and names the field", async (query, field) => {
    const { status, body } = await owner.pos("GET", `/wallet/statement?limit=5&${query}`);
    expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
  });

  it.each(["", ...POSTING_KINDS.map((kind) => `&kind=${kind}`)])(
    "reads a page from its position in an index, without a sort%s",
    onlySqlite(READS_PLANS),
    async (kind) => {
      const days = "&firstDay=2026-03-02&lastDay=2026-03-20";
      const deep = `&before=${Date.UTC(2026, 2, 5)}-99999`;
      for (const rest of ["", days, deep, days + deep]) {
        statements.clear();
        const asked = await owner.pos("GET", `/wallet/statement?limit=20${kind}${rest}`);
        expect(asked.status).toBe(200);
        const [statement = ""] = [...statements].filter((one) => /from ledger_postings/.test(one));
        const plan = await explainPlan(gateway.gateway.context.db, statement);
        expect(plan[0]).toMatch(
          /SEARCH p USING .*INDEX ledger_postings_(by_time|rare) \(.*posted_at/,
        );
        expect(plan.filter((step) => /SCAN|TEMP B-TREE/.test(step))).toEqual([]);
      }
    },
  );
});
