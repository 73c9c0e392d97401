import { randomUUID } from "node:crypto";
import { parse } from "csv-parse/sync";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FigureBreakdown, FigureLine, FigureMoney } from "../../../contract/pos/figures.ts";
import { trueMinus } from "../../../contract/pos/money-text.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { readPdf } from "../../../testing/read-pdf.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

/** A shop sells at the till, from a file and through two keys, on a closed and on the open day. */
let gateway: TestGateway;
let owner: TestTill;
const keys: Record<"web" | "kiosk", { keyId: string; key: string }> = {
  web: { keyId: "", key: "" },
  kiosk: { keyId: "", key: "" },
};
const CLOSED = "2026-01-15";
const OPEN = "2026-01-16";
const DELIVERED = "+50251234567";
const REFUSED = "+50251239001";
/** The sandbox refuses numbers with this end. */
const isRefused = (number: string) => number.endsWith("9001");
const PENDING = "+50251239004";
const TOPUP_OFFER = "TIGO_GT_TOPUP_25";
/** Minor units. The cost is 2.97 USD at 7.75, rounded up. The tax is 12 % on the price. */
const TOPUP = { price: 2_635, cost: 2_302, walletCost: 297, tax: 282 };
const NO_TAX = { kind: "NONE", percent: "0" };
const esim = { price: 0, cost: 0, walletCost: 0, tax: 0 };

interface Counted {
  day: string;
  channel: "TILL" | "BULK" | "API";
  key?: string;
  sign: 1 | -1;
  of: typeof TOPUP;
}
/** Every sale and every return, as the test made them. */
const book: Counted[] = [];

function note(day: string, channel: Counted["channel"], of = TOPUP, key?: string) {
  const row = { day, channel, of, ...(key !== undefined && { key }) };
  return {
    sold: () => book.push({ ...row, sign: 1 }),
    returned: () => book.push({ ...row, sign: -1 }),
  };
}

async function buy(by: keyof typeof keys, body: object, family = "topups"): Promise<string> {
  const transactionId = randomUUID();
  const { status } = await gateway.call("POST", `/v1/${family}/purchases`, {
    headers: { authorization: `Bearer ${keys[by].key}` },
    body: { transactionId, ...body },
  });
  expect(status).toBe(200);
  return transactionId;
}

async function buyTopup(by: keyof typeof keys, day: string, recipientPhoneNumber: string) {
  await buy(by, { offerId: TOPUP_OFFER, recipientPhoneNumber });
  const noted = note(day, "API", TOPUP, keys[by].keyId);
  noted.sold();
  if (isRefused(recipientPhoneNumber)) noted.returned();
}

async function sellAtTill(day: string, ...numbers: string[]) {
  const lines = numbers.map((number) => ({ offerId: TOPUP_OFFER, recipientPhoneNumber: number }));
  expect((await owner.sell(lines)).status).toBe(200);
  for (const number of numbers) {
    const noted = note(day, "TILL");
    noted.sold();
    if (isRefused(number)) noted.returned();
  }
}

