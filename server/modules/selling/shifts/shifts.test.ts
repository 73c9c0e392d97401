import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOUR, SECOND, toTimestamp } from "../../../lib/clock.ts";
import { verifyBackupIn } from "../../../testing/backup-files.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { MAKES_BACKUPS, onlySqlite } from "../../../testing/only-sqlite.ts";
import { type Answer, startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import {
  approveRefused,
  OWNER_PIN,
  openShift,
  setUpTill,
  type TestLine,
  type TestTill,
} from "../../../testing/test-till.ts";
import { listBackupFiles } from "../../safety/backups/index.ts";

const FLOAT = 20_000;
const COST = 297;
const PRICE = 2_635;
const LINE: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
/** The provider refuses REFUSED at once. SLOW fails until the end of the retry period. */
const REFUSED = { ...LINE, recipientPhoneNumber: "+50251239001" };
const SLOW = { ...LINE, recipientPhoneNumber: "+50251239004" };

let till: TestGateway;
let owner: TestTill;
let ana: TestTill;
let shiftId: string;

beforeEach(async () => {
  till = await startTestGateway();
  owner = await setUpTill(till, { currency: "GTQ", rate: "7.75" });
  const hired = await owner.pos("POST", "/staff", { name: "Ana", role: "clerk", pin: "2583" });
  await owner.pos("PATCH", `/staff/${hired.body.staffId}`, {
    ownRights: { payOut: true, noSale: true },
  });
  ana = await owner.signIn(hired.body.staffId, "2583", { shift: false });
  shiftId = await openShift(ana, FLOAT);
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

function move(kind: string, change: object = {}) {
  return ana.pos("POST", `/shifts/${shiftId}/movements`, {
    movementId: randomUUID(),
    kind,
    ...change,
  });
}

function close(counted: number, change: object = {}, who = ana, id = shiftId) {
  return who.pos("POST", `/shifts/${id}/close`, { counted, ...change });
}

function approve(refusal: Answer, subject: string): Promise<string> {
  return approveRefused(ana, refusal, { staffId: owner.staffId, pin: OWNER_PIN, subject });
}

async function sellDelivered(tendered?: number): Promise<void> {
  expect((await ana.sell([LINE], tendered)).status).toBe(200);
  await till.advance(SECOND);
}

async function audits(): Promise<string[]> {
  const rows = await till.gateway.context.db
    .selectFrom("audit_trail")
    .select(["action", "detail_json"])
    .where((eb) => eb.or([eb("action", "like", "shift.%"), eb("action", "like", "z-report.%")]))
    .orderBy("entry_id")
    .execute();
  return rows.map(({ action, detail_json }) => `${action} ${detail_json}`);
}

describe("opening a shift", () => {
  it("must precede every sale, and the refusal of a sale says so", {
    tags: ["thorough"],
  }, async () => {
    const answer = await owner.sell([LINE]);
    expect([answer.status, answer.body.errorCode]).toEqual([409, "SHIFT_REQUIRED"]);
    expect(answer.body.message).toBe("Open your shift first. Nothing was charged.");
    expect((await owner.pos("GET", "/shifts/current")).body).toEqual({});
    await openShift(owner);
    expect((await owner.sell([LINE])).status).toBe(200);
  });

  it("returns the same shift for repeated requests", async () => {
    const input = { shiftId: randomUUID(), float: 5_050 };
    const opened = await owner.pos("POST", "/shifts", {
      ...input,
      count: [
        { denomination: 5_000, quantity: 1 },
        { denomination: 25, quantity: 2 },
      ],
    });
    expect(opened.body).toEqual({
      shiftId: input.shiftId,
      environment: "test",
      staff: { staffId: owner.staffId, name: "Olga" },
      openedAt: toTimestamp(till.clock.now()),
      currency: "GTQ",
      currencyDivisor: 100,
      float: 5_050,
    });
    const before = await digestDatabase(till.gateway.context.db);
    expect((await owner.pos("POST", "/shifts", input)).body).toEqual(opened.body);
    expect((await owner.pos("GET", "/shifts/current")).body).toEqual({ shift: opened.body });
    const other = await owner.pos("POST", "/shifts", { ...input, float: 1 });
    expect([other.status, other.body.errorCode]).toEqual([409, "ID_TAKEN"]);
    const second = await owner.pos("POST", "/shifts", { shiftId: randomUUID(), float: 0 });
    expect([second.status, second.body.errorCode]).toEqual([409, "SHIFT_OPEN"]);
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });

  it.each<[string, object, string]>([
    ["a float below nothing", { float: -1 }, "float"],
    ["a count of another amount", { count: [{ denomination: 100, quantity: 1 }] }, "count"],
    [
      "a denomination twice",
      {
        float: 200,
        count: [
          { denomination: 100, quantity: 1 },
          { denomination: 100, quantity: 1 },
        ],
      },
      "count",
    ],
    ["an id that is none", { shiftId: "1" }, "shiftId"],
  ])("fails with %s, and the error names the field", async (_name, change, field) => {
    const before = await digestDatabase(till.gateway.context.db);
    const body = { shiftId: randomUUID(), float: 0, ...change };
    const answer = await owner.pos("POST", "/shifts", body);
    expect([answer.status, answer.body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
    expect(Object.keys(answer.body.fields)).toEqual([field]);
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });
});

describe("a cash movement", () => {
  it("gets booked once with its reason, and never changes", async () => {
    const movementId = randomUUID();
    const input = { movementId, amount: 1_500, reason: "  Milk for the shop " };
    const paid = await move("PAY_OUT", input);
    expect(paid.body).toEqual({
      movementId,
      kind: "PAY_OUT",
      amount: 1_500,
      reason: "Milk for the shop",
      recordedAt: toTimestamp(till.clock.now()),
      staff: { staffId: ana.staffId, name: "Ana" },
    });
    expect((await move("PAY_OUT", input)).body).toEqual(paid.body);
    const other = await move("PAY_OUT", { ...input, amount: 1 });
    expect([other.status, other.body.errorCode]).toEqual([409, "ID_TAKEN"]);
    await move("PAY_IN", { amount: 300, reason: "Change from the bank" });
    await move("DROP", { amount: 10_000 });
    await move("NO_SALE", { reason: "Changed a note" });
    const { list } = (await ana.pos("GET", `/shifts/${shiftId}/movements`)).body;
    expect(list.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      "DROP",
      "NO_SALE",
      "PAY_IN",
      "PAY_OUT",
    ]);
    const { db } = till.gateway.context;
    for (const statement of [
      "update cash_movements set amount = 1",
      "delete from cash_movements",
    ]) {
      await expect(sql.raw(statement).execute(writerOf(db))).rejects.toThrow("append-only");
    }
    expect((await audits()).filter((entry) => entry.startsWith("shift.movement"))).toHaveLength(4);
  });

  it.each<[string, string, object, string]>([
    ["a pay-out without an amount", "PAY_OUT", { reason: "Milk" }, "amount"],
    ["a pay-in of nothing", "PAY_IN", { amount: 0, reason: "Milk" }, "amount"],
    ["a pay-out without a reason", "PAY_OUT", { amount: 1 }, "reason"],
    ["a reason of spaces", "PAY_OUT", { amount: 1, reason: "  " }, "reason"],
    ["a reason of two lines", "PAY_OUT", { amount: 1, reason: "Milk\n1.00" }, "reason"],
    ["half a character", "PAY_IN", { amount: 1, reason: "Coins \ud83d" }, "reason"],
    ["an opening with an amount", "NO_SALE", { amount: 1, reason: "Change" }, "amount"],
    ["an opening without a reason", "NO_SALE", {}, "reason"],
    ["a kind that is none", "THEFT", { amount: 1, reason: "Why not" }, "kind"],
  ])("fails as %s, and the error names the field", async (_name, kind, change, field) => {
    const answer = await move(kind, change);
    expect([answer.status, answer.body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
    expect(Object.keys(answer.body.fields)).toEqual([field]);
  });

  it("needs a permission or an approval", async () => {
    const ownRights = { payOut: false, noSale: false };
    await owner.pos("PATCH", `/staff/${ana.staffId}`, { ownRights });
    const movementId = randomUUID();
    const payment = { movementId, amount: 500, reason: "Milk" };
    const refused = await move("PAY_OUT", payment);
    expect([refused.status, refused.body.errorCode]).toEqual([403, "APPROVAL_REQUIRED"]);
    expect(refused.body.fields).toMatchObject({ right: "payOut" });
    expect((await move("NO_SALE", { reason: "A note" })).body.fields.right).toBe("noSale");
    const approvalId = await approve(refused, movementId);
    for (const change of [{ amount: 900_000 }, { reason: "Wine" }]) {
      const other = await move("PAY_OUT", { ...payment, ...change, approvalId });
      expect([other.status, other.body.fields.approvalId]).toEqual([403, "is for something else"]);
    }
    const paid = await move("PAY_OUT", { ...payment, approvalId });
    expect(paid.body).toMatchObject({ amount: 500, approvedBy: { name: "Olga" } });
    expect((await move("PAY_OUT", payment)).body).toEqual(paid.body);
  });

  it("can be booked only in the person's own shift, until the shift closes", async () => {
    const body = { movementId: randomUUID(), kind: "DROP", amount: 1 };
    const foreign = await owner.pos("POST", `/shifts/${shiftId}/movements`, body);
    expect([foreign.status, foreign.body.errorCode]).toEqual([403, "FORBIDDEN"]);
    await close(FLOAT);
    const late = await move("DROP", { amount: 1 });
    expect([late.status, late.body.errorCode]).toEqual([409, "SHIFT_CLOSED"]);
  });
});

describe("a shift's reports", () => {
  it("show the shop's cost only to people who may see figures", async () => {
    await sellDelivered(5_000);
    await owner.pos("PATCH", `/staff/${ana.staffId}`, { ownRights: { seeExpectedCash: true } });
    const x = (await ana.pos("GET", `/shifts/${shiftId}/x`)).body;
    const closed = (await close(FLOAT + PRICE)).body;
    const printed = (await ana.pos("POST", `/z-reports/${closed.zNumber}/prints`, {})).body;
    expect(printed.report.zNumber).toBe(closed.zNumber);
    for (const answer of [x, closed, printed]) {
      expect(JSON.stringify(answer)).not.toContain('"walletSpent"');
    }
    const [{ figures }] = (await owner.pos("GET", "/z-reports?limit=1&offset=0")).body.list;
    expect(figures.walletSpent).toBe(COST);
  });
});

describe("the X report", () => {
  it("shows the person's own shift, and the expected cash only with the permission", async () => {
    await sellDelivered(5_000);
    await ana.sell([REFUSED, SLOW]);
    await till.advance(SECOND);
    await move("PAY_OUT", { amount: 1_000, reason: "Milk" });
    const own = (await ana.pos("GET", `/shifts/${shiftId}/x`)).body;
    const seen = (await owner.pos("GET", `/shifts/${shiftId}/x`)).body;
    const line = { count: 1, value: PRICE };
    const lines = { delivered: line, notDelivered: line, unfinished: line, walletSpent: COST };
    const nothing = { count: 0, value: 0 };
    expect(seen.figures).toEqual({
      sales: { count: 2, value: 2 * PRICE },
      refundsDue: { count: 1, value: PRICE },
      taxes: [],
      cashRounding: 0,
      ...lines,
      walletCurrency: "USD",
      walletCurrencyDivisor: 100,
      discounts: nothing,
      tenders: [{ kind: "CASH", count: 2, value: 3 * PRICE }],
      cashTendered: 5_000 + 2 * PRICE,
      changeGiven: 5_000 - PRICE,
      families: [{ productType: "TOPUP", ...lines }],
      customerRefunds: [],
      payIns: nothing,
      payOuts: { count: 1, value: 1_000 },
      drops: nothing,
      noSales: 0,
      carriedOver: {
        delivered: nothing,
        notDelivered: nothing,
        unfinished: nothing,
        walletSpent: 0,
      },
    });
    expect(own.unfinished).toEqual([
      expect.objectContaining({
        saleNumber: 2,
        seller: "Ana",
        brandName: "Tigo",
        recipient: "+502 5123 9004",
        price: PRICE,
        outcome: "STILL_SENDING",
      }),
    ]);
    expect(seen.expectedCash).toBe(FLOAT + 3 * PRICE - 1_000);
    const { float, ...shift } = seen.shift;
    const { figures, expectedCash, ...rest } = seen;
    expect([float, own]).toEqual([FLOAT, { ...rest, shift, sales: 2 }]);
    const { list } = (await owner.pos("GET", "/shifts")).body;
    expect(list).toEqual([{ shift: seen.shift, expectedCash, sales: figures.sales }]);
  });

  it("hides all drawer amounts from a person who counts blind, and so does every other response", async () => {
    await sellDelivered(5_000);
    const opened = { shiftId, float: FLOAT };
    const asked = [
      await ana.pos("POST", "/shifts", opened),
      await ana.pos("GET", "/shifts/current"),
      await ana.pos("GET", `/shifts/${shiftId}/x`),
      await ana.pos("GET", "/unfinished"),
    ];
    for (const { status, body } of asked) {
      expect(status).toBe(200);
      const names = JSON.stringify(body).match(/"\w+":/g) ?? [];
      expect(names).not.toContain('"float":');
      for (const name of ["figures", "expectedCash", "cashTendered", "total", "value"]) {
        expect(names).not.toContain(`"${name}":`);
      }
    }
    expect(asked[2]?.body.sales).toBe(1);
    expect((await ana.pos("GET", "/sales?limit=10&offset=0")).body).not.toHaveProperty("figures");
  });

  it("cannot be read by a clerk for another person's shift", async () => {
    const theirs = await openShift(owner);
    for (const path of [
      `/shifts/${theirs}/x`,
      `/shifts/${theirs}/movements`,
      "/shifts",
      "/z-reports?limit=1&offset=0",
    ]) {
      const answer = await ana.pos("GET", path);
      expect([path, answer.status, answer.body.errorCode]).toEqual([path, 403, "FORBIDDEN"]);
    }
  });
});

describe("closing a shift", () => {
  it("requests a backup", onlySqlite(MAKES_BACKUPS), async () => {
    await sellDelivered(3_000);
    expect((await close(FLOAT + PRICE)).status).toBe(200);
    await till.settle();
    const [backup] = await listBackupFiles(join(till.dataDir, "backups"));
    expect(await verifyBackupIn(till.dataDir, backup?.file ?? "")).toMatchObject({
      problems: [],
      outdated: false,
    });
  });

  it("creates a numbered report with the variance", async () => {
    await sellDelivered(3_000);
    const closed = await close(FLOAT + PRICE - 500);
    expect(closed.status).toBe(200);
    expect(closed.body).toMatchObject({
      zNumber: 1,
      shift: { shiftId, closedAt: toTimestamp(till.clock.now()) },
      closedBy: { staffId: ana.staffId, name: "Ana" },
      forced: false,
      expectedCash: FLOAT + PRICE,
      counted: FLOAT + PRICE - 500,
      variance: -500,
      unfinished: [],
      owed: [],
    });
    expect((await ana.pos("GET", "/shifts/current")).body).toEqual({});
    expect((await ana.sell([LINE])).body.errorCode).toBe("SHIFT_REQUIRED");

    const again = await openShift(ana);
    expect((await close(0, {}, ana, again)).body).toMatchObject({ zNumber: 2, variance: 0 });
    const { total, list } = (await owner.pos("GET", "/z-reports?limit=1&offset=1")).body;
    expect(total).toBe(2);
    expect(list).toMatchObject([closed.body]);
    const { db } = till.gateway.context;
    for (const statement of [
      "update z_reports set report_json = '{}'",
      "delete from z_reports",
      "update shifts set opening_float = 0",
    ]) {
      await expect(sql.raw(statement).execute(writerOf(db))).rejects.toThrow(/append-only|final/);
    }
  });

  it("creates one report for repeated or simultaneous requests, and fails with another count", async () => {
    const both = await Promise.all([close(FLOAT), close(FLOAT)]);
    expect(both[1]?.body).toEqual(both[0]?.body);
    expect((await close(FLOAT)).body).toEqual(both[0]?.body);
    const other = await close(FLOAT - 1);
    expect([other.status, other.body.errorCode]).toEqual([409, "SHIFT_CLOSED"]);
    expect((await owner.pos("GET", "/z-reports?limit=9&offset=0")).body.total).toBe(1);
  });

  it("requires a confirmation if the count seems to lack its decimal point", async () => {
    const mistyped = await close(FLOAT * 100);
    expect([mistyped.status, mistyped.body.errorCode]).toEqual([409, "COUNT_UNLIKELY"]);
    expect(mistyped.body.fields).toHaveProperty("counted");
    expect((await ana.pos("GET", "/shifts/current")).body.shift.shiftId).toBe(shiftId);
    const meant = await close(FLOAT * 100, { isSure: true });
    expect(meant.body).toMatchObject({ zNumber: 1, variance: FLOAT * 99 });
    expect((await close(FLOAT * 100)).body).toEqual(meant.body);
  });

  it("fails and names unfinished sales, unless an owner accepts that they stay unfinished", {
    tags: ["thorough"],
  }, async () => {
    const sold = await ana.sell([SLOW]);
    await till.advance(SECOND);
    const before = await digestDatabase(till.gateway.context.db);
    const refused = await close(FLOAT);
    expect([refused.status, refused.body.errorCode]).toEqual([409, "SHIFT_UNFINISHED"]);
    const { transactionId } = sold.body.lines[0];
    expect(refused.body.fields).toEqual({
      lines: "1",
      [transactionId]: "sale 1: Tigo +502 5123 9004",
    });
    const refusal = await close(FLOAT, { leaveUnfinished: true });
    expect([refusal.status, refusal.body.errorCode]).toEqual([403, "APPROVAL_REQUIRED"]);
    expect(refusal.body.fields).toMatchObject({ right: "carryOver" });
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);

    const theirs = await openShift(owner);
    await owner.sell([SLOW]);
    expect((await close(PRICE, {}, owner, theirs)).body.errorCode).toBe("SHIFT_UNFINISHED");
    const left = await close(PRICE, { leaveUnfinished: true }, owner, theirs);
    expect(left.body.unfinished).toHaveLength(1);
    expect(left.body).not.toHaveProperty("approvedBy");

    const approvalId = await approve(refusal, shiftId);
    const other = await close(FLOAT - 500, { leaveUnfinished: true, approvalId });
    expect([other.status, other.body.fields.approvalId]).toEqual([403, "is for something else"]);
    const approved = await close(FLOAT, { leaveUnfinished: true, approvalId });
    expect(approved.body).toMatchObject({
      closedBy: { name: "Ana" },
      approvedBy: { staffId: owner.staffId, name: "Olga" },
    });
  });

  it("lists refunds due before the close, and keeps unpaid refunds in the drawer and the Z report", {
    tags: ["thorough"],
  }, async () => {
    const sales = [
      await ana.sell([REFUSED, LINE]),
      await ana.sell([REFUSED]),
      await ana.sell([SLOW]),
    ];
    await till.advance(25 * HOUR);
    const clerk = await reSignIn();
    const [first, second, third] = sales.map(({ body }) => body);
    const owedOf = async () => (await clerk.pos("GET", `/shifts/${shiftId}/x`)).body.owed;
    expect(await owedOf()).toEqual([
      { saleId: first.saleId, saleNumber: 1, amount: PRICE },
      { saleId: second.saleId, saleNumber: 2, amount: PRICE },
      { saleId: third.saleId, saleNumber: 3, amount: PRICE },
    ]);
    for (const { saleId, lines } of [first, third]) {
      const input = { customerRefundId: randomUUID(), lines: [lines[0].transactionId] };
      expect((await clerk.pos("POST", `/sales/${saleId}/customer-refunds`, input)).status).toBe(
        200,
      );
    }
    const z = (await close(FLOAT + 2 * PRICE, {}, clerk)).body;
    expect(z).toMatchObject({ variance: 0, expectedCash: FLOAT + 2 * PRICE });
    expect(z.owed).toEqual([{ saleId: second.saleId, saleNumber: 2, amount: PRICE }]);
  });

  it("needs an owner for another person's shift, and the report has both names", async () => {
    const theirs = await openShift(owner);
    expect((await close(0, {}, ana, theirs)).body.errorCode).toBe("FORBIDDEN");
    expect((await close(0, {}, owner)).body.errorCode).toBe("FORBIDDEN");
    const path = `/shifts/${shiftId}/force-close`;
    expect((await ana.pos("POST", path, {})).body.errorCode).toBe("FORBIDDEN");
    await ana.sell([SLOW]);
    const forced = (await owner.pos("POST", path, {})).body;
    expect(forced).toMatchObject({
      forced: true,
      shift: { staff: { name: "Ana" } },
      closedBy: { name: "Olga" },
      expectedCash: FLOAT + PRICE,
    });
    expect(forced).not.toHaveProperty("variance");
    expect(forced.unfinished).toHaveLength(1);
    const other = await owner.pos("POST", path, { counted: 1 });
    expect([other.status, other.body.errorCode]).toEqual([409, "SHIFT_CLOSED"]);
    const entry = (await audits()).at(-1);
    expect(entry).toMatch(
      /^shift\.force-close \{"zNumber":1,"seller":"Ana","unfinished":1,"expected":\d+,"currency":"GTQ"/,
    );
  });

  it("leaves earlier reports unchanged, and carries later outcomes over to the next report", {
    tags: ["thorough"],
  }, async () => {
    await ana.sell([SLOW]);
    const forced = await owner.pos("POST", `/shifts/${shiftId}/force-close`, { counted: FLOAT });
    expect(forced.body.figures.unfinished).toEqual({ count: 1, value: PRICE });

    const next = await openShift(ana);
    const waiting = (await owner.pos("GET", `/shifts/${next}/x`)).body.figures.carriedOver;
    expect(waiting.unfinished).toEqual({ count: 1, value: PRICE });
    await till.advance(25 * HOUR);
    const z = (await close(0, {}, await reSignIn(), next)).body;
    const { carriedOver } = z.figures;
    expect(carriedOver.unfinished.count).toBe(0);
    expect(carriedOver.delivered.count + carriedOver.notDelivered.count).toBe(1);
    expect(z.expectedCash).toBe(0);
    expect(z.unfinished).toEqual([]);
    const owners = await owner.signIn(owner.staffId, "471183");
    const { list } = (await owners.pos("GET", "/z-reports?limit=9&offset=0")).body;
    expect(list.at(-1)).toEqual(forced.body);
    const third = await openShift(await reSignIn());
    const after = (await owners.pos("GET", `/shifts/${third}/x`)).body.figures;
    expect(after.carriedOver.delivered.count + after.carriedOver.notDelivered.count).toBe(0);
  });
});

/** A session lasts half a day. */
function reSignIn(): Promise<TestTill> {
  return owner.signIn(ana.staffId, "2583", { shift: false });
}

describe("a printed report", () => {
  it("has one original, followed by numbered copies, which are recorded", async () => {
    const report = (await close(FLOAT)).body;
    const original = (await ana.pos("POST", "/z-reports/1/prints")).body;
    expect(original).toEqual({
      shopName: "Corner Shop",
      language: "en",
      copy: false,
      copyNumber: 0,
      printedAt: toTimestamp(till.clock.now()),
      printedBy: "Ana",
      report,
    });
    const copy = (await owner.pos("POST", "/z-reports/1/prints")).body;
    expect(copy).toMatchObject({ copy: true, copyNumber: 1, printedBy: "Olga", report });
    expect((await audits()).at(-1)).toBe(
      'z-report.reprint {"copy":1,"zNumber":1,"seller":"Ana","environment":"test"}',
    );
    expect((await owner.pos("POST", "/z-reports/2/prints")).status).toBe(404);
  });
});

describe("quitting the till", () => {
  it("lists unfinished lines of every seller, and open shifts", {
    tags: ["thorough"],
  }, async () => {
    await ana.sell([SLOW]);
    const before = (await ana.pos("GET", "/unfinished")).body;
    expect(before.lines).toEqual([
      expect.objectContaining({ seller: "Ana", outcome: "STILL_SENDING", environment: "test" }),
    ]);
    expect(before.openShifts).toEqual([expect.objectContaining({ shiftId })]);
    await till.advance(25 * HOUR);
    const after = await till.gateway.listUnfinished();
    expect(after.lines).toEqual([]);
    expect(after.openShifts).toHaveLength(1);
  });
});
