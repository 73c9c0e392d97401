import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FigureBreakdown, FigureMoney } from "../../../contract/pos/figures.ts";
import { trueMinus } from "../../../contract/pos/money-text.ts";
import type { ZReport } from "../../../contract/pos/shifts.ts";
import { MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { plainFigures, plainTender, readPlainTrade } from "../../../testing/plain-figures.ts";
import { type ReadPdf, readPdf } from "../../../testing/read-pdf.ts";
import { sellSamples } from "../../../testing/sold-samples.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, type TestTill } from "../../../testing/test-till.ts";
import words from "./day-pdf/day-words.json" with { type: "json" };

let gateway: TestGateway;
let owner: TestTill;
let clerk: TestTill;
const DAY = "2026-01-15";
const DAYS = `firstDay=${DAY}&lastDay=${DAY}`;
const NO_FONT = "李小龙";
const TOPUP = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const REFUSED = { ...TOPUP, recipientPhoneNumber: "+50251239001" };
const VOUCHER = { productType: "VOUCHER" as const, offerId: "AMAZON_US_GIFT_25" };
const NO_TAX = { kind: "NONE", percent: "0" };

beforeAll(async () => {
  gateway = await startTestGateway();
  const { owner: seller } = await sellSamples(gateway);
  owner = await seller.signIn(seller.staffId, OWNER_PIN);
  await setTerms();
  const hired = { name: NO_FONT, role: "clerk", pin: "258346" };
  clerk = await owner.signIn((await owner.pos("POST", "/staff", hired)).body.staffId, hired.pin);
  await clerk.sell([TOPUP, VOUCHER], 100_000);
  const { body: sale } = await owner.sell([TOPUP, REFUSED], 100_000);
  await gateway.advance(MINUTE);
  const lines = [sale.lines[1].transactionId];
  const back = { customerRefundId: randomUUID(), lines };
  const path = `/sales/${sale.saleId}/customer-refunds`;
  expect((await owner.pos("POST", path, back)).status).toBe(200);
});
afterAll(() => gateway.close());

async function setTerms() {
  const { newest: base } = (await owner.pos("GET", "/prices/test")).body;
  const taxes = {
    TOPUP: { kind: "ON_PRICE", percent: "12" },
    VOUCHER: { kind: "ON_MARGIN", percent: "8.875" },
    ESIM: NO_TAX,
    BILL_PAY: NO_TAX,
  };
  const list = { rules: [], taxes, fxBufferPercent: "0", driftAlertPercent: "2" };
  expect((await owner.pos("PUT", "/prices/test", { list, base })).status).toBe(200);
  const settings = (await owner.pos("GET", "/settings")).body;
  const receipt = { address: ["12 Calle 4-56", "NIT 1234567-8"], support: [] };
  const set = await owner.pos("PUT", "/settings", { ...settings, cashStep: 25, receipt });
  expect(set.status).toBe(200);
}

async function makeDocument(till: TestTill = owner, change: object = {}) {
  const body = { kind: "DAY", format: "PDF", firstDay: DAY, lastDay: DAY, ...change };
  const asked = await till.pos("POST", "/shop-reports", body);
  expect(asked).toMatchObject({ status: 200, body: { state: "REQUESTED", kind: "DAY" } });
  await gateway.settle();
  const { list } = (await till.pos("GET", "/shop-reports?_limit=1&_offset=0")).body;
  expect(list[0]).toMatchObject({ state: "READY", reportId: asked.body.reportId });
  const file = await fetch(`${gateway.url}/pos/shop-reports/${asked.body.reportId}/file`, {
    headers: { cookie: till.cookie },
  });
  const { language } = { language: "en", ...change };
  const content = new Uint8Array(await file.arrayBuffer());
  const read = await readPdf(content, language === "ar" ? "rtl" : "ltr");
  return { ...read, report: list[0], headers: file.headers };
}

function rowsUnder({ pages }: ReadPdf, heading: string, language: keyof typeof words = "en") {
  // Removes the footer line of each page, and the two header lines from the second page on.
  const rows = pages.flatMap((page, n) => page.slice(n === 0 ? 0 : 2, -1));
  const headings = new Set(Object.values(words[language].heading));
  const start = rows.findIndex(([first, ...rest]) => first === heading && rest.length === 0);
  expect([heading, start]).not.toEqual([heading, -1]);
  const length = rows.slice(start + 1).findIndex(([first = ""]) => headings.has(first));
  return rows.slice(start + 1, length === -1 ? undefined : start + 1 + length);
}

const inGtq = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "GTQ",
  currencyDisplay: "narrowSymbol",
});
const gtq = (minor: number) => trueMinus(inGtq.format(minor / 100)).replaceAll(/\s/g, " ");
const ask = async <Body>(path: string): Promise<Body> => (await owner.pos("GET", path)).body;
const readMoney = () => ask<FigureMoney>(`/figures/money?${DAYS}`);

