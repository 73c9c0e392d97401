import { randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountingSettings } from "../../../contract/pos/shop-reports.ts";
import { DAY as DAY_MS, MINUTE } from "../../../lib/clock.ts";
import { markAskedForADay } from "../../../testing/asked-for-a-day.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";
import { reportsDirectory } from "../../books/reports/index.ts";

let till: TestGateway;
let owner: TestTill;
let clerk: TestTill;
const DAY = "2026-01-15";

const ACCOUNTS: AccountingSettings = {
  sales: { TOPUP: "8401", VOUCHER: "8402", ESIM: "8403", BILL_PAY: "8404" },
  accounts: {
    TAX: "1776",
    CASH: "1000",
    CARD: "1361",
    OTHER: "1362",
    OWED: "1400",
    CASH_ROUNDING: "2709",
    COST: "3400",
    WALLET: "1590",
    CLEARING: "1360",
    REFUNDS_DUE: "1700",
    SAFE: "1001",
    BANK: "1200",
    PAY_IN: "1370",
    PAY_OUT: "4900",
    DRAWER_DIFFERENCE: "2710",
  },
  xeroTaxRate: "Tax Exempt",
  datev: { consultant: 29_098, client: 55_003, yearBegins: "01-01", accountLength: 4 },
};

beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  const hired = { name: "Ana", role: "clerk", pin: "258346" };
  const { staffId } = (await owner.pos("POST", "/staff", hired)).body;
  clerk = await owner.signIn(staffId, hired.pin);
  for (const amount of [50, 25]) {
    const offerId = `TIGO_GT_TOPUP_${amount}`;
    await owner.sell([{ offerId, recipientPhoneNumber: `+502512345${amount}` }]);
  }
  await till.advance(MINUTE);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function makeReport(kind: string, format: string, days: object = {}) {
  const body = { kind, format, firstDay: DAY, lastDay: DAY, ...days };
  const asked = await owner.pos("POST", "/shop-reports", body);
  expect(asked).toMatchObject({ status: 200, body: { state: "REQUESTED", kind, format } });
  await till.settle();
  const { list } = (await owner.pos("GET", "/shop-reports?_limit=10&_offset=0")).body;
  return list.find(({ reportId }: { reportId: string }) => reportId === asked.body.reportId);
}

async function readText(report: { reportId: string }): Promise<string> {
  const { status, body } = await owner.pos("GET", `/shop-reports/${report.reportId}/file`);
  expect(status).toBe(200);
  return body;
}

async function readRows(report: { reportId: string }, delimiter = ","): Promise<string[][]> {
  return parse(await readText(report), { bom: true, delimiter, relax_column_count: true });
}