async function sellFromFile(day: string, ...numbers: string[]) {
  const text = ["offer,recipient,note", ...numbers.map((to) => `${TOPUP_OFFER},${to},`)].join("\n");
  const runId = randomUUID();
  await owner.pos("POST", "/bulk-runs", { runId, name: "team.csv", text });
  await gateway.settle();
  const { ready } = (await owner.pos("GET", `/bulk-runs/${runId}`)).body;
  const answer = await owner.pos("POST", `/bulk-runs/${runId}/confirm`, {
    tender: "CASH",
    total: ready.price,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await gateway.advance(MINUTE);
  for (const number of numbers) {
    const noted = note(day, "BULK");
    noted.sold();
    if (isRefused(number)) noted.returned();
  }
}

async function setTax() {
  const { newest: base } = (await owner.pos("GET", "/prices/test")).body;
  const onPrice = { kind: "ON_PRICE", percent: "12" };
  const taxes = { TOPUP: onPrice, VOUCHER: NO_TAX, ESIM: NO_TAX, BILL_PAY: NO_TAX };
  const list = { rules: [], taxes, fxBufferPercent: "0", driftAlertPercent: "2" };
  expect((await owner.pos("PUT", "/prices/test", { list, base })).status).toBe(200);
}

async function readEsimPrice() {
  const answer = await gateway.v1("GET", "/esim/offers/AIRALO_ES_1GB_7D");
  const { cost, price } = answer.body;
  const feeOfBase = Math.ceil((cost.fixed * cost.feePct) / 100);
  esim.walletCost = cost.fixed + cost.fee + feeOfBase;
  esim.price = price.fixed + price.fee;
  esim.cost = Math.ceil((esim.walletCost * 775) / 100);
}

beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway, { currency: "GTQ", rate: "7.75" });
  await setTax();
  const scope = { accountId: "default", environment: "test" } as const;
  for (const by of ["web", "kiosk"] as const) {
    keys[by] = await gateway.gateway.context.keys.create(scope, by);
  }
  await readEsimPrice();
  await sellAtTill(CLOSED, DELIVERED, REFUSED);
  await sellFromFile(CLOSED, "+50251000001", "+50251249001");
  await buyTopup("web", CLOSED, DELIVERED);
  await buyTopup("web", CLOSED, REFUSED);
  await buyTopup("kiosk", CLOSED, DELIVERED);
  const esimId = await buy("kiosk", { offerId: "AIRALO_ES_1GB_7D" }, "esim");
  const ofEsim = note(CLOSED, "API", esim, keys.kiosk.keyId);
  ofEsim.sold();
  await gateway.advance(MINUTE);
  await gateway.advance(DAY);
  owner = await owner.signIn(owner.staffId, OWNER_PIN);
  await sellAtTill(OPEN, DELIVERED);
  // The job that closes days runs every six hours.
  await gateway.advance(7 * HOUR);
  owner = await owner.signIn(owner.staffId, OWNER_PIN);
  await gateway.call("POST", `/v1/esim/purchases/${esimId}/refund`, {
    headers: { authorization: `Bearer ${keys.web.key}` },
  });
  note(OPEN, "API", esim, keys.kiosk.keyId).returned();
  await buyTopup("web", OPEN, DELIVERED);
  await buyTopup("web", OPEN, DELIVERED);
  await buyTopup("kiosk", OPEN, REFUSED);
  await buyTopup("web", OPEN, PENDING);
  await gateway.advance(MINUTE);
});
afterAll(() => gateway.close());

function count(isMeant: (row: Counted) => boolean) {
  const rows = book.filter(isMeant);
  const sum = (of: keyof typeof TOPUP) =>
    rows.reduce((total, row) => total + row.sign * row.of[of], 0);
  return {
    lines: rows.reduce((total, row) => total + row.sign, 0),
    linesFailed: rows.filter(({ sign }) => sign === -1).length,
    sold: sum("price"),
    tax: sum("tax"),
    cost: sum("cost"),
    earned: sum("price") - sum("tax") - sum("cost"),
  };
}

type Days = readonly [firstDay: string, lastDay: string];
const SPANS: Days[] = [
  [CLOSED, CLOSED],
  [OPEN, OPEN],
  [CLOSED, OPEN],
];
const isWithin =
  ([first, last]: Days) =>
  ({ day }: Counted) =>
    day >= first && day <= last;

