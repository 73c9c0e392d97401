import { CompiledQuery } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MINUTE } from "../lib/clock.ts";
import { writerOf } from "../testing/direct-writes.ts";
import { explainPlan } from "../testing/explained-plan.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { openShift, openTill, type TestTill } from "../testing/test-till.ts";

/**
 * Checks that no request scans or sorts a table (rules#list-cost), for every list with every
 * combination of its filters.
 */
let till: TestGateway;
const statements = new Set<string>();
let document: {
  paths: Record<string, { get?: { parameters?: { name: string; in: string }[] } }>;
};

beforeAll(async () => {
  till = await startTestGateway({ onStatement: (sql) => statements.add(sql) });
  document = (await till.call("GET", "/v1/openapi.json")).body;
  await buy("done", "+50251234567");
  await buy("waiting", "+50251239004");
  await till.advance(MINUTE);
  statements.clear();
});
afterAll(() => till.close());

function buy(transactionId: string, recipientPhoneNumber: string) {
  const offerId = "TIGO_GT_TOPUP_25";
  return till.v1("POST", "/topups/purchases", { offerId, transactionId, recipientPhoneNumber });
}

const VALUES: Record<string, string[]> = {
  brand: ["TIGO"],
  country: ["GT"],
  regions: ["Central America"],
  region: ["Central America"],
  subType: ["Mobile Top Up"],
  language: ["es"],
  status: ["DONE", "IN_PROGRESS"],
  type: ["DEBIT", "CREDIT"],
  productType: ["TOPUP", "WALLET_RECHARGE", "BULK_CHECKOUT"],
  createdAt: [
    "gte2026-01-01T00:00:00.000Z",
    "lt2027-01-01T00:00:00.000Z",
    "2026-01-15T09:30:00.000Z",
  ],
  updatedAt: ["gte2026-01-01T00:00:00.000Z", "lt2027-01-01T00:00:00.000Z"],
};

function lists(): [path: string, filters: string[]][] {
  return Object.entries(document.paths).flatMap(([path, { get }]): [string, string[]][] => {
    const names = (get?.parameters ?? []).filter((p) => p.in === "query").map(({ name }) => name);
    if (!names.includes("_limit")) return [];
    return [[path.replace("/v1", ""), names.filter((name) => !name.startsWith("_"))]];
  });
}

function queriesOf(path: string, filters: string[]): string[] {
  return filters.reduce(
    (queries, name) => {
      const values = name === "status" && path === "/promos" ? ["active"] : VALUES[name];
      if (!values) throw new Error(`there is no value for the filter ${name} of ${path}`);
      return queries.flatMap((query) => [
        query,
        ...values.map((value) => `${query}&${name}=${encodeURIComponent(value)}`),
      ]);
    },
    ["_limit=5&_offset=0"],
  );
}

/**
 * Matches scans and sorts. Allows scans of tables with few rows: a machine has few accounts, and
 * each environment at most one catalog upload.
 */
const LOOKS_THROUGH =
  /^SCAN (?!CONSTANT|\d+ CONSTANT ROWS|\d+-ROW VALUES|accounts\b|catalog_files\b)|TEMP B-TREE/;
const IS_FIRST_JOB = /from "jobs" order by "run_at" limit \+\d+(\.0)?$/;

const planOf = (sql: string) => explainPlan(till.gateway.context.db, sql);

/** Matches the use of an index that restricts only by account and environment. */
const IS_OF_ACCOUNT_ONLY =
  /^SEARCH (?<table>\w+)(?: USING| AS \w+ USING)?.* INDEX (?<index>\w+) \(account_id=\? AND environment=\?\)/;
const OF_EVERY_LIST = ["account_id", "environment", "training"];
const CONDITION = /^"?(?:(?<alias>\w+)"?\."?)?(?<column>\w+)"? (?:=|<|>|<=|>=|in|like|is) /;

/**
 * Returns the filtered columns of a statement without joins. Omits the columns that every list
 * filters by.
 */
