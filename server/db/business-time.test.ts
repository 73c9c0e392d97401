import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import {
  approveRefused,
  OWNER_PIN,
  openShift,
  openTill,
  setUpTill,
  type TestTill,
} from "../testing/test-till.ts";
import { outcomeTime } from "./business-time.ts";

const LINE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const REFUSED = { ...LINE, recipientPhoneNumber: "+50251239001" };

let gateway: TestGateway;
afterEach(() => gateway.close());

async function countSales(): Promise<number> {
  const { db } = gateway.gateway.context;
  const { rows } = await sql<{ count: number }>`select count(*) as count from sales`.execute(db);
  return Number(rows[0]?.count);
}

async function openAlerts(owner: TestTill): Promise<string[]> {
  await gateway.gateway.context.alertRounds.look();
  const { open } = (await owner.pos("GET", "/alerts")).body;
  return open.map(({ cause }: { cause: string }) => cause);
}

it("a clock behind the newest record is reported, and its time is used for no event", async () => {
  gateway = await startTestGateway();
  const owner = await openTill(gateway);
  const sold = (await owner.sell([REFUSED])).body;
  expect((await owner.sell([LINE])).status).toBe(200);
  const { shift } = (await owner.pos("GET", "/shifts/current")).body;

  gateway.clock.jump(-26 * HOUR);
  const count = await countSales();
  const movement = { movementId: randomUUID(), kind: "DROP", amount: 1 };
  const refund = { customerRefundId: randomUUID(), lines: [sold.lines[0].transactionId] };
  const recharge = { environment: "test", amount: 100, rechargeId: randomUUID() };
  const purchase = { ...LINE, transactionId: "behind" };
  const refused = [
    await owner.pos("POST", "/sales", await owner.prepareSale([LINE])),
    await owner.pos("POST", `/sales/${sold.saleId}/customer-refunds`, refund),
    await owner.pos("POST", `/shifts/${shift.shiftId}/movements`, movement),
    await owner.pos("POST", `/shifts/${shift.shiftId}/close`, { counted: 0 }),
    await owner.pos("POST", "/wallet/recharges", recharge),
    await gateway.v1("POST", "/topups/purchases", purchase),
    await gateway.call("GET", "/readyz"),
  ];
  for (const { status, body } of refused) {
    expect([status, body.errorCode]).toEqual([503, "SYSTEM_UNAVAILABLE"]);
    expect(body.message).toContain("clock of this machine shows 2026-01-14");
  }
  expect(refused[0]?.body.fields).toEqual({ clock: "is wrong" });
  expect(await countSales()).toBe(count);
  expect(await openAlerts(owner)).toContain("CLOCK_WRONG");

  gateway.clock.jump(26 * HOUR);
  expect((await gateway.call("GET", "/readyz")).status).toBe(200);
  expect((await owner.sell([LINE])).status).toBe(200);
  expect(await openAlerts(owner)).not.toContain("CLOCK_WRONG");
  await gateway.expectCleanBooks();
});

it("an outcome is booked no earlier than the newest record, even if the clock is behind that record", async () => {
  gateway = await startTestGateway();
  const owner = await openTill(gateway);
  await owner.sell([LINE]);
  const { transactor } = gateway.gateway.context;
  const scope = { accountId: "default", environment: "test" } as const;
  const soldAt = gateway.clock.now();
  const timeAt = (now: number) =>
    transactor.transact(scope.accountId, (tx) => outcomeTime(tx, scope, now));
  expect(await timeAt(soldAt - 26 * HOUR)).toBe(soldAt);
  expect(await timeAt(soldAt + 1)).toBe(soldAt + 1);
});

