import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sale } from "../../../contract/pos/sales.ts";
import type { OfficeTransaction, TimelineEvent } from "../../../contract/pos/transaction-office.ts";
import { sealedText } from "../../../db/sealed-text.ts";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { explainPlan } from "../../../testing/explained-plan.ts";
import { onlySqlite, READS_PLANS } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

const NUMBER = "+50251234567";
const TOPUP = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: NUMBER };
const CARD = { productType: "VOUCHER" as const, offerId: "AMAZON_US_GIFT_25" };
const ESIM = { productType: "ESIM" as const, offerId: "AIRALO_ES_1GB_7D" };
const REFUSED = { ...TOPUP, recipientPhoneNumber: "+50251239001" };
const WAITING = { ...TOPUP, recipientPhoneNumber: "+50251239004" };

let gateway: TestGateway;
let owner: TestTill;
let clerk: TestTill;
let supervisor: TestTill;
const statements = new Set<string>();
/** A sale of the previous day with a refused top-up. */
let sale: Sale;

async function hire(name: string, role: string, pin: string): Promise<TestTill> {
  const { staffId } = (await owner.pos("POST", "/staff", { name, role, pin })).body;
  return owner.signIn(staffId, pin);
}

beforeAll(async () => {
  gateway = await startTestGateway({ onStatement: (statement) => statements.add(statement) });
  owner = await openTill(gateway, { currency: "GTQ", rate: "7.75" });
  clerk = await hire("Ana", "clerk", "2583");
  const sold = await clerk.sell([TOPUP, CARD, ESIM, REFUSED]);
  await gateway.advance(MINUTE);
  sale = (await clerk.pos("GET", `/sales/${sold.body.saleId}`)).body;
  const refund = { customerRefundId: sale.saleId, lines: [sale.lines[3]?.transactionId] };
  await clerk.pos("POST", `/sales/${sale.saleId}/customer-refunds`, { ...refund, kind: "CASH" });
  await clerk.pos("POST", `/sales/${sale.saleId}/prints`);
  gateway.clock.set(gateway.clock.now() + DAY);
  owner = await owner.signIn(owner.staffId, OWNER_PIN);
  clerk = await owner.signIn(clerk.staffId, "2583");
  supervisor = await hire("Sofía", "supervisor", "629318");
  await owner.sell([WAITING]);
  const api = { offerId: TOPUP.offerId, transactionId: "api-1", recipientPhoneNumber: NUMBER };
  await gateway.v1("POST", "/topups/purchases", api);
  await gateway.advance(MINUTE);
});
afterAll(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

async function find(query: string, by = owner): Promise<OfficeTransaction[]> {
  const { status, body } = await by.pos("GET", `/transactions?limit=50&${query}`);
  expect(status).toBe(200);
  return body.list;
}

async function findIds(typed: string): Promise<string[]> {
  const list = await find(`typed=${encodeURIComponent(typed)}`);
  return list.map(({ transactionId }) => transactionId);
}

async function readTimeline(line: number, by = owner): Promise<TimelineEvent[]> {
  const id = sale.lines[line]?.transactionId;
  return (await by.pos("GET", `/transactions/${id}`)).body.timeline;
}

describe("a purchase through /v1", () => {
  it("shows its API key's name", async () => {
    const [bought] = await find("typed=api-1");
    expect(bought?.key).toEqual({ keyId: expect.any(String), name: expect.any(String) });
    const keys = (await owner.pos("GET", "/keys")).body.list;
    expect(keys).toContainEqual(expect.objectContaining(bought?.key));
    const [sold] = await find(`typed=${sale.saleId}`);
    expect(sold).not.toHaveProperty("key");
  });
});

describe("a transaction in the owner's office", () => {
  it("can be found by each of its identifiers", async () => {
    const [topup = "", card, esim, refused] = sale.lines.map((line) => line.transactionId);
    const [, { confirmationNumber = "", referenceNumber = "" } = {}, sold] = sale.lines;
    expect(await findIds(topup)).toEqual([topup]);
    const all = new Set([topup, card, esim, refused]);
    expect(new Set(await findIds(sale.saleId))).toEqual(all);
    expect(new Set(await findIds(String(sale.saleNumber)))).toEqual(all);
    expect(new Set(await findIds("5123 4567"))).toEqual(new Set(["api-1", topup]));
    expect(new Set(await findIds(NUMBER))).toEqual(new Set(["api-1", topup]));
    expect(await findIds(confirmationNumber)).toEqual([card]);
    expect(await findIds(referenceNumber)).toEqual([card]);
    expect(await findIds(sold?.esim?.iccid ?? "")).toEqual([esim]);
    expect(await findIds("nothing-of-this-name")).toEqual([]);
  });

  it("appears in pages by days and state: newest first, or oldest first if unfinished", async () => {
    const all = await find("");
    expect(all).toHaveLength(6);
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all
        .map(({ createdAt }) => createdAt)
        .toSorted()
        .toReversed(),
    );
    const paged: string[] = [];
    for (let next = ""; ; ) {
      const { body } = await owner.pos("GET", `/transactions?limit=2${next}`);
      paged.push(...body.list.map((one: OfficeTransaction) => one.transactionId));
      if (body.next === undefined) break;
      next = `&before=${body.next}`;
    }
    expect(paged).toEqual(all.map(({ transactionId }) => transactionId));
    const failed = await find("status=FAILED");
    expect(failed.map(({ transactionId }) => transactionId)).toEqual([
      sale.lines[3]?.transactionId,
    ]);
    const waiting = await find("status=UNFINISHED");
    expect(waiting).toMatchObject([{ sale: { clerk: "Olga" }, recipient: "+502 5123 9004" }]);
    const zone = (await owner.pos("GET", "/settings")).body.timeZone;
    const day = new Date(gateway.clock.now() - DAY).toLocaleDateString("sv-SE", { timeZone: zone });
    expect(await find(`firstDay=${day}&lastDay=${day}`)).toHaveLength(4);
  });

  it("shows the complete history of the transaction and its sale, with names", async () => {
    const whats = (timeline: TimelineEvent[]) =>
      timeline.map(({ what, status }) => (status ? `${what} ${status}` : what));
    const delivered = await readTimeline(0);
    expect(whats(delivered)).toEqual([
      "SOLD",
      "STATE ACCEPTED",
      "STATE AUTHORIZED",
      "STATE IN_PROGRESS",
      "STATE DONE",
      "PRINTED",
    ]);
    expect(delivered[0]).toMatchObject({ by: "Ana", amount: sale.lines[0]?.price });
    const refused = await readTimeline(3);
    expect(whats(refused)).toContain("STATE FAILED");
    expect(refused).toContainEqual(
      expect.objectContaining({ what: "MONEY_BACK", by: "Ana", amount: sale.lines[3]?.price }),
    );
    await supervisor.pos("POST", `/sales/${sale.saleId}/reveal`, {});
    expect(await readTimeline(1)).toContainEqual(
      expect.objectContaining({ what: "REVEALED", by: "Sofía" }),
    );
    expect(JSON.stringify(await readTimeline(1))).not.toContain("epin");
  });

  it("appears only to people who may see all sales", async () => {
    const id = sale.lines[0]?.transactionId;
    for (const path of ["/transactions?limit=5", `/transactions/${id}`]) {
      expect((await clerk.pos("GET", path)).body.errorCode).toBe("FORBIDDEN");
      expect((await supervisor.pos("GET", path)).status).toBe(200);
      expect((await owner.pos("GET", path)).status).toBe(200);
    }
    await owner.pos("POST", "/session/training", { on: true });
    expect((await owner.pos("GET", "/transactions?limit=5")).status).toBe(403);
    await owner.pos("POST", "/session/training", { on: false });
    expect((await owner.pos("GET", "/transactions/no-such-one")).status).toBe(404);
  });

  it("can be refunded once by the owner if it is an eSIM, and the refund is recorded", async () => {
    const id = sale.lines[2]?.transactionId;
    const path = `/transactions/${id}`;
    expect((await supervisor.pos("POST", `${path}/refund`)).status).toBe(403);
    expect((await owner.pos("GET", path)).body.refundableEsim).toBe(true);
    expect((await owner.pos("POST", `${path}/refund`)).body.status).toBe("ACCEPTED");
    await gateway.advance(MINUTE);
    const { body } = await owner.pos("GET", path);
    expect(body.refundableEsim).toBe(false);
    expect(body.timeline.at(-1)).toMatchObject({ what: "ESIM_REFUND", status: "DONE" });
    expect((await owner.pos("POST", `${path}/refund`)).body.errorCode).toBe("REFUND_NOT_ALLOWED");
    const trail = (await owner.pos("GET", "/audit-trail?action=esim.refund&limit=5")).body.list;
    expect(trail).toMatchObject([{ staff: { name: "Olga" }, subject: `test/${id}` }]);
  });

  it.each([
    "",
    "status=DONE",
    "status=UNFINISHED",
    "firstDay=2026-01-01&lastDay=2026-01-31",
    "before=1768469400000-x",
    "status=FAILED&before=1768469400000-x",
    "typed=1",
    "typed=50251234567",
    "typed=word",
  ])("can be found through indexes by %s", onlySqlite(READS_PLANS), async (query) => {
    statements.clear();
    await find(query);
    const { db } = gateway.gateway.context;
    for (const statement of [...statements].filter((one) => /^\s*select/i.test(one))) {
      const plan = await explainPlan(db, statement);
      const walks = plan.filter((step) => /^SCAN (?!accounts|shops|c\b)|TEMP B-TREE/.test(step));
      const wide = plan.filter((step) =>
        /SEARCH purchases .*\(account_id=\? AND environment=\?\)/.test(step),
      );
      expect([statement, walks, wide]).toEqual([statement, [], []]);
    }
  });
});