async function ask<Body>(path: string, [firstDay, lastDay]: Days): Promise<Body> {
  const separator = path.includes("?") ? "&" : "?";
  const days = `firstDay=${firstDay}&lastDay=${lastDay}`;
  const { status, body } = await owner.pos("GET", `/figures${path}${separator}${days}`);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

async function listParts(by: string, span: Days) {
  const { list } = await ask<FigureBreakdown>(`/parts?by=${by}`, span);
  const made = list.filter(({ figures }) => figures.lines > 0 || figures.linesFailed > 0);
  return Object.fromEntries(made.map(({ value, figures }) => [value, figures]));
}

it("the first day is closed, and the second is open", async () => {
  const settings = await gateway.gateway.context.db
    .selectFrom("environment_settings")
    .select("figures_until")
    .where("environment", "=", "test")
    .executeTakeFirstOrThrow();
  expect(settings.figures_until * DAY).toBe(Date.parse(OPEN));
});

describe.each(SPANS)("figures from %s to %s", (...span) => {
  it("count sales of every channel", async () => {
    const { figures, tieOut } = await ask<FigureMoney>("/money", span);
    expect(figures).toMatchObject(count(isWithin(span)));
    // The till took no money for purchases through `/v1`.
    const api = count((row) => isWithin(span)(row) && row.channel === "API");
    expect(figures.owed).toBe(api.sold);
    expect(figures.sold + figures.refundsDue + figures.cashRounding).toBe(
      figures.taken + figures.owed,
    );
    expect(tieOut).toMatchObject({ integrators: 0, refunded: 0, difference: 0 });
  });

  it("by channel equal the sales of the channel", async () => {
    const expected = (["TILL", "BULK", "API"] as const).flatMap((channel) => {
      const figures = count((row) => isWithin(span)(row) && row.channel === channel);
      return figures.lines > 0 || figures.linesFailed > 0 ? [[channel, figures]] : [];
    });
    const found = await listParts("CHANNEL", span);
    expect(Object.keys(found)).toHaveLength(expected.length);
    expect(found).toMatchObject(Object.fromEntries(expected));
  });

  it("by key equal the purchases with the key", async () => {
    const found = await listParts("KEY", span);
    expect(found).toMatchObject({
      [keys.web.keyId]: count((row) => isWithin(span)(row) && row.key === keys.web.keyId),
      [keys.kiosk.keyId]: count((row) => isWithin(span)(row) && row.key === keys.kiosk.keyId),
    });
    expect(Object.keys(found)).toHaveLength(2);
  });

  it.each(["FAMILY", "BRAND", "COUNTRY", "CLERK", "TILL", "CHANNEL"])(
    "add up to the total by %s",
    async (by) => {
      const parts = Object.values(await listParts(by, span));
      const total = count(isWithin(span));
      for (const sum of ["lines", "linesFailed", "sold", "tax", "cost", "earned"] as const) {
        expect(parts.reduce((all, part) => all + part[sum], 0)).toBe(total[sum]);
      }
    },
  );

  it("open to the rows of a channel and of a key", async () => {
    for (const [by, value, isMeant] of [
      ["CHANNEL", "TILL", ({ channel }: Counted) => channel === "TILL"],
      ["CHANNEL", "BULK", ({ channel }: Counted) => channel === "BULK"],
      ["CHANNEL", "API", ({ channel }: Counted) => channel === "API"],
      ["TILL", "API", ({ channel }: Counted) => channel === "API"],
      ["CLERK", "API", ({ channel }: Counted) => channel === "API"],
      ["KEY", keys.web.keyId, ({ key }: Counted) => key === keys.web.keyId],
      ["KEY", keys.kiosk.keyId, ({ key }: Counted) => key === keys.kiosk.keyId],
    ] as const) {
      const path = `/lines?limit=200&by=${by}&value=${value}`;
      const { list } = await ask<{ list: FigureLine[] }>(path, span);
      const rows = book.filter((row) => isWithin(span)(row) && isMeant(row));
      expect([by, value, list.length]).toEqual([by, value, rows.length]);
      const sum = (of: "sold" | "tax" | "cost") => list.reduce((all, line) => all + line[of], 0);
      const { sold, tax, cost } = count((row) => isWithin(span)(row) && isMeant(row));
      expect([sum("sold"), sum("tax"), sum("cost")]).toEqual([sold, tax, cost]);
    }
  });
});

describe("exports", () => {
  async function makeFile(kind: string, format: string, firstDay: string) {
    const body = { kind, format, firstDay, lastDay: OPEN };
    const asked = await owner.pos("POST", "/shop-reports", body);
    await gateway.settle();
    return fetch(`${gateway.url}/pos/shop-reports/${asked.body.reportId}/file`, {
      headers: { cookie: owner.cookie },
    });
  }
  async function makeReport(kind: string): Promise<Record<string, string>[]> {
    const file = await makeFile(kind, "CSV", CLOSED);
    return parse(await file.text(), { bom: true, columns: true });
  }
  const inQuetzals = (minor: number) =>
    `${minor < 0 ? "-" : ""}Q ${(Math.abs(minor) / 100).toFixed(2)}`;
  const inMinor = (text = "") => Math.round(Number(text) * 100);

  it("name channel and key of each line", async () => {
    const rows = await makeReport("SOLD");
    expect(rows).toHaveLength(book.length);
    const sum = (channel: string, key: string) =>
      rows
        .filter((row) => row.channel === channel && row.key === key)
        .reduce((all, row) => all + inMinor(row.sold), 0);
    expect(sum("TILL", "")).toBe(count(({ channel }) => channel === "TILL").sold);
    expect(sum("BULK", "")).toBe(count(({ channel }) => channel === "BULK").sold);
    expect(sum("API", "web")).toBe(count(({ key }) => key === keys.web.keyId).sold);
    expect(sum("API", "kiosk")).toBe(count(({ key }) => key === keys.kiosk.keyId).sold);
  });

  it("list the day's sales in its document by channel and by key", async () => {
    const file = await makeFile("DAY", "PDF", OPEN);
    const { pages } = await readPdf(new Uint8Array(await file.arrayBuffer()), "ltr");
    const amounts = (isMeant: (row: Counted) => boolean) => {
      const { lines, sold, tax, cost, earned } = count((row) => row.day === OPEN && isMeant(row));
      const money = [sold, tax, cost, earned].map((minor) => trueMinus(inQuetzals(minor)));
      return [trueMinus(`${lines}`), ...money];
    };
    const rows = pages.flat().map((row) => row.slice(0, -1));
    expect(rows).toContainEqual(["At a till", ...amounts(({ channel }) => channel === "TILL")]);
    expect(rows).toContainEqual([
      "Through the API",
      ...amounts(({ channel }) => channel === "API"),
    ]);
    expect(rows).toContainEqual(["web", ...amounts(({ key }) => key === keys.web.keyId)]);
    expect(rows).toContainEqual(["kiosk", ...amounts(({ key }) => key === keys.kiosk.keyId)]);
  });

  it("book purchases through `/v1` as sales that are owed", async () => {
    const rows = await makeReport("BOOKS");
    const balance = (role: string) =>
      rows
        .filter((row) => row.role === role)
        .reduce((all, row) => all + inMinor(row.debit) - inMinor(row.credit), 0);
    const all = count(() => true);
    expect(balance("OWED")).toBe(count(({ channel }) => channel === "API").sold);
    expect([balance("SALES"), balance("TAX")]).toEqual([all.tax - all.sold, -all.tax]);
    expect([balance("COST"), balance("WALLET")]).toEqual([all.cost, -all.cost]);
  });
});

it("the first page counts sales and unfinished lines of every channel", async () => {
  const { sending, today } = (await owner.pos("GET", "/figures/today")).body;
  expect(today.figures).toMatchObject(count(({ day }) => day === OPEN));
  expect(today.api).toMatchObject(count(({ day, channel }) => day === OPEN && channel === "API"));
  expect(sending).toMatchObject({ lines: 1, amount: TOPUP.price });
});

it("each purchase stores its channel and its key", async () => {
  const { rows } = await sql<{ channel: string | null; key_id: string | null; count: number }>`
    select channel, key_id, cast(count(*) as bigint) as count from purchases
    group by channel, key_id`.execute(gateway.gateway.context.db);
  const numberOf = (channel: string | null, key: string | null) =>
    rows.find((row) => row.channel === channel && row.key_id === key)?.count;
  const sold = book.filter(({ sign }) => sign === 1);
  expect(numberOf(null, null)).toBe(sold.filter(({ channel }) => channel === "TILL").length);
  expect(numberOf("B", null)).toBe(sold.filter(({ channel }) => channel === "BULK").length);
  for (const { keyId } of Object.values(keys)) {
    expect(numberOf("A", keyId)).toBe(sold.filter(({ key }) => key === keyId).length);
  }
});

it("the audit counts closed days again, with purchases through `/v1`", async () => {
  await gateway.expectCleanBooks();
  const { db } = gateway.gateway.context;
  const change = (sold: number) =>
    sql`update day_figures set paid = paid + ${sql.lit(sold)}, check_sum = check_sum + ${sql.lit(sold)}
      where dimension = 'TILL' and value = ${`API ${keys.web.keyId}`}`.execute(writerOf(db));
  await change(100);
  await expect(gateway.expectCleanBooks()).rejects.toThrow("are not those of the sales");
  await change(-100);
  await gateway.advance(HOUR);
  await gateway.expectCleanBooks();
});
