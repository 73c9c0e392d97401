import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FigureBreakdown, FigureLine } from "../../../contract/pos/figures.ts";
import { DAY, HOUR } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { type FakeReloadly, startFakeReloadly } from "../../../testing/fake-reloadly.ts";
import { OWNER, startReloadlyShop } from "../../../testing/providers-under-test.ts";
import { readPdf } from "../../../testing/read-pdf.ts";
import type { TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

/** A shop sells through two providers, on a closed and on the open day. */
let till: TestGateway;
let owner: TestTill;
let first: FakeReloadly;
let second: FakeReloadly;
const CLOSED = "2026-01-15";
const OPEN = "2026-01-16";
const AT_FIRST = "RLD-88-5.00-USD";
const AT_SECOND = `${AT_FIRST}:p2`;

interface Purchase {
  day: string;
  provider: string;
  price: number;
  cost: number;
  failed: number;
}

beforeAll(async () => {
  ({ till, fake: first } = await startReloadlyShop());
  owner = await openTill(till);
  second = await startFakeReloadly(till.clock);
  const { upstream, upstreamSync } = till.gateway.context;
  const { url: baseUrl, clientId, secret: key } = second;
  const typed = { kind: "reloadly", baseUrl, clientId, key, allowPrivate: true } as const;
  await upstream.connect(OWNER, { ...typed, newName: "South" });
  await upstreamSync.sync({ ...OWNER, providerId: "p2" });
  await upstream.rename({ ...OWNER, providerId: "first" }, "North");
  await sql`update shops set till_environment = 'live'`.execute(writerOf(till.gateway.context.db));
  for (const offerId of [AT_FIRST, AT_FIRST, AT_SECOND, "RLD-88-10.50-USD:p2"]) await buy(offerId);
  second.interfere = ({ path, refuse }) => {
    if (path === "/topups") refuse(400, "INVALID_RECIPIENT_PHONE");
    return path === "/topups";
  };
  await buy(AT_SECOND);
  second.interfere = () => false;
  await till.advance(DAY);
  await buy(AT_SECOND);
  // The job that closes days runs every six hours.
  await till.advance(7 * HOUR);
  await till.settle();
  owner = await owner.signIn(owner.staffId, OWNER_PIN);
});
afterAll(async () => {
  await till.close();
  await Promise.all([first, second].map((fake) => fake.close()));
});

let bought = 0;

async function buy(offerId: string): Promise<void> {
  const transactionId = `sale-${++bought}`;
  const body = { offerId, transactionId, recipientPhoneNumber: "+50251234567" };
  expect((await till.v1("POST", "/topups/purchases", body, "live")).status).toBe(200);
  await till.settle();
  await till.gateway.context.engine.idle();
  await till.settle();
}

/** Reads the purchases without the figures. */
async function readPurchases(): Promise<Purchase[]> {
  const { rows } = await sql<Omit<Purchase, "day"> & { at: number }>`
    select t.created_at as at, coalesce(p.provider_id, 'first') as provider,
      p.price_base + p.price_fee as price, p.shop_cost as cost,
      case t.status when 'FAILED' then 1 else 0 end as failed
    from transactions t
    join purchases p using (account_id, environment, transaction_id)
    where environment = 'live'`.execute(till.gateway.context.db);
  return rows.map(({ at, ...row }) => ({ day: new Date(at).toISOString().slice(0, 10), ...row }));
}

async function count(days: readonly string[], provider: string) {
  const all = await readPurchases();
  const sold = all.filter((one) => days.includes(one.day) && one.provider === provider);
  const delivered = sold.filter(({ failed }) => failed === 0);
  const sum = (of: "price" | "cost") => delivered.reduce((total, one) => total + one[of], 0);
  return {
    lines: delivered.length,
    linesFailed: sold.length - delivered.length,
    sold: sum("price"),
    cost: sum("cost"),
  };
}

const ask = async (path: string) => {
  const { status, body } = await owner.pos("GET", `/figures${path}`);
  expect([path, status]).toEqual([path, 200]);
  return body;
};
const within = ([firstDay, lastDay]: readonly [string, string]) =>
  `firstDay=${firstDay}&lastDay=${lastDay}`;

it("the first day is closed, and the second is open", async () => {
  const { figures_until } = await till.gateway.context.db
    .selectFrom("environment_settings")
    .select("figures_until")
    .where("environment", "=", "live")
    .executeTakeFirstOrThrow();
  expect(figures_until * DAY).toBe(Date.parse(OPEN));
});

describe.each([[[CLOSED, CLOSED]], [[OPEN, OPEN]], [[CLOSED, OPEN]]] as [[string, string]][])(
  "figures by provider within %s",
  (days) => {
    it("equal the purchases of each provider", async () => {
      const { list }: FigureBreakdown = await ask(`/parts?by=PROVIDER&${within(days)}`);
      const found = new Map(list.map(({ value, name, figures }) => [value, { name, figures }]));
      const names = { first: "North", p2: "South" };
      for (const [provider, name] of Object.entries(names)) {
        const figures = await count(days, provider);
        if (figures.lines === 0) expect(found.get(provider)?.figures.lines ?? 0).toBe(0);
        else expect(found.get(provider)).toMatchObject({ name, figures });
      }
    });

    it("open to the rows of the provider, also in the CSV file", async () => {
      for (const provider of ["first", "p2"]) {
        const part = `by=PROVIDER&value=${provider}&${within(days)}`;
        const { list }: { list: FigureLine[] } = await ask(`/lines?limit=200&${part}`);
        const { lines, linesFailed, sold } = await count(days, provider);
        expect(list).toHaveLength(lines + 2 * linesFailed);
        expect(list.reduce((sum, line) => sum + line.sold, 0)).toBe(sold);
        const rows = String(await ask(`/lines.csv?${part}`))
          .trim()
          .split("\r\n")
          .slice(1);
        expect(rows).toHaveLength(list.length);
      }
    });
  },
);

it("figures by brand have one row for a brand of two providers, with all its rows", async () => {
  const span = within([CLOSED, OPEN]);
  const { list }: FigureBreakdown = await ask(`/parts?by=BRAND&${span}`);
  const lines =
    (await count([CLOSED, OPEN], "first")).lines + (await count([CLOSED, OPEN], "p2")).lines;
  expect(list).toMatchObject([{ value: "RLD-88", name: "Tigo Guatemala", figures: { lines } }]);
  const rows = await ask(`/lines?limit=200&by=BRAND&value=RLD-88&${span}`);
  expect(rows.list).toHaveLength(lines + 2);
});

it("the document of a day has a table of its providers", async () => {
  const body = { kind: "DAY", format: "PDF", firstDay: CLOSED, lastDay: CLOSED };
  const { reportId } = (await owner.pos("POST", "/shop-reports", body)).body;
  await till.settle();
  const file = await fetch(`${till.url}/pos/shop-reports/${reportId}/file`, {
    headers: { cookie: owner.cookie },
  });
  const { pages } = await readPdf(new Uint8Array(await file.arrayBuffer()), "ltr");
  const rows = pages.flat();
  const start = rows.findIndex(([heading]) => heading === "By provider");
  const linesOf = Object.fromEntries(rows.slice(start + 2, start + 4));
  expect(linesOf).toEqual({ North: "2", South: "2" });
});

it("the audit counts the closed day again without a difference", async () => {
  await till.expectCleanBooks();
});