describe("the document of a day", () => {
  it("contains every figure of the pages, equal to the sums of the rows", {
    tags: ["thorough"],
  }, async () => {
    const read = await makeDocument();
    const { figures, taken, refunded, drawers, tieOut } = await readMoney();
    const trade = await readPlainTrade(gateway.gateway.context.db);
    const always = () => true;
    expect(figures).toEqual(plainFigures(trade, always));
    expect([taken.cash, refunded.card]).toEqual([
      plainTender(trade, always, "CASH", 1),
      plainTender(trade, always, "CARD", -1),
    ]);
    for (const part of [figures.tax, figures.cashRounding, figures.refunded, figures.discount]) {
      expect(part).not.toBe(0);
    }
    const [named, values, ...more] = rowsUnder(read, "Figures");
    expect(named).toEqual(["Sold", "Tax", "Cost", "Profit"]);
    expect(values).toEqual([figures.sold, figures.tax, figures.cost, figures.earned].map(gtq));
    expect(more).toEqual([
      ["Margin", "Sales", "Average sale", "Items"],
      [`${figures.marginPct}%`, `${figures.sales}`, gtq(figures.average ?? 0), `${figures.lines}`],
      ["Discounts", "Refunds due", "Refunded", "Payments"],
      [figures.discount, figures.refundsDue, figures.refunded, figures.taken].map(gtq),
      ["Owed"],
      [gtq(figures.owed)],
    ]);
    expect(rowsUnder(read, "Cash and wallet")).toEqual([
      ["Sold", gtq(figures.sold)],
      ["Refunds due", gtq(figures.refundsDue)],
      ["Cash rounding", gtq(figures.cashRounding)],
      ["Owed: sold and not paid", gtq(-figures.owed || 0)],
      ["Payments less refunds", gtq(figures.taken)],
      ["Payments: Cash", gtq(taken.cash)],
      ["Payments: Card", gtq(taken.card)],
      ["Payments: Other", gtq(taken.other)],
      ["Refunds: Cash", gtq(-refunded.cash)],
      ["Refunds: Card", gtq(-refunded.card)],
      ["Refunds: Other", gtq(0)],
      ["Cash payments less cash refunds", gtq(taken.cash - refunded.cash)],
      ["Cash in", gtq(0)],
      ["Cash out", gtq(0)],
      ["Differences at closing", gtq(drawers.differences)],
      ["Taken to the bank", gtq(0)],
      ["Remaining in drawers and safe", gtq(drawers.cash)],
      ["Sold + Refunds due + Cash rounding = Payments + Owed"],
      [
        [
          [figures.sold, figures.refundsDue, figures.cashRounding].map(gtq).join(" + "),
          `${gtq(figures.taken)} + ${gtq(figures.owed)}`,
        ].join(" = "),
      ],
    ]);
    const { byTender } = await readMoney();
    expect(byTender.map(({ name }) => name)).toContain("Visa terminal");
    const paid = rowsUnder(read, "Payments by method").slice(1, byTender.length + 2);
    const names = { CASH: "Cash", CARD: "Card", OTHER: "Other" };
    const back = figures.refunded;
    expect(paid).toEqual([
      ...byTender.map((one) =>
        [one.name ?? names[one.kind], one.taken, -one.refunded, one.taken - one.refunded].map(cell),
      ),
      ["All", figures.taken + back, -back, figures.taken].map(cell),
    ]);
    const wallet = rowsUnder(read, "From cost to the wallet");
    expect(wallet).toContainEqual(["Wallet spent", `USD ${(tieOut.walletSpent / 100).toFixed(2)}`]);
    expect(wallet).toContainEqual(["Wallet reconciliation: matched"]);
  });

  it("contains each breakdown of the day as on its page, with a total", {
    tags: ["thorough"],
  }, async () => {
    const read = await makeDocument();
    const { figures } = await readMoney();
    const headings = {
      FAMILY: "product type",
      BRAND: "brand",
      CLERK: "staff member",
      TILL: "till",
    };
    for (const [by, heading] of Object.entries(headings)) {
      const { list } = await ask<FigureBreakdown>(`/figures/parts?${DAYS}&by=${by}`);
      const [, ...rows] = rowsUnder(read, `By ${heading}`);
      const cellsOf = (of: FigureBreakdown["list"][number]["figures"]) => [
        `${of.lines}`,
        ...[of.sold, of.tax, of.cost, of.earned].map(gtq),
        of.marginPct === undefined ? "–" : `${of.marginPct}%`,
      ];
      const expected = [...list.map((part) => cellsOf(part.figures)), cellsOf(figures)];
      expect([by, rows.map((row) => row.slice(1))]).toEqual([by, expected]);
    }
  });

  it("contains the tax by rate, without lines that failed on the day", async () => {
    const read = await makeDocument();
    const { figures } = await readMoney();
    const [, ...rows] = rowsUnder(read, "Tax by rate");
    const trade = await readPlainTrade(gateway.gateway.context.db);
    const taxOf = (family: string, sign: 1 | -1) =>
      trade.lines
        .filter((line) => line.FAMILY === family && line.sign === sign)
        .reduce((sum, line) => sum + line.tax, 0);
    const [sold, back] = [taxOf("TOPUP", 1), taxOf("TOPUP", -1)];
    const onMargin = taxOf("VOUCHER", 1);
    expect([back, onMargin].every((tax) => tax > 0)).toBe(true);
    expect(rows).toEqual([
      ["On prices 12%", sold - back, 0, sold - back].map(cell),
      ["On the profit 8.875%", onMargin, 0, onMargin].map(cell),
      ["All", figures.tax, 0, figures.tax].map(cell),
    ]);
  });

  it("contains the ended shifts with their counts, the open shifts, and refunds due", {
    tags: ["thorough"],
  }, async () => {
    const read = await makeDocument();
    const [, ...rows] = rowsUnder(read, "Shifts closed on this day");
    const { list } = await ask<{ list: ZReport[] }>(`/z-reports?limit=10&offset=0&${DAYS}`);
    expect(list).toHaveLength(2);
    for (const { zNumber, shift, expectedCash, counted = 0, variance = 0 } of list) {
      const row = rows.find(([number]) => number === `${zNumber}`) ?? [];
      expect(row[1]).toBe(shift.staff.name);
      expect(row.slice(-3)).toEqual([expectedCash, counted, variance].map(gtq));
    }
    expect(rows.flat().filter((text) => text.startsWith("Still open: "))).toHaveLength(2);
    const due = await ask<{ amount: number }>("/figures/owed?limit=1");
    const [, owed = []] = rowsUnder(read, "Owed and refunds due");
    expect(due.amount).toBeGreaterThan(0);
    expect(owed.at(-1)).toBe(gtq(due.amount));
  });

  it("states the test environment, the author and the page number on every page", async () => {
    const { pages, title, report, headers, language } = await makeDocument();
    for (const [index, rows] of pages.entries()) {
      expect(rows[0]).toEqual(["TEST: nothing here is real"]);
      const [made, page] = rows.at(-1) ?? [];
      expect(made).toMatch(/^Made Jan 15, 2026, .* by Olga$/);
      expect(page).toBe(`Page ${index + 1} of ${pages.length}`);
    }
    expect(pages[0]?.slice(1, 6).flat()).toEqual([
      "Corner Shop",
      "12 Calle 4-56",
      "NIT 1234567-8",
      "Daily report",
      "Thursday, January 15, 2026",
    ]);
    expect(title).toBe("TEST: nothing here is real · Corner Shop · Thursday, January 15, 2026");
    expect(language).toBe("en");
    expect(report.fileName).toBe(`test-Corner-Shop-${DAY}.pdf`);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-disposition")).toContain(`filename="test-Corner-Shop-${DAY}.pdf"`);
  });

  it("replaces letters that no font contains with a substitute, and mentions the replacement", {
    tags: ["thorough"],
  }, async () => {
    const read = await makeDocument();
    const people = rowsUnder(read, "By staff member").map(([name]) => name);
    expect(people).toContain("\uFFFD".repeat(3));
    expect(read.pages.flat().flat().join()).toContain("\uFFFD stands for a character");
  });
});