function filtersOf(sql: string): string[] {
  const [, where = ""] = / where (.*?)(?: group by | order by | limit |$)/s.exec(sql) ?? [];
  return where.split(" and ").flatMap((condition) => {
    const { column } = CONDITION.exec(condition)?.groups ?? {};
    return column && !OF_EVERY_LIST.includes(column) ? [column] : [];
  });
}

/** Returns whether an index is partial: the condition of such an index is a filter too. */
async function isPartial(index: string): Promise<boolean> {
  const row = await till.gateway.context.db.executeQuery<{ sql: string }>(
    CompiledQuery.raw("select sql from sqlite_schema where name = ?", [index]),
  );
  const [, condition = ""] = / where (.*)$/is.exec(row.rows[0]?.sql ?? "") ?? [];
  return condition !== "" && condition.trim() !== "training = 0";
}

async function visitsAccount(detail: string, sql: string): Promise<boolean> {
  const { index = "" } = IS_OF_ACCOUNT_ONLY.exec(detail)?.groups ?? {};
  if (index === "" || / join /.test(sql) || filtersOf(sql).length === 0) return false;
  // This statement reads only the first entry of each index.
  if (sql.trim().startsWith("select (select ")) return false;
  return !(await isPartial(index));
}

async function complaintsOf(executed: Iterable<string>): Promise<string[]> {
  const complaints: string[] = [];
  for (const sql of executed) {
    if (!/^\s*(select|update|delete|insert|with)\b/i.test(sql)) continue;
    for (const detail of await planOf(sql)) {
      if (await visitsAccount(detail, sql)) complaints.push(`EVERY ROW ${detail}: ${sql}`);
      if (LOOKS_THROUGH.test(detail) && !IS_FIRST_JOB.test(sql)) {
        complaints.push(`${detail}: ${sql}`);
      }
    }
  }
  return complaints;
}

async function complaintsDuring(work: () => Promise<unknown>): Promise<string[]> {
  statements.clear();
  await work();
  const executed = [...statements];
  expect(executed.length).toBeGreaterThan(0);
  return complaintsOf(executed);
}