it("after an owner confirms the clock, sales get the time of the newest record until the clock passes it", async () => {
  gateway = await startTestGateway();
  let owner = await openTill(gateway);
  const right = gateway.clock.now();
  gateway.clock.jump(3 * DAY);
  owner = await owner.signIn(owner.staffId, OWNER_PIN);
  await owner.sell([LINE]);
  await gateway.advance(MINUTE);
  const newest = gateway.clock.now();
  gateway.clock.jump(right + HOUR - newest);
  const { body: shown } = await owner.pos("GET", "/clock");
  expect(shown).toMatchObject({ isWrong: true });
  const stale = await owner.pos("POST", "/clock", { now: new Date(newest).toISOString() });
  expect([stale.status, Object.keys(stale.body.fields)]).toEqual([400, ["now"]]);
  expect((await owner.pos("POST", "/sales", await owner.prepareSale([LINE]))).status).toBe(503);

  const confirmed = await owner.pos("POST", "/clock", { now: shown.now });
  expect([confirmed.status, confirmed.body.isWrong]).toEqual([200, false]);
  expect((await gateway.call("GET", "/readyz")).status).toBe(200);
  expect(await openAlerts(owner)).not.toContain("CLOCK_WRONG");
  const trail = await owner.pos("GET", "/audit-trail?action=settings.clock&limit=9");
  expect(trail.body.list).toMatchObject([{ detail: { to: shown.now } }]);

  const sold = (await owner.sell([LINE])).body;
  // The machine's clock decides when the delivery is due, although the records have a later time.
  await gateway.advance(MINUTE);
  const { body: sale } = await owner.pos("GET", `/sales/${sold.saleId}`);
  expect(sale.lines[0].outcome).toBe("DELIVERED");
  expect(Date.parse(sale.createdAt)).toBeGreaterThanOrEqual(right + 3 * DAY);

  const expense = { movementId: randomUUID(), kind: "PAY_OUT", amount: 100, reason: "Milk" };
  const hired = { name: "Ana", role: "clerk", pin: "1739" };
  const { staffId } = (await owner.pos("POST", "/staff", hired)).body;
  const ana = await owner.signIn(staffId, "1739");
  const { shiftId } = (await ana.pos("GET", "/shifts/current")).body.shift;
  const refused = await ana.pos("POST", `/shifts/${shiftId}/movements`, expense);
  const by = { staffId: owner.staffId, pin: OWNER_PIN, subject: expense.movementId };
  const approvalId = await approveRefused(ana, refused, by);
  const paid = await ana.pos("POST", `/shifts/${shiftId}/movements`, { ...expense, approvalId });
  expect([paid.status, paid.body.errorCode]).toEqual([200, undefined]);

  // After the clock is set back again, the confirmation is no longer valid.
  gateway.clock.jump(-2 * HOUR);
  expect((await owner.pos("GET", "/clock")).body.isWrong).toBe(true);
  gateway.clock.jump(2 * HOUR);
  gateway.clock.jump(4 * DAY);
  owner = await owner.signIn(owner.staffId, OWNER_PIN);
  const later = gateway.clock.now();
  const third = (await owner.sell([LINE])).body;
  expect(Date.parse(third.createdAt)).toBe(later);
  await gateway.expectCleanBooks();
});

it("a clock that is years off prevents all sales, also in a new shop", async () => {
  gateway = await startTestGateway();
  await openTill(gateway);
  gateway.clock.jump(4 * 366 * DAY);
  const late = await gateway.v1("POST", "/topups/purchases", { ...LINE, transactionId: "late" });
  expect([late.status, late.body.fields]).toEqual([503, { clock: "is wrong" }]);
  await gateway.close();
  gateway = await startTestGateway();
  gateway.clock.jump(Date.UTC(2009, 0, 1) - gateway.clock.now());
  const early = await setUpTill(gateway);
  await expect(openShift(early)).rejects.toThrow("is wrong");
  expect((await gateway.call("GET", "/readyz")).body.message).toContain("years ago");
});

const EVENTS = [
  ["transactions", "created_at"],
  ["transactions", "finished_at"],
  ["sales", "created_at"],
  ["customer_refunds", "created_at"],
  ["cash_movements", "recorded_at"],
  ["shifts", "opened_at"],
  ["z_reports", "closed_at"],
  ["ledger_postings", "posted_at"],
] as const;

