import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PRODUCT_TYPES } from "../../../contract/v1/transactions.ts";
import { HOUR, toTimestamp } from "../../../lib/clock.ts";
import { explainPlan } from "../../../testing/explained-plan.ts";
import { COUNTS_STATEMENTS, onlySqlite, READS_PLANS } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { createTransaction } from "./transaction-machine.ts";

let till: TestGateway;
let statements: string[] = [];
const FEW = 400;
const MANY = 2_000;
/**
 * Interval between groups of three transactions. A thousand transactions span a year and a half.
 */
const STEP_MS = 39 * HOUR;

interface Made {
  transactionId: string;
  createdAt: number;
  type: string;
  productType: string;
  status: string;
}
const made: Made[] = [];

beforeAll(async () => {
  till = await startTestGateway({ onStatement: (statement) => statements.push(statement) });
  const { list } = (await till.v1("GET", "/transactions?_limit=10&_offset=0")).body;
  made.push(
    ...list.map((t: Made & { createdAt: string }) => ({
      ...t,
      createdAt: Date.parse(t.createdAt),
    })),
  );
});
afterAll(() => till.close());

async function addTransactions(count: number): Promise<void> {
  const first = made.length;
  for (let n = first; n < count; n++) {
    const productType = PRODUCT_TYPES[(n * 7) % PRODUCT_TYPES.length] ?? "TOPUP";
    const ended = n % 11 === 0 ? "FAILED" : "DONE";
    made.push({
      transactionId: `made-${String(n).padStart(5, "0")}`,
      createdAt: till.clock.now() - Math.floor(n / 3) * STEP_MS - 1,
      type: /^RECHARGE|REFUND/.test(productType) ? "CREDIT" : "DEBIT",
      productType,
      // As in a real shop, the number of unfinished transactions does not grow with the sales.
      status: n % 20 === 0 && n < FEW ? "IN_PROGRESS" : ended,
    });
  }
  const { transactor } = till.gateway.context;
  await transactor.transact("default", async (tx) => {
    for (const { transactionId, createdAt, type, productType, status } of made.slice(first)) {
      await sql`insert into transactions (account_id, environment, transaction_id, type,
          product_type, status, amount, currency, currency_divisor, created_at, updated_at)
        values ('default', 'test', ${transactionId}, ${type}, ${productType}, 'IN_PROGRESS', 1,
          'USD', 100, ${createdAt}, ${createdAt})`.execute(tx);
      if (status === "IN_PROGRESS") continue;
      await sql`update transactions set status = ${status}, finished_at = ${createdAt + 1},
          error_code = ${status === "FAILED" ? "SYSTEM_UNAVAILABLE" : null}
        where environment = 'test' and account_id = 'default'
          and transaction_id = ${transactionId}`.execute(tx);
    }
  });
}

/**
 * Returns every combination of the filters, with time bounds at the start, in the middle and at the
 * end of the list.
 */
function queries(): { query: string; fits: (transaction: Made) => boolean }[] {
  const middle = till.clock.now() - (MANY / 6) * STEP_MS;
  const at = (instant: number) => toTimestamp(instant);
  const any = { query: "", fits: () => true };
  const times = [
    any,
    { query: `&createdAt=gte${at(middle)}`, fits: (t: Made) => t.createdAt >= middle },
    { query: `&createdAt=lt${at(middle)}`, fits: (t: Made) => t.createdAt < middle },
    {
      query: `&createdAt=lte${at(made[5]?.createdAt ?? 0)}`,
      fits: (t: Made) => t.createdAt <= (made[5]?.createdAt ?? 0),
    },
    {
      query: `&createdAt=${at(made[5]?.createdAt ?? 0)}`,
      fits: (t: Made) => t.createdAt === made[5]?.createdAt,
    },
  ];
  const statuses = [
    any,
    ...["DONE", "FAILED", "IN_PROGRESS"].map((status) => ({
      query: `&status=${status}`,
      fits: (t: Made) => t.status === status,
    })),
  ];
  const types = [any, { query: "&type=CREDIT", fits: (t: Made) => t.type === "CREDIT" }];
  const products = [
    any,
    { query: "&productType=ESIM", fits: (t: Made) => t.productType === "ESIM" },
    {
      query: "&productType=WALLET_RECHARGE",
      fits: (t: Made) => t.productType.startsWith("RECHARGE"),
    },
  ];
  return times.flatMap((time) =>
    statuses.flatMap((status) =>
      types.flatMap((type) =>
        products.map((product) => ({
          query: time.query + status.query + type.query + product.query,
          fits: (t: Made) => [time, status, type, product].every(({ fits }) => fits(t)),
        })),
      ),
    ),
  );
}

function byHand(fits: (transaction: Made) => boolean): string[] {
  return made
    .filter(fits)
    .toSorted((a, b) => b.createdAt - a.createdAt || (a.transactionId < b.transactionId ? -1 : 1))
    .map(({ transactionId }) => transactionId);
}

async function page(query: string, offset: number) {
  const path = `/transactions?_limit=7&_offset=${offset}${query}`;
  const { status, body } = await till.v1("GET", path);
  expect([path, status]).toEqual([path, 200]);
  const ids: string[] = body.list.map((item: { transactionId: string }) => item.transactionId);
  return { total: body.total, ids };
}