describe("a shop report", () => {
  it("contains the rows behind the figures if it is a report of sales", async () => {
    const report = await makeReport("SOLD", "CSV");
    expect(report).toMatchObject({
      state: "READY",
      fileName: `test-sold-${DAY}-csv.csv`,
      requestedBy: { name: "Olga" },
    });
    const [head = [], ...rows] = await readRows(report);
    const sum = rows.reduce((total, row) => total + Number(row[head.indexOf("sold")]), 0);
    const { figures } = (await owner.pos("GET", `/figures?firstDay=${DAY}&lastDay=${DAY}&by=DAY`))
      .body;
    expect(Math.round(sum * 100)).toBe(figures.sold);
    expect(rows).toHaveLength(2);
    const of = (name: string) => rows.map((row) => row[head.indexOf(name)]);
    expect([of("day"), of("taxKind"), of("taxPercent")]).toEqual([
      [DAY, DAY],
      ["NONE", "NONE"],
      ["0", "0"],
    ]);
    expect(of("net")).toEqual(of("sold"));
  });

  it("has semicolons and decimal commas if it is for spreadsheets", async () => {
    const text = await readText(await makeReport("DAYS", "SPREADSHEET"));
    expect(text.startsWith('"day";"sales";')).toBe(true);
    expect(text).toMatch(new RegExp(`"${DAY}";"2";"2";\\d+,\\d\\d;`));
  });

  it("has semicolons between its values if it is for spreadsheets with decimal points", async () => {
    const text = await readText(await makeReport("DAYS", "SPREADSHEET_DOT"));
    expect(text).toMatch(new RegExp(`"${DAY}";"2";"2";\\d+\\.\\d\\d;`));
  });

  it("refuses to open a file that was deleted, with the remedy", async () => {
    const report = await makeReport("TAKEN", "CSV");
    const folder = reportsDirectory(till.dataDir);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    // On PostgreSQL the database also has the file.
    await writerOf(till.gateway.context.db).deleteFrom("report_parts").execute();
    const { status, body } = await owner.pos("GET", `/shop-reports/${report.reportId}/file`);
    expect([status, body.errorCode]).toEqual([404, "NOT_FOUND"]);
    expect(body.message).toBe("The file is not kept any more. Request the report again.");
  });

  it("records each reader of its file", async () => {
    const report = await makeReport("TAKEN", "CSV");
    await readText(report);
    const trail = await owner.pos("GET", "/audit-trail?action=report.download&limit=1");
    expect(trail.body.list[0]).toMatchObject({
      subject: report.reportId,
      staff: { name: "Olga" },
      detail: { kind: "TAKEN", firstDay: DAY, environment: "test" },
    });
  });

  it.each([
    ["a format of another kind", { kind: "SOLD", format: "DATEV" }, "format"],
    ["a day that is none", { firstDay: "2026-02-30", lastDay: "2026-03-01" }, "firstDay"],
    ["an end before the beginning", { firstDay: "2026-01-16" }, "lastDay"],
    ["more than a year", { firstDay: "2024-01-01" }, "lastDay"],
  ])(
    "with %s causes an error that names the field, and stores nothing",
    async (_, change, field) => {
      const before = (await owner.pos("GET", "/shop-reports?_limit=1&_offset=0")).body.total;
      const body = { kind: "SOLD", format: "CSV", firstDay: DAY, lastDay: DAY, ...change };
      const refused = await owner.pos("POST", "/shop-reports", body);
      expect(refused).toMatchObject({ status: 400, body: { errorCode: "INVALID_REQUEST" } });
      expect(Object.keys(refused.body.fields)).toEqual([field]);
      const after = (await owner.pos("GET", "/shop-reports?_limit=1&_offset=0")).body.total;
      expect(after).toBe(before);
    },
  );

  it("cannot be requested by clerks", async () => {
    const body = { kind: "SOLD", format: "CSV", firstDay: DAY, lastDay: DAY };
    expect((await clerk.pos("POST", "/shop-reports", body)).status).toBe(403);
    expect((await clerk.pos("GET", "/shop-reports?_limit=1&_offset=0")).status).toBe(403);
  });

  it("gets created after the next start if a stop interrupted it", async () => {
    const body = { kind: "SOLD", format: "CSV", firstDay: DAY, lastDay: DAY };
    const { reportId } = (await owner.pos("POST", "/shop-reports", body)).body;
    await till.restart();
    await till.settle();
    const { list } = (await owner.pos("GET", "/shop-reports?_limit=10&_offset=0")).body;
    const found = list.find((one: { reportId: string }) => one.reportId === reportId);
    expect(found.state).toBe("READY");
  });
});