async function readEvents(): Promise<Map<string, number[]>> {
  const { db } = gateway.gateway.context;
  const times = new Map<string, number[]>();
  for (const [table, column] of EVENTS) {
    const { rows } = await sql<{ at: number }>`select ${sql.ref(column)} as at
      from ${sql.table(table)} where ${sql.ref(column)} is not null order by 1`.execute(db);
    times.set(
      `${table}.${column}`,
      rows.map(({ at }) => Number(at)),
    );
  }
  return times;
}

/** Lists the kinds with a new event that is dated before the newest earlier event of the kind. */
function listBackdated(before: Map<string, number[]>, after: Map<string, number[]>): string[] {
  return [...after].flatMap(([kind, times]) => {
    const known = before.get(kind) ?? [];
    const newest = known.at(-1) ?? 0;
    const added = times.filter((at) => at < newest).length;
    return added > known.filter((at) => at < newest).length ? [kind] : [];
  });
}

it("no business event is dated before the newest event of its kind, even if the clock jumps", async () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({
        jump: fc.constantFrom(-400 * DAY, -DAY, -HOUR, -4 * MINUTE, -SECOND, SECOND, HOUR, 3 * DAY),
      }),
      fc.record({ sell: fc.constantFrom(LINE, REFUSED) }),
      fc.record({ act: fc.constantFrom("DROP", "CLOSE", "DEPOSIT", "REFUND", "RECHARGE") }),
      fc.record({ act: fc.constantFrom("BUY", "RESTART", "CONFIRM_CLOCK", "PASS_TIME") }),
    ),
    { minLength: 6, maxLength: 16 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      gateway = await startTestGateway();
      let owner = await openTill(gateway);
      let shiftId = (await owner.pos("GET", "/shifts/current")).body.shift.shiftId;
      let due: { saleId: string; transactionId: string } | undefined;
      const signIn = async () => {
        owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
      };
      const acts = {
        DROP: () =>
          owner.pos("POST", `/shifts/${shiftId}/movements`, {
            movementId: randomUUID(),
            kind: "DROP",
            amount: 1,
          }),
        CLOSE: async () => {
          await owner.pos("POST", `/shifts/${shiftId}/close`, { counted: 0, isSure: true });
          const next = randomUUID();
          const opened = await owner.pos("POST", "/shifts", { shiftId: next, float: 0 });
          if (opened.status === 200) shiftId = next;
        },
        DEPOSIT: () => {
          const deposit = { depositId: randomUUID(), kind: "DEPOSIT", amount: 1 };
          return owner.pos("POST", "/cash/deposits", deposit);
        },
        REFUND: async () => {
          if (!due) return;
          const body = { customerRefundId: randomUUID(), lines: [due.transactionId] };
          await owner.pos("POST", `/sales/${due.saleId}/customer-refunds`, body);
        },
        RECHARGE: () => {
          const recharge = { environment: "test", amount: 100, rechargeId: randomUUID() };
          return owner.pos("POST", "/wallet/recharges", recharge);
        },
        BUY: () =>
          gateway.v1("POST", "/topups/purchases", { ...LINE, transactionId: randomUUID() }),
        RESTART: async () => {
          // A start is refused while the clock shows an earlier year.
          if (gateway.clock.now() < Date.UTC(2026, 0, 1)) return;
          await gateway.restart();
          await signIn();
        },
        CONFIRM_CLOCK: async () => {
          await signIn();
          const { now } = (await owner.pos("GET", "/clock")).body;
          await owner.pos("POST", "/clock", { now });
        },
        PASS_TIME: () => gateway.advance(MINUTE),
      };
      for (const step of list) {
        const before = await readEvents();
        if ("jump" in step) gateway.clock.jump(step.jump);
        else if ("sell" in step) {
          const { status, body } = await owner.sell([step.sell]);
          const isDue = status === 200 && step.sell === REFUSED;
          if (isDue) due = { saleId: body.saleId, transactionId: body.lines[0].transactionId };
        } else await acts[step.act]();
        expect([step, listBackdated(before, await readEvents())]).toEqual([step, []]);
      }
      await gateway.expectCleanBooks();
      await gateway.close();
    }),
    { numRuns: 8, endOnFailure: true },
  );
  gateway = await startTestGateway();
});