async function statementsOf(query: string, offset: number): Promise<string[]> {
  statements = [];
  await page(query, offset);
  const executed = statements.filter((statement) => / from "?transactions"? /.test(statement));
  statements = [];
  return executed;
}

const isCount = (statement: string) => statement.startsWith("select count(*)");

/** Filters whose pages are read in the middle of the list. */
const DEEP: Record<string, (transaction: Made) => boolean> = {
  "": () => true,
  "&status=DONE": (t) => t.status === "DONE",
  "&productType=ESIM": (t) => t.productType === "ESIM",
  "&type=DEBIT": (t) => t.type === "DEBIT",
  "&status=DONE&type=DEBIT": (t) => t.status === "DONE" && t.type === "DEBIT",
  "&status=FAILED&productType=ESIM": (t) => t.status === "FAILED" && t.productType === "ESIM",
};

async function expectCovered(query: string, offset: number): Promise<void> {
  const counts = (await statementsOf(query, offset)).filter(isCount);
  expect(counts).toHaveLength(1);
  const plan = await explainPlan(till.gateway.context.db, counts[0] ?? "");
  expect([query, plan]).toEqual([query, [expect.stringContaining("USING COVERING INDEX")]]);
}

it(
  "the total of a transaction list is counted from an index alone",
  onlySqlite(READS_PLANS),
  async () => {
    await addTransactions(FEW);
    for (const [query, fits] of Object.entries(DEEP)) {
      await expectCovered(query, byHand(fits).length >> 1);
    }
  },
);

it(
  "the total of a list by the last change is counted from an index alone",
  onlySqlite(READS_PLANS),
  async () => {
    const created = "&createdAt=gte1970-01-01T00:00:00Z";
    for (const filter of [...Object.keys(DEEP), created]) {
      await expectCovered(`&updatedAt=gte1970-01-01T00:00:00Z${filter}`, 0);
    }
  },
);

it(
  "the total of a transaction list is counted again only after a commit",
  onlySqlite(COUNTS_STATEMENTS),
  async () => {
    const counts = async () => (await statementsOf("&type=CREDIT", 0)).filter(isCount).length;
    await counts();
    expect(await counts()).toBe(0);
    await addTransactions(made.length + 1);
    expect(await counts()).toBe(1);
    expect((await page("&type=CREDIT", 0)).total).toBe(byHand((t) => t.type === "CREDIT").length);
  },
);

it(
  "the total of a family's purchases is counted again only after a commit",
  onlySqlite(COUNTS_STATEMENTS),
  async () => {
    const counts = async () => {
      statements = [];
      await till.v1("GET", "/vouchers/purchases?_limit=7&_offset=0");
      return statements.filter((one) => isCount(one) && one.includes('"transactions"')).length;
    };
    expect(await counts()).toBe(1);
    expect(await counts()).toBe(0);
    await addTransactions(made.length + 1);
    expect(await counts()).toBe(1);
  },
);

it("every combination of transaction filters returns exactly the matching transactions, page by page", async () => {
  await addTransactions(MANY);
  for (const { query, fits } of queries()) {
    const expected = byHand(fits);
    for (const offset of [0, 150, expected.length >> 1, expected.length - 3]) {
      if (offset < 0) continue;
      const found = await page(query, offset);
      const where = `${query} at ${offset}`;
      expect([where, found.total]).toEqual([where, expected.length]);
      expect([where, found.ids]).toEqual([where, expected.slice(offset, offset + 7)]);
    }
  }
});

it("a page after the end of the list is empty, in the order of creation and of the last change", async () => {
  const from = toTimestamp(0);
  for (const query of ["", `&updatedAt=gte${from}`, `&updatedAt=gte${from}&productType=ESIM`]) {
    const { total, ids } = await page(query, made.length + 7);
    expect([query, total > 0, ids]).toEqual([query, true, []]);
  }
});

it("a filter by sales from files applies with every other filter", async () => {
  const now = toTimestamp(till.clock.now());
  for (const time of ["createdAt=gte", "createdAt=lt", "updatedAt=gte", "updatedAt=lt"]) {
    const query = `&productType=BULK_CHECKOUT&status=DONE&type=DEBIT&${time}${now}`;
    expect([query, await page(query, 0)]).toEqual([query, { total: 0, ids: [] }]);
  }
});

it("a transaction cannot be stored with steps that the state machine does not allow", async () => {
  const { transactor } = till.gateway.context;
  const at = till.clock.now();
  const transaction = {
    accountId: "default",
    environment: "test",
    transactionId: "backwards",
    type: "DEBIT",
    productType: "TOPUP",
    amount: 1,
    unit: { currency: "USD", currencyDivisor: 100 },
    training: false,
    at,
  } as const;
  const step = { from: "DONE", to: "IN_PROGRESS", message: "Submitted", at } as const;
  await expect(
    transactor.transact("default", (tx) => createTransaction(tx, transaction, [step])),
  ).rejects.toThrow("a transaction cannot go from DONE to IN_PROGRESS");
  expect((await till.v1("GET", "/transactions/backwards")).status).toBe(404);
});