describe("postings for the books", () => {
  it("add up to zero for each day, and their sales equal the figures", async () => {
    expect((await owner.pos("PUT", "/accounting", ACCOUNTS)).status).toBe(200);
    const [head = [], ...rows] = await readRows(await makeReport("BOOKS", "CSV"));
    const of = (name: string) => (row: string[]) => Number(row[head.indexOf(name)] || 0);
    const sum = (name: string) => rows.reduce((total, row) => total + of(name)(row), 0);
    expect(sum("debit")).toBeCloseTo(sum("credit"), 6);
    const { figures } = (await owner.pos("GET", `/figures/money?firstDay=${DAY}&lastDay=${DAY}`))
      .body;
    const sales = rows.filter((row) => row[head.indexOf("role")] === "SALES");
    const credit = sales.reduce((total, row) => total + of("credit")(row), 0);
    expect(Math.round(credit * 100)).toBe(figures.sold - figures.tax);
    expect(sales.map((row) => row[head.indexOf("account")])).toEqual(["8401"]);
  });

  it("have the form of QuickBooks journal entries", async () => {
    const [head, first] = await readRows(await makeReport("BOOKS", "QUICKBOOKS"));
    expect(head).toEqual([
      "Journal No.",
      "Journal Date",
      "Account Name",
      "Description",
      "Debits",
      "Credits",
    ]);
    expect(first?.slice(0, 4)).toEqual(["TG20260115", "01/15/2026", "1000", "CASH"]);
  });

  it("have the form of Xero journals, with positive debits and negative credits", async () => {
    const [head, ...rows] = await readRows(await makeReport("BOOKS", "XERO"));
    expect(head?.slice(0, 6)).toEqual([
      "*Narration",
      "*Date",
      "Description",
      "*AccountCode",
      "*TaxRate",
      "*Amount",
    ]);
    expect(rows[0]?.slice(0, 5)).toEqual([
      `Tillgate ${DAY}`,
      "15/01/2026",
      "CASH",
      "1000",
      "Tax Exempt",
    ]);
    const cents = rows.map((row) => Math.round(Number(row[5]) * 100));
    expect(cents.reduce((total, one) => total + one, 0)).toBe(0);
  });

  it("have the form of a DATEV batch with a header, columns and a clearing account that balances to zero", async () => {
    const report = await makeReport("BOOKS", "DATEV");
    expect(report.fileName).toMatch(/^EXTF_/);
    const text = await readText(report);
    const [header = "", columns = "", ...lines] = text.trimEnd().split("\r\n");
    expect(header.split(";")).toHaveLength(31);
    expect(header).toMatch(/^"EXTF";700;21;"Buchungsstapel";13;\d{17};;"TG";"";"";29098;55003;/);
    expect(header).toContain(";20260101;4;20260115;20260115;");
    expect(columns.split(";")).toHaveLength(125);
    const sums = lines.map((line) => {
      const cells = line.split(";");
      expect(cells).toHaveLength(125);
      expect([cells[7], cells[9]]).toEqual(["1360", "1501"]);
      const amount = Number((cells[0] ?? "").replace(",", ""));
      return cells[1] === '"S"' ? amount : -amount;
    });
    expect(sums.length).toBeGreaterThan(3);
    expect(sums.reduce((total, one) => total + one, 0)).toBe(0);
  });

  it("let other work run after each day of a year", async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    const year = { firstDay: "2025-02-01", lastDay: "2026-01-31" };
    expect(await makeReport("BOOKS", "CSV", year)).toMatchObject({ state: "READY" });
    isOver = true;
    expect(turns).toBeGreaterThan(365);
  });

  it("use separate accounts for cash in the drawer, cash in the bank and refunds due", async () => {
    const { shift } = (await owner.pos("GET", "/shifts/current")).body;
    const book = (kind: string, amount: number) =>
      owner.pos("POST", `/shifts/${shift.shiftId}/movements`, {
        movementId: randomUUID(),
        kind,
        amount,
        reason: "Change",
      });
    for (const [kind, amount] of [
      ["PAY_IN", 500],
      ["PAY_OUT", 200],
      ["DROP", 1_000],
    ] as const) {
      expect((await book(kind, amount)).status).toBe(200);
    }
    const deposit = { depositId: randomUUID(), kind: "DEPOSIT", amount: 700, reference: "Slip 9" };
    expect((await owner.pos("POST", "/cash/deposits", deposit)).body.balance).toBe(300);
    await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251239001" }]);
    await till.advance(MINUTE);
    const [head = [], ...rows] = await readRows(await makeReport("BOOKS", "CSV"));
    const cents = (row: string[], name: string) =>
      Math.round(Number(row[head.indexOf(name)] || 0) * 100);
    const posted = (role: string) =>
      rows
        .filter((row) => row[head.indexOf("role")] === role)
        .reduce((sum, row) => sum + cents(row, "debit") - cents(row, "credit"), 0);
    expect(rows.reduce((sum, row) => sum + cents(row, "debit") - cents(row, "credit"), 0)).toBe(0);
    const { figures, taken } = (
      await owner.pos("GET", `/figures/money?firstDay=${DAY}&lastDay=${DAY}`)
    ).body;
    expect({
      payIn: posted("PAY_IN"),
      payOut: posted("PAY_OUT"),
      safe: posted("SAFE"),
      bank: posted("BANK"),
      cash: posted("CASH"),
      due: posted("REFUNDS_DUE"),
      cost: posted("COST"),
    }).toEqual({
      payIn: -500,
      payOut: 200,
      safe: 300,
      bank: 700,
      cash: taken.cash + 500 - 200 - 1_000,
      due: -figures.refundsDue,
      cost: figures.cost,
    });
    expect(figures.refundsDue).toBeGreaterThan(0);
  });

  it("without an account cause an error that names the account", async () => {
    const accounts = { ...ACCOUNTS.accounts, WALLET: "" };
    await owner.pos("PUT", "/accounting", { ...ACCOUNTS, accounts });
    const report = await makeReport("BOOKS", "QUICKBOOKS");
    expect(report).toMatchObject({
      state: "FAILED",
      fault: "These have no account yet: WALLET.",
    });
    expect((await owner.pos("GET", `/shop-reports/${report.reportId}/file`)).status).toBe(404);
    await owner.pos("PUT", "/accounting", ACCOUNTS);
  });

  it("store each tax rate once, written as in the figures", async () => {
    const tax = { kind: "ON_PRICE", percent: "19.0", account: "3806" };
    const kept = await owner.pos("PUT", "/accounting", { ...ACCOUNTS, taxes: [tax] });
    expect(kept.body.taxes).toEqual([{ ...tax, percent: "19" }]);
    const twice = [tax, { ...tax, percent: "19" }];
    const refused = await owner.pos("PUT", "/accounting", { ...ACCOUNTS, taxes: twice });
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ["taxes.1.percent"]]);
    await owner.pos("PUT", "/accounting", ACCOUNTS);
  });

  it("cannot be made for DATEV from days of two business years", async () => {
    const turn = { firstDay: "2025-12-31", lastDay: DAY };
    const report = await makeReport("BOOKS", "DATEV", turn);
    expect(report).toMatchObject({ state: "FAILED" });
    expect(report.fault).toMatch(/^DATEV takes days of one business year at a time/);
  });

  it("have the business year that started last summer in the header of a DATEV batch", async () => {
    const datev = { ...ACCOUNTS.datev, yearBegins: "07-01" };
    await owner.pos("PUT", "/accounting", { ...ACCOUNTS, datev });
    const turn = { firstDay: "2025-12-31", lastDay: DAY };
    const text = await readText(await makeReport("BOOKS", "DATEV", turn));
    await owner.pos("PUT", "/accounting", ACCOUNTS);
    expect(text.split("\r\n")[0]).toContain(";20250701;4;20251231;20260115;");
  });

  it("cannot be made for Xero without the name of its tax rate", async () => {
    await owner.pos("PUT", "/accounting", { ...ACCOUNTS, xeroTaxRate: "" });
    const report = await makeReport("BOOKS", "XERO");
    await owner.pos("PUT", "/accounting", ACCOUNTS);
    expect(report).toMatchObject({ state: "FAILED" });
    expect(report.fault).toBe("The name of Xero's tax rate is not set yet.");
  });

  it("with non-numeric accounts are refused for DATEV", async () => {
    const accounts = { ...ACCOUNTS.accounts, CASH: "Till" };
    await owner.pos("PUT", "/accounting", { ...ACCOUNTS, accounts });
    const report = await makeReport("BOOKS", "DATEV");
    expect(report).toMatchObject({ state: "FAILED" });
    expect(report.fault).toContain('"Till"');
    await owner.pos("PUT", "/accounting", ACCOUNTS);
  });

  it("credit the tax of each rate to the account of the rate, or else to the account of TAX", async () => {
    const { newest } = (await owner.pos("GET", "/prices/test")).body;
    const onPrice = (percent: string) => ({ kind: "ON_PRICE", percent });
    const none = { kind: "NONE", percent: "0" };
    const taxes = { TOPUP: onPrice("12"), VOUCHER: onPrice("5"), ESIM: none, BILL_PAY: none };
    const list = { rules: [], taxes, fxBufferPercent: "0", driftAlertPercent: "2" };
    expect((await owner.pos("PUT", "/prices/test", { list, base: newest })).status).toBe(200);
    const sold = await owner.sell([
      { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234570" },
      { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" },
    ]);
    expect(sold.status).toBe(200);
    await till.advance(MINUTE);
    const own = { ...onPrice("12"), account: "3806" };
    await owner.pos("PUT", "/accounting", { ...ACCOUNTS, taxes: [own] });
    const [head = [], ...rows] = await readRows(await makeReport("BOOKS", "CSV"));
    const quickBooks = await readText(await makeReport("BOOKS", "QUICKBOOKS"));
    await owner.pos("PUT", "/accounting", ACCOUNTS);

    const of = (row: string[], name: string) => row[head.indexOf(name)] ?? "";
    const posted = rows.filter((row) => of(row, "role") === "TAX");
    const accounts = posted.map((row) => [of(row, "taxPercent"), of(row, "account")]);
    expect(accounts).toHaveLength(2);
    expect(Object.fromEntries(accounts)).toEqual({ "12": "3806", "5": "1776" });
    const credit = posted.reduce((sum, row) => sum + Number(of(row, "credit")), 0);
    const { figures } = (await owner.pos("GET", `/figures/money?firstDay=${DAY}&lastDay=${DAY}`))
      .body;
    expect(Math.round(credit * 100)).toBe(figures.tax);
    expect(quickBooks).toContain('"3806","TAX ON_PRICE 12"');
    expect(quickBooks).toContain('"1776","TAX ON_PRICE 5"');
  });
});