describe("the document of a day in Arabic", () => {
  it("runs from right to left, with amounts from left to right", {
    tags: ["thorough"],
  }, async () => {
    const read = await makeDocument(owner, { language: "ar" });
    const { figures } = await readMoney();
    expect(read.pages[0]?.[0]).toEqual(["اختبار: لا شيء هنا حقيقي"]);
    const walk = rowsUnder(read, words.ar.heading.money, "ar");
    expect(walk[0]).toEqual(["المباع", gtq(figures.sold)]);
    expect(walk[4]).toEqual(["المدفوعات بعد طرح المبالغ المردودة", gtq(figures.taken)]);
    const [head] = rowsUnder(read, words.ar.heading.FAMILY, "ar");
    expect(head).toEqual([
      "نوع المنتج",
      "الأصناف",
      "المباع",
      "الضريبة",
      "التكلفة",
      "الربح",
      "الهامش",
    ]);
    const families = rowsUnder(read, words.ar.heading.FAMILY, "ar").map(([name]) => name);
    expect(families).toContain("شرائح eSIM");
    expect(read.language).toBe("ar");
  });
});

it.each(["es", "fr", "pt"] as const)(
  "the document of a day in %s has every heading",
  async (language) => {
    const { pages } = await makeDocument(owner, { language });
    const rows = pages.flat().map((row) => row.join(" "));
    // A shop with one provider has no sales by provider.
    const { PROVIDER: _, ...headings } = words[language].heading;
    for (const heading of Object.values(headings)) {
      expect(rows).toContain(heading.replaceAll(/\s/g, " "));
    }
  },
);