describe("the archive of Z reports", () => {
  it("can be filtered by the days on which shifts were closed", async () => {
    const { shift } = (await supervisor.pos("GET", "/shifts/current")).body;
    await supervisor.pos("POST", `/shifts/${shift.shiftId}/close`, { counted: 0 });
    const zone = (await owner.pos("GET", "/settings")).body.timeZone;
    const dayOf = (at: number) => new Date(at).toLocaleDateString("sv-SE", { timeZone: zone });
    const on = async (day: string) =>
      (await owner.pos("GET", `/z-reports?limit=5&offset=0&firstDay=${day}&lastDay=${day}`)).body;
    const now = gateway.clock.now();
    expect(await on(dayOf(now))).toMatchObject({ total: 1, list: [{ zNumber: 1 }] });
    expect(await on(dayOf(now - DAY))).toMatchObject({ total: 0, list: [] });
    const turned = "/z-reports?limit=5&offset=0&firstDay=2026-01-02&lastDay=2026-01-01";
    expect(Object.keys((await owner.pos("GET", turned)).body.fields)).toEqual(["firstDay"]);
  });
});

describe("a deviating provider response", () => {
  const raw =
    '{"transactionId":"t","status":"DONE","code":"4711-0815","items":[{"e_pin":"99887766"}]}';
  let transactionId: string;
  const path = () => `/transactions/${transactionId}/provider-answer`;
  const keep = (text: string | null) =>
    writerOf(gateway.gateway.context.db)
      .updateTable("purchases")
      .set({
        answer_sealed: text === null ? null : sealedText(text),
        answer_at: gateway.clock.now(),
      })
      .where("transaction_id", "=", transactionId)
      .execute();
  beforeAll(async () => {
    const [, card] = sale.lines;
    transactionId = card?.transactionId ?? "";
    await keep(raw);
  });

  it("appears in full to an owner with the PIN, and the audit trail records the reader", async () => {
    const { body: details } = await owner.pos("GET", `/transactions/${transactionId}`);
    expect(details).toMatchObject({ rawAnswer: "KEPT" });
    expect(JSON.stringify(details)).not.toContain("4711");
    const { status, body } = await owner.pos("POST", path());
    expect([status, body]).toEqual([
      200,
      { state: "KEPT", at: expect.any(String), text: raw, masked: false },
    ]);
    const trail = await owner.pos("GET", "/audit-trail?action=sale.provider-answer&limit=9");
    expect(trail.body.list).toMatchObject([{ subject: sale.saleId, detail: { transactionId } }]);
    expect(JSON.stringify(trail.body)).not.toContain("4711");
  });

  it("hides possible codes under any field name from people without the reveal permission", async () => {
    const person = { name: "Berta", role: "accountant", pin: "739125" };
    const { staffId } = (await owner.pos("POST", "/staff", person)).body;
    const bookkeeper = await owner.signIn(staffId, person.pin, { shift: false });
    const { body } = await bookkeeper.pos("POST", path());
    expect(body.masked).toBe(true);
    expect(JSON.parse(body.text)).toEqual({
      transactionId: "t",
      status: "DONE",
      code: "•••",
      items: [{ e_pin: "•••" }],
    });
    await keep("<html>4711-0815");
    expect((await bookkeeper.pos("POST", path())).body.text).toBe("•••");
  });

  it("does not appear to a clerk", async () => {
    expect((await clerk.pos("POST", path())).status).toBe(403);
  });

  it("appears as erased after its erasure", async () => {
    await keep(null);
    expect((await owner.pos("GET", `/transactions/${transactionId}`)).body.rawAnswer).toBe(
      "ERASED",
    );
    expect((await owner.pos("POST", path())).body).toMatchObject({ state: "ERASED" });
    transactionId = sale.lines[0]?.transactionId ?? "";
    expect((await owner.pos("POST", path())).status).toBe(404);
  });
});