it("postings for the books credit the wallet for its spending and holds of each day, and for no failed line", async () => {
  const shop = await startTestGateway();
  try {
    // One currency, so that the books and the wallet are compared to the cent.
    let olga = await openTill(shop);
    const available = async () => (await olga.pos("GET", "/wallet/overview")).body.available;
    const start = await available();
    const ends: { day: string; available: number; due: number }[] = [];
    const sell = (...endings: string[]) =>
      olga.sell(
        endings.map((ending) => ({
          offerId: "TIGO_GT_TOPUP_25",
          recipientPhoneNumber: `+5025123${ending}`,
        })),
      );
    const due = async () => (await olga.pos("GET", "/figures/owed?limit=1")).body.amount;
    const endDay = async () => {
      const day = new Date(shop.clock.now()).toISOString().slice(0, 10);
      await shop.advance(MINUTE);
      ends.push({ day, available: await available(), due: await due() });
      await markAskedForADay(shop);
      shop.clock.set(shop.clock.now() + DAY_MS);
      await shop.settle();
      olga = await olga.signIn(olga.staffId, OWNER_PIN, { shift: false });
    };
    // One delivered line, one refused line, and two lines without an outcome until the next day.
    const { saleId, lines } = (await sell("4567", "9001", "9004", "9006")).body;
    await endDay();
    await sell("4568", "9002");
    const body = { customerRefundId: randomUUID(), lines: [lines[1].transactionId] };
    expect((await olga.pos("POST", `/sales/${saleId}/customer-refunds`, body)).status).toBe(200);
    await endDay();
    await sell("4569");
    await endDay();

    const [first, , last] = ends;
    const days = { firstDay: first?.day, lastDay: last?.day };
    const asked = { kind: "BOOKS", format: "CSV", ...days };
    const { reportId } = (await olga.pos("POST", "/shop-reports", asked)).body;
    await shop.settle();
    const { body: text } = await olga.pos("GET", `/shop-reports/${reportId}/file`);
    const [head = [], ...rows] = parse(text, { bom: true });
    const posted = (role: string, day: string) =>
      rows
        .filter((row) => row[head.indexOf("role")] === role && (row[0] ?? "") <= day)
        .reduce(
          (sum, row) =>
            sum +
            Math.round(Number(row[head.indexOf("debit")] || 0) * 100) -
            Math.round(Number(row[head.indexOf("credit")] || 0) * 100),
          0,
        );
    expect(
      ends.map(({ day }) => ({
        day,
        wallet: posted("WALLET", day),
        due: posted("REFUNDS_DUE", day),
      })),
    ).toEqual(ends.map((end) => ({ day: end.day, wallet: end.available - start, due: -end.due })));
    expect(ends.map((end) => end.due > 0)).toEqual([true, true, true]);
    await shop.expectCleanBooks();
  } finally {
    await shop.close();
  }
});