describe("requesting the document of a day", () => {
  it("recounts damaged sums first", {
    tags: ["thorough"],
  }, async () => {
    const { figures } = await readMoney();
    const { db } = gateway.gateway.context;
    await sql`update day_figures set paid = paid + 1`.execute(writerOf(db));
    const read = await makeDocument();
    expect(rowsUnder(read, "Cash and wallet")[0]).toEqual(["Sold", gtq(figures.sold)]);
    expect((await readMoney()).figures).toEqual(figures);
  });

  it("puts the logo at the top, and leaves out an unreadable logo", {
    tags: ["thorough"],
  }, async () => {
    const whole = PNG.sync.write(new PNG({ width: 120, height: 60 }));
    const broken = Buffer.from(whole);
    broken.fill(0xff, broken.indexOf("IDAT") + 4, broken.indexOf("IEND") - 8);
    for (const [picture, pictures] of [
      [whole, 1],
      [broken, 0],
    ] as const) {
      const content = picture.toString("base64");
      expect((await owner.pos("PUT", "/shop/logo", { content })).status).toBe(200);
      expect((await makeDocument()).pictures).toBe(pictures);
    }
  });

  it("names the file after the shop, with letters of any script", {
    tags: ["thorough"],
  }, async () => {
    const renamed = await owner.pos("PATCH", "/shop", { name: "متجر النور / 7" });
    expect(renamed.status).toBe(200);
    const { report, headers } = await makeDocument();
    expect(report.fileName).toBe(`test-متجر-النور-7-${DAY}.pdf`);
    const [, encoded = ""] = headers.get("content-disposition")?.split("UTF-8''") ?? [];
    expect(decodeURIComponent(encoded)).toBe(report.fileName);
    await owner.pos("PATCH", "/shop", { name: "Corner Shop" });
  });

  it("records requester and reader in the audit trail, and fails for clerks", {
    tags: ["thorough"],
  }, async () => {
    const { report } = await makeDocument();
    for (const action of ["report.request", "report.download"]) {
      const trail = await owner.pos("GET", `/audit-trail?action=${action}&limit=1`);
      expect(trail.body.list[0]).toMatchObject({
        subject: report.reportId,
        staff: { name: "Olga" },
        detail: { kind: "DAY", format: "PDF", firstDay: DAY, environment: "test" },
      });
    }
    const body = { kind: "DAY", format: "PDF", firstDay: DAY, lastDay: DAY };
    expect((await clerk.pos("POST", "/shop-reports", body)).status).toBe(403);
  });

  it.each([
    ["several days", { lastDay: "2026-01-16" }, "lastDay"],
    ["another format", { format: "CSV" }, "format"],
  ])(
    "requesting the document of a day causes an error that names the field for %s",
    async (_, change, field) => {
      const body = { kind: "DAY", format: "PDF", firstDay: DAY, lastDay: DAY, ...change };
      const refused = await owner.pos("POST", "/shop-reports", body);
      expect(refused).toMatchObject({ status: 400, body: { errorCode: "INVALID_REQUEST" } });
      expect(Object.keys(refused.body.fields)).toEqual([field]);
    },
  );

  it("never labels live figures as a test", async () => {
    const { db } = gateway.gateway.context;
    const write = writerOf(db).updateTable("shops");
    await write.set({ till_environment: "live" }).execute();
    const live = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
    const { pages, report } = await makeDocument(live);
    expect(pages.flat().flat().join(" ")).not.toContain("TEST");
    expect(pages.flat().flat()).toContain("Nothing was sold on this day.");
    expect(report.fileName).toBe(`Corner-Shop-${DAY}.pdf`);
    await writerOf(db).updateTable("shops").set({ till_environment: "test" }).execute();
  });
});

function cell(value: string | number): string {
  return typeof value === "string" ? value : gtq(value || 0);
}
