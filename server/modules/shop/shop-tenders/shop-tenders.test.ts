import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FigureMovement, FigureTender } from "../../../contract/pos/figures.ts";
import type { ShopTenderInput, ShopTenders } from "../../../contract/pos/shop-tenders.ts";
import type { TenderInput } from "../../../contract/pos/tenders.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";

let gateway: TestGateway;
let owner: TestTill;
let clerk: TestTill;
const DAYS = "firstDay=2026-01-15&lastDay=2026-01-15";
const LINE: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const REFUSED: TestLine = { ...LINE, recipientPhoneNumber: "+50251239001" };
const VISA = { name: "Visa terminal", kind: "CARD", opensDrawer: false, offered: true } as const;
const NAMELESS = { kind: "CARD", opensDrawer: false, offered: true } as const;
const CHEQUE = { name: "Cheque", kind: "OTHER", opensDrawer: true, offered: true } as const;

beforeAll(async () => {
  gateway = await startTestGateway();
  owner = await openTill(gateway);
  const hired = { name: "Ana", role: "clerk", pin: "258346" };
  const { staffId } = (await owner.pos("POST", "/staff", hired)).body;
  clerk = await owner.signIn(staffId, hired.pin);
});
afterAll(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

async function read(): Promise<ShopTenders> {
  return (await owner.pos("GET", "/tenders")).body;
}

function toInput({ list }: ShopTenders): ShopTenderInput[] {
  return list.map((tender) => {
    const { used: _, ...facts } = tender;
    return facts;
  });
}

type Change = (list: ShopTenderInput[]) => ShopTenderInput[];

async function save(change: Change) {
  const before = await read();
  const body = { base: before.revision, list: change(toInput(before)) };
  return owner.pos("PUT", "/tenders", body);
}

async function findTenderId(name: string): Promise<string> {
  const { list } = await read();
  return list.find((one) => one.name === name)?.tenderId ?? "";
}

function rename(tenderId: string, facts: Partial<ShopTenderInput>): Change {
  return (list) => list.map((one) => (one.tenderId === tenderId ? { ...one, ...facts } : one));
}

async function sell(line: TestLine, tendersOf: (price: number) => TenderInput[], who = owner) {
  const sale = await who.prepareSale([line]);
  const tenders = tendersOf(sale.lines[0]?.price ?? 0);
  const answer = await who.pos("POST", "/sales", { ...sale, tenders });
  await gateway.settle();
  return answer;
}

describe("the list of tenders", () => {
  it("starts with cash, card and other, and only an owner can read or change it", async () => {
    const { revision, list } = await read();
    expect([revision, list.map(({ tenderId, opensDrawer }) => [tenderId, opensDrawer])]).toEqual([
      0,
      [
        ["CASH", true],
        ["CARD", false],
        ["OTHER", false],
      ],
    ]);
    expect((await clerk.pos("GET", "/tenders")).status).toBe(403);
    const body = { base: 0, list: toInput({ revision, list }) };
    expect((await clerk.pos("PUT", "/tenders", body)).status).toBe(403);
    expect((await owner.pos("PUT", "/tenders", body)).body.revision).toBe(0);
  });

  it("stores names, kinds and the order, notifies signed-in tills, and records the change in the audit trail", async () => {
    const saved = await save(([cash, card, other]) => [
      VISA,
      { ...(cash as ShopTenderInput) },
      { ...(card as ShopTenderInput), name: " Amex " },
      CHEQUE,
      { ...(other as ShopTenderInput) },
    ]);
    expect(saved.body).toMatchObject({
      revision: 1,
      list: [
        { ...VISA, used: false },
        { tenderId: "CASH", kind: "CASH" },
        { tenderId: "CARD", kind: "CARD", name: "Amex" },
        CHEQUE,
        { tenderId: "OTHER" },
      ],
    });
    const { tenders } = (await clerk.pos("GET", "/status")).body;
    expect(tenders.map(({ name = "" }: { name?: string }) => name)).toEqual([
      "Visa terminal",
      "",
      "Amex",
      "Cheque",
      "",
    ]);
    expect((await gateway.call("GET", "/pos/status")).body.tenders).toBeUndefined();
    const trail = (await owner.pos("GET", "/audit-trail?limit=10")).body.list;
    const recorded = (trail as { action: string; detail: object }[])
      .filter(({ action }) => action.startsWith("tender."))
      .map(({ action, detail }) => [action, detail]);
    expect(recorded).toEqual([
      ["tender.add", CHEQUE],
      ["tender.change", { name: "Amex", "name.was": "Card" }],
      ["tender.add", VISA],
    ]);
  });

  it("rejects a save that is based on an older list", async () => {
    const { revision, list } = await read();
    const body = { base: revision - 1, list: toInput({ revision, list }) };
    const late = await owner.pos("PUT", "/tenders", body);
    expect([late.status, late.body.errorCode]).toEqual([409, "TENDERS_CHANGED"]);
    expect(late.body.fields).toEqual({ base: `must be ${revision}` });
  });

  it.each<[string, Change, string]>([
    ["no name", (list) => [...list, { ...VISA, name: "" }], "list.5.name"],
    ["no name at all", (list) => [...list, NAMELESS], "list.5.name"],
    ["blanks", (list) => [...list, { ...VISA, name: "  " }], "list.5.name"],
    ["a name too long", (list) => [...list, { ...VISA, name: "x".repeat(41) }], "list.5.name"],
    ["a line break", (list) => [...list, { ...VISA, name: "a\nb" }], "list.5.name"],
    ["a name twice", (list) => [...list, { ...VISA, name: "CHEQUE" }], "list.5.name"],
    ["the program's word", (list) => [...list, { ...VISA, name: "cash" }], "list.5.name"],
    ["a second cash", (list) => [...list, { ...VISA, name: "B", kind: "CASH" }], "list.5.kind"],
    ["an unknown kind", (list) => [...list, { ...VISA, kind: "GOLD" as "CARD" }], "list.5.kind"],
    [
      "an unknown id",
      (list) => [...list, { ...VISA, name: "B", tenderId: randomUUID() }],
      "list.5.tenderId",
    ],
    ["cash retired", rename("CASH", { offered: false }), "list.1.offered"],
    ["cash that is a card", rename("CASH", { kind: "CARD" }), "list.1.kind"],
    ["no card", (list) => list.filter(({ tenderId }) => tenderId !== "CARD"), "list"],
    ["21 of them", (list) => [...list, ...many(16)], "list"],
  ])("refuses a list with %s and names the field", async (_, change, field) => {
    const before = await read();
    const refused = await save(change);
    expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([400, [field]]);
    expect(await read()).toEqual(before);
  });

  it("holds up to twenty tenders, and allows the removal of unused tenders", async () => {
    expect((await save((list) => [...list, ...many(15)])).status).toBe(200);
    const fewer = await save((list) => list.slice(0, 5));
    expect(fewer.body.list).toHaveLength(5);
  });
});

function many(count: number): ShopTenderInput[] {
  return Array.from({ length: count }, (_, n) => ({ ...VISA, name: `Terminal ${n}` }));
}

describe("a named tender", () => {
  it("appears in the sale, the shift and the figures under its name at the time of the sale", async () => {
    const [visa, cheque] = [await findTenderId("Visa terminal"), await findTenderId("Cheque")];
    const sold = await sell(LINE, (price) => [
      { kind: "CARD", tenderId: visa, amount: 100, reference: "0042" },
      { kind: "OTHER", tenderId: cheque, amount: 50 },
      { kind: "CARD", tenderId: "CARD", amount: 20 },
      { kind: "CASH", tendered: price },
    ]);
    expect(sold.body.tenders).toEqual([
      { kind: "CARD", tenderId: visa, name: "Visa terminal", amount: 100, reference: "0042" },
      { kind: "OTHER", tenderId: cheque, name: "Cheque", amount: 50 },
      { kind: "CARD", name: "Amex", amount: 20 },
      expect.objectContaining({ kind: "CASH" }),
    ]);
    await save(rename(visa, { name: "Terminal at the door" }));
    const { sale } = (await owner.pos("POST", `/sales/${sold.body.saleId}/prints`)).body;
    expect(sale.tenders[0].name).toBe("Visa terminal");
    const cash = sold.body.total - 170;
    const shift = (await owner.pos("GET", "/shifts/current")).body.shift.shiftId;
    const x = (await owner.pos("GET", `/shifts/${shift}/x`)).body.figures;
    expect(x.tenders).toEqual([
      { kind: "CARD", name: "Amex", count: 1, value: 20 },
      { kind: "CARD", tenderId: visa, name: "Visa terminal", count: 1, value: 100 },
      { kind: "CASH", count: 1, value: cash },
      { kind: "OTHER", tenderId: cheque, name: "Cheque", count: 1, value: 50 },
    ]);
    const money = (await owner.pos("GET", `/figures/money?${DAYS}`)).body;
    const none = { refunded: 0 };
    expect(money.byTender).toEqual([
      { kind: "CARD", tenderId: visa, name: "Terminal at the door", taken: 100, ...none },
      { kind: "CASH", tenderId: "CASH", taken: cash, ...none },
      { kind: "CARD", tenderId: "CARD", name: "Amex", taken: 20, ...none },
      { kind: "OTHER", tenderId: cheque, name: "Cheque", taken: 50, ...none },
    ]);
    expect([money.taken.card, money.taken.other]).toEqual([120, 50]);
    const rows = (await owner.pos("GET", `/figures/movements?${DAYS}&limit=50`)).body.list;
    expect(rows.map(({ tender, name = "" }: FigureMovement) => `${tender} ${name}`).sort()).toEqual(
      ["CARD Amex", "CARD Visa terminal", "CASH ", "OTHER Cheque"],
    );
    const file = await owner.pos("GET", `/figures/movements.csv?${DAYS}`);
    for (const name of ["Cash", "Visa terminal", "Amex", "Cheque"]) {
      expect(file.body).toContain(`"${name}"\r\n`);
    }
  });

  it("appears in refunds under its name at the time of the sale", async () => {
    const [visa, cheque] = [
      await findTenderId("Terminal at the door"),
      await findTenderId("Cheque"),
    ];
    const { saleId, lines } = (
      await sell(REFUSED, (price) => [
        { kind: "CARD", tenderId: visa, amount: 100 },
        { kind: "CARD", amount: 30 },
        { kind: "OTHER", tenderId: cheque, amount: price - 130 },
      ])
    ).body;
    await save(rename(cheque, { name: "Cheque of the bank", offered: false }));
    const price = lines[0].price;
    const parts = [
      { kind: "CARD", tenderId: visa, name: "Terminal at the door", amount: 100 },
      { kind: "CARD", name: "Amex", amount: 30 },
      { kind: "OTHER", tenderId: cheque, name: "Cheque", amount: price - 130 },
    ];
    await gateway.advance(60_000);
    const owed = (await owner.pos("GET", `/sales/${saleId}`)).body;
    expect([owed.refundDue, owed.refundTenders]).toEqual([price, parts]);
    const body = { customerRefundId: randomUUID(), lines: [lines[0].transactionId] };
    const back = await owner.pos("POST", `/sales/${saleId}/customer-refunds`, body);
    expect([back.status, back.body.refunded]).toEqual([200, price]);
    const money = (await owner.pos("GET", `/figures/money?${DAYS}`)).body;
    const refunded = money.byTender.map(({ tenderId, refunded }: FigureTender) => [
      tenderId,
      refunded,
    ]);
    expect(Object.fromEntries(refunded)).toEqual({
      [visa]: 100,
      CASH: 0,
      CARD: 30,
      [cheque]: price - 130,
    });
    const { sold, refundsDue, cashRounding, taken, owed: due } = money.figures;
    expect(sold + refundsDue + cashRounding).toBe(taken + due);
    const { figures } = (await owner.pos("GET", `/figures/money?${DAYS.replaceAll("15", "16")}`))
      .body;
    expect(figures.taken).toBe(0);
  });

  it("cannot be used after it is retired, while other tenders can", async () => {
    const cheque = await findTenderId("Cheque of the bank");
    const sale = await clerk.prepareSale([LINE]);
    const amount = sale.lines[0]?.price ?? 0;
    const byCheque = [{ kind: "OTHER", tenderId: cheque, amount }];
    const refused = await clerk.pos("POST", "/sales", { ...sale, tenders: byCheque });
    expect([refused.status, refused.body.errorCode]).toEqual([409, "TENDER_RETIRED"]);
    expect(Object.keys(refused.body.fields)).toEqual(["tenders.0.tenderId"]);
    expect((await clerk.pos("POST", "/sales", sale)).status).toBe(200);
    const unknown = [{ kind: "CARD", tenderId: cheque, amount }];
    const wrong = await clerk.pos("POST", "/sales", {
      ...sale,
      saleId: randomUUID(),
      tenders: unknown,
    });
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ["tenders.0.tenderId"]]);
  });

  it("stays in the list with its kind after its first sale", async () => {
    const cheque = await findTenderId("Cheque of the bank");
    expect((await read()).list.find((one) => one.tenderId === cheque)?.used).toBe(true);
    const kind = await save(rename(cheque, { kind: "CARD" }));
    expect(kind.body.fields).toEqual({ "list.3.kind": "must stay OTHER" });
    const gone = await save((list) => list.filter(({ tenderId }) => tenderId !== cheque));
    expect(gone.body.fields).toEqual({
      list: "must keep Cheque of the bank, which may be retired",
    });
  });

  it("appears in the Z report under its name at the close, despite later renames", async () => {
    const { shiftId } = (await owner.pos("GET", "/shifts/current")).body.shift;
    await owner.pos("POST", `/shifts/${shiftId}/close`, { counted: 0 });
    const visa = await findTenderId("Terminal at the door");
    await save(rename(visa, { name: "Old terminal" }));
    const [z] = (await owner.pos("GET", "/z-reports?limit=1&offset=0")).body.list;
    const names = z.figures.tenders.map(({ name = "" }) => name);
    expect(names).toEqual(["Amex", "Terminal at the door", "", "Cheque"]);
    expect(z.figures.customerRefunds.map(({ name = "" }) => name)).toEqual([
      "Amex",
      "Terminal at the door",
      "Cheque",
    ]);
  });

  it("uses its own account in the accounting export, or the account of its kind", async () => {
    const { sales, accounts, ...rest } = (await owner.pos("GET", "/accounting")).body;
    const settings = {
      ...rest,
      sales: Object.fromEntries(Object.keys(sales).map((family) => [family, "8400"])),
      accounts: Object.fromEntries(Object.keys(accounts).map((role) => [role, "1000"])),
      tenders: [{ tenderId: await findTenderId("Old terminal"), account: "1361" }],
      xeroTaxRate: "Tax Exempt",
    };
    settings.accounts.CARD = "1360";
    const put = await owner.pos("PUT", "/accounting", settings);
    expect([put.status, put.body.tenders]).toEqual([200, settings.tenders]);
    const day = { firstDay: "2026-01-15", lastDay: "2026-01-15" };
    const make = async (format: string) => {
      const body = { kind: "BOOKS", format, ...day };
      const { reportId } = (await owner.pos("POST", "/shop-reports", body)).body;
      await gateway.settle();
      return String((await owner.pos("GET", `/shop-reports/${reportId}/file`)).body);
    };
    for (const format of ["QUICKBOOKS", "XERO", "DATEV"]) {
      const lines = (await make(format)).split("\r\n");
      const of = (name: string) => lines.find((line) => line.includes(`CARD ${name}`)) ?? "";
      expect(of("Amex")).toContain("1360");
      // Old terminal: 200 taken and 100 refunded. Amex: 50 taken and 30 refunded.
      expect(of("Old terminal")).toContain("1361");
      expect(of("Old terminal")).toMatch(/1[.,]00/);
      expect(of("Amex")).toMatch(/0[.,]20/);
    }
    const [head, ...rows] = (await make("CSV")).split("\r\n");
    expect(head).toMatch(/"currency","tender","taxKind","taxPercent"$/);
    expect(rows.join("\n")).toContain("Old terminal");
  });
});