describe("the check of query plans", () => {
  it("reports scans and sorts", async () => {
    const bad = [
      "select * from transactions where amount = 5",
      "select offer_id from offers where account_id = 'a' and environment = 'test' order by updated_at",
    ];
    const [scan, sort] = await complaintsOf(bad);
    expect(scan).toContain("SCAN transactions");
    expect(sort).toContain("TEMP B-TREE FOR ORDER BY");
  });

  it.each(["amount = 5", "amount in (5, 6)", "currency like 'U%'"])(
    "reports a visit of every row of an account for %s",
    async (filter) => {
      const where = `account_id = 'a' and environment = 'test' and training = 0 and ${filter}`;
      for (const rest of ["", "order by created_at desc, transaction_id limit 5 offset 0"]) {
        const found = await complaintsOf([`select * from transactions where ${where} ${rest}`]);
        expect(found).toEqual([expect.stringContaining("EVERY ROW SEARCH transactions")]);
      }
    },
  );

  it("accepts an index that covers the filter", async () => {
    const scoped = "account_id = 'a' and environment = 'test' and training = 0";
    const good = [
      `select * from transactions where ${scoped} and status = 'DONE' order by created_at desc, transaction_id`,
      `select * from transactions where ${scoped} order by created_at desc, transaction_id`,
    ];
    expect(await complaintsOf(good)).toEqual([]);
  });

  it("finds an index for every list with every combination of its filters", async () => {
    const all = lists();
    expect(all.length).toBeGreaterThanOrEqual(7);
    for (const [path, filters] of all) {
      const complaints = await complaintsDuring(async () => {
        // A commit discards remembered responses, so that the query is executed.
        await till.gateway.context.keys.create({ accountId: "default", environment: "live" }, path);
        for (const query of queriesOf(path, filters)) {
          const { status } = await till.v1("GET", `${path}?${query}`);
          expect([query, status]).toEqual([query, 200]);
        }
      });
      expect(complaints).toEqual([]);
    }
  });

  it("finds an index for every single-record request", async () => {
    const paths = ["/balance", "/transactions/done", "/topups/purchases/done", "/brands/TIGO"];
    const complaints = await complaintsDuring(async () => {
      for (const path of paths) expect((await till.v1("GET", path)).status).toBe(200);
    });
    expect(complaints).toEqual([]);
  });

  it("finds an index for loading the catalog", async () => {
    const complaints = await complaintsDuring(async () => {
      await till.restart();
      statements.clear();
      await till.v1("GET", "/topups/offers?_limit=1&_offset=0");
    });
    expect([...statements].some((sql) => /from "offers"/.test(sql))).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("finds an index for the webhook delivery of a purchase", async () => {
    const complaints = await complaintsDuring(async () => {
      expect((await buy("explained", "+50251234567")).status).toBe(200);
      await till.advance(MINUTE);
    });
    expect(complaints).toEqual([]);
  });
});

describe("the till's queries", () => {
  let owner: TestTill;
  const number = "+50251234567";
  const line = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: number };
  const card = { productType: "VOUCHER" as const, offerId: "AMAZON_US_GIFT_25" };
  const refused = { ...line, recipientPhoneNumber: "+50251239001" };

  beforeAll(async () => {
    owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
    for (let n = 0; n < 12; n++) await owner.sell([line, card, refused]);
    await till.advance(MINUTE);
  });

  async function statementsOf(path: string): Promise<number> {
    let count = 0;
    const add = statements.add.bind(statements);
    statements.add = (sql) => {
      count++;
      return add(sql);
    };
    expect((await owner.pos("GET", path)).status).toBe(200);
    statements.add = add;
    return count;
  }

  it("find the refund of a sale by an index", async () => {
    const complaints = await complaintsDuring(async () => {
      const { body } = await owner.sell([line, card, refused]);
      await till.advance(MINUTE);
      const sale = (await owner.pos("GET", `/sales/${body.saleId}`)).body;
      const customerRefund = {
        customerRefundId: body.saleId,
        lines: [sale.lines[2].transactionId],
      };
      const path = `/sales/${body.saleId}/customer-refunds`;
      expect((await owner.pos("POST", path, { ...customerRefund, kind: "CASH" })).status).toBe(200);
      const lines = [{ productType: "TOPUP", ...line }, card];
      expect((await owner.pos("POST", "/sales/check", { lines })).status).toBe(200);
      const wanted = { lines: [{ offerId: line.offerId }] };
      expect((await owner.pos("POST", "/wallet/check", wanted)).status).toBe(200);
      const paths = [
        `/phone?number=${encodeURIComponent(number)}`,
        "/recents",
        "/favourites",
        "/wallet",
        "/found-sales?typed=1",
        `/found-sales?typed=${encodeURIComponent(number)}`,
        "/held-sales",
        "/brands?productType=VOUCHER",
        "/offers?productType=ESIM&country=ES",
        "/esim-destinations",
      ];
      for (const asked of paths) expect((await owner.pos("GET", asked)).status).toBe(200);
    });
    expect(complaints).toEqual([]);
  });

  it("find unfinished sales without scanning all sales", async () => {
    await complaintsDuring(async () => {
      expect((await owner.pos("GET", "/unfinished")).status).toBe(200);
      expect((await owner.pos("GET", "/shifts/current")).status).toBe(200);
    });
    const asked = [...statements].filter((sql) => /^select.*"finished_at" is null/.test(sql));
    const plans = (await Promise.all(asked.map(planOf))).flat();
    expect(plans.filter((step) => step.includes("transactions_unfinished"))).not.toEqual([]);
    expect(plans.filter((step) => /transactions_(?!unfinished)/.test(step))).toEqual([]);
  });

  it("count open purchases without scanning all purchases", async () => {
    const complaints = await complaintsDuring(() => till.gateway.listUnfinished());
    expect(complaints.filter((complaint) => complaint.startsWith("SCAN"))).toEqual([]);
    const asked = [...statements].filter((sql) => /^select.*"finished_at" is null/.test(sql));
    expect(asked.filter((sql) => / not exists /.test(sql))).toHaveLength(2);
    const plans = (await Promise.all(asked.map(planOf))).flat();
    const byKey =
      /^SEARCH [lps] .* \(account_id=\? AND environment=\? AND (transaction|sale)_id=\?\)$/;
    const others = plans.filter((step) => !/transactions_unfinished|^CORRELATED/.test(step));
    expect(others).not.toEqual([]);
    expect(others.filter((step) => !byKey.test(step))).toEqual([]);
  });

  it("sum up a shift and find a sale of the day without scanning all sales", async () => {
    const { shift } = (await owner.pos("GET", "/shifts/current")).body;
    const complaints = await complaintsDuring(async () => {
      for (const path of [
        `/shifts/${shift.shiftId}/x`,
        "/sales?since=2026-01-15T00:00:00.000Z&search=1234&limit=50&offset=0",
      ]) {
        expect((await owner.pos("GET", path)).status).toBe(200);
      }
    });
    expect(complaints.filter((complaint) => complaint.startsWith("SCAN"))).toEqual([]);
  });

  it("find a clerk's last sale by an index on the clerk", async () => {
    const ana = { name: "Ana", role: "clerk", pin: "2583" };
    const { staffId } = (await owner.pos("POST", "/staff", ana)).body;
    const clerk = await owner.signIn(staffId, ana.pin);
    const complaints = await complaintsDuring(async () => {
      expect((await clerk.pos("GET", "/recents")).status).toBe(200);
    });
    expect(complaints).toEqual([]);
    const asked = [...statements].filter((sql) => /^select.*"s"."staff_id" = /.test(sql));
    const plans = (await Promise.all(asked.map(planOf))).flat();
    expect(plans.filter((step) => step.includes("sales_of_staff"))).toHaveLength(1);
    expect(plans.filter((step) => step.includes("sale_lines_of_family"))).toEqual([]);
  });

  it("read the health of providers by indexes, at most 100 purchases for each", async () => {
    const complaints = await complaintsDuring(async () => {
      expect((await owner.pos("GET", "/providers")).status).toBe(200);
    });
    expect(complaints).toEqual([]);
    const asked = [...statements].filter((sql) => /^select .*"p"\."provider_id"/.test(sql));
    expect(asked).toHaveLength(2);
    const plans = (await Promise.all(asked.map(planOf))).flat();
    const [newest, , open] = plans;
    expect(newest).toContain("transactions_by_finish");
    expect(open).toContain("transactions_unfinished");
    expect(asked[0]).toMatch(/limit \+100(\.0)?$/);
  });

  it("find pending deliveries without scanning completed deliveries", async () => {
    const path = "/webhooks/deliveries?_limit=5&_offset=0";
    for (const state of ["FAILED", "PENDING", "CANCELLED"]) {
      const complaints = await complaintsDuring(async () => {
        expect((await owner.pos("GET", `${path}&state=${state}`)).status).toBe(200);
      });
      expect(complaints).toEqual([]);
      const asked = [...statements].filter((sql) => /^select.*"state" = /.test(sql));
      // The totals are stored, so that no query counts deliveries.
      expect(asked).toHaveLength(1);
      const plans = (await Promise.all(asked.map(planOf))).flat();
      expect(plans.filter((step) => !step.includes("webhook_deliveries_undelivered"))).toEqual([]);
    }
    const complaints = await complaintsDuring(async () => {
      expect((await owner.pos("GET", `${path}&transactionId=done`)).status).toBe(200);
    });
    expect(complaints.filter((complaint) => complaint.startsWith("SCAN"))).toEqual([]);
  });

  it("list sent receipts by an index, also for a single state, on every page", async () => {
    const place = `${Date.UTC(2026, 0, 1)}-live-00000000-0000-4000-8000-000000000000`;
    for (const filter of ["", "&state=FAILED", `&before=${place}`, `&state=SENT&before=${place}`]) {
      const complaints = await complaintsDuring(async () => {
        const { status } = await owner.pos("GET", `/receipt-sendings?limit=5${filter}`);
        expect(status).toBe(200);
      });
      expect([filter, complaints]).toEqual([filter, []]);
      const asked = [...statements].filter((sql) => /^select.*from "receipt_sendings"/.test(sql));
      const plans = (await Promise.all(asked.map(planOf))).flat();
      const index = filter.includes("state") ? "by_state" : "newest";
      expect(plans.filter((step) => !step.includes(`receipt_sendings_${index}`))).toEqual([]);
    }
  });

  it.each([
    ["the newest", "", "SCAN a"],
    ["a day", "&since=2026-01-15T00:00:00.000Z&until=2026-01-16T00:00:00.000Z", "by_time"],
    [
      "a day of one clerk, further on",
      "&since=2026-01-15T00:00:00.000Z&until=2026-01-16T00:00:00.000Z&staffId=x&before=9",
      "by_time",
    ],
    ["one clerk", "&staffId=x", "of_staff"],
    ["one action, further on", "&action=sale.discount&before=9", "of_action"],
  ])("use an index to read, in the audit trail, %s", async (_what, query, index) => {
    await complaintsDuring(async () => {
      expect((await owner.pos("GET", `/audit-trail?limit=5${query}`)).status).toBe(200);
    });
    const asked = [...statements].filter((sql) => /^select.* from "audit_trail" as "a"/s.test(sql));
    expect(asked).toHaveLength(1);
    const [first, ...joined] = (await Promise.all(asked.map(planOf))).flat();
    expect(first).toContain(index);
    // At most the entries of a single day are sorted.
    const sorted = joined.filter((step) => step.includes("TEMP B-TREE"));
    expect(sorted).toHaveLength(index === "by_time" ? 1 : 0);
  });

  it("read a page of sales in as many statements as a single sale", async () => {
    const one = await statementsOf("/sales?limit=1&offset=0");
    expect(await statementsOf("/sales?limit=12&offset=0")).toBe(one);
  });

  it("find outcomes of sales in the other environment by their day", async () => {
    const { tillEnvironment } = till.gateway.context;
    const shiftOf = async () => (await owner.pos("GET", "/shifts/current")).body.shift?.shiftId;
    const close = { counted: 0, leaveUnfinished: true };
    await owner.pos("POST", `/shifts/${await shiftOf()}/close`, close);
    const { db } = till.gateway.context;
    await writerOf(db).updateTable("shops").set({ till_environment: "live" }).execute();
    await tillEnvironment.switch({ accountId: "default", staffId: undefined }, "test");
    await openShift(owner);
    const complaints = await complaintsDuring(async () => {
      expect((await owner.pos("GET", "/till-environment")).status).toBe(200);
    });
    expect(complaints.filter((complaint) => complaint.startsWith("SCAN"))).toEqual([]);
    const asked = [...statements].filter((sql) =>
      /^select.*"created_at" <= .*"finished_at" > /.test(sql),
    );
    expect(asked).toHaveLength(1);
    const plan = (await Promise.all(asked.map(planOf))).flat();
    expect(plan[0]).toContain("sale_lines_newest (account_id=? AND environment=? AND created_at>");
  });
});

describe("a purchase", () => {
  it("needs a single database transaction for its acceptance", async () => {
    const { jobs, keys } = till.gateway.context;
    await jobs.stop();
    // The use of the key is recorded once a minute, in a separate transaction.
    await till.v1("GET", "/balance");
    await keys.settle();
    const seen: string[] = [];
    const add = statements.add.bind(statements);
    statements.add = (sql) => {
      seen.push(sql);
      return add(sql);
    };
    // The provider of this number writes nothing.
    expect((await buy("once", "+50251239006")).status).toBe(200);
    statements.add = add;
    expect(seen.filter((sql) => /^begin/i.test(sql))).toHaveLength(1);
    expect(seen.filter((sql) => /^commit/i.test(sql))).toHaveLength(1);
    const writes = seen.filter((sql) => /^(insert|update|delete)/i.test(sql));
    const [begin, commit] = [
      seen.findIndex((s) => /^begin/i.test(s)),
      seen.findIndex((s) => /^commit/i.test(s)),
    ];
    for (const write of writes) {
      expect(seen.indexOf(write)).toBeGreaterThan(begin);
      expect(seen.indexOf(write)).toBeLessThan(commit);
    }
    expect(writes.some((sql) => sql.includes('"purchases"'))).toBe(true);
  });
});
