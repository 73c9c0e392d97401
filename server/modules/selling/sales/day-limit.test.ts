import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { calendarOf, startOfDay } from "../../../contract/pos/shop-day.ts";
import { HOUR, MINUTE } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";

/** The limit is three top-ups a day. */
let till: TestGateway;
let owner: TestTill;
let clerk: TestTill;
const PRICE = 340;
const PER_DAY = 3;
const LINE: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const REFUSED: TestLine = { ...LINE, recipientPhoneNumber: "+50251239001" };

beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  const added = { name: "Carla", role: "clerk", pin: "1739" };
  const { staffId } = (await owner.pos("POST", "/staff", added)).body;
  clerk = await owner.signIn(staffId, "1739");
  await owner.pos("PATCH", `/staff/${staffId}`, { limits: { perDay: PER_DAY * PRICE } });
});
afterEach(() => till.close());

async function sellsOne(): Promise<boolean> {
  const { status, body } = await clerk.sell([LINE]);
  if (status !== 200) expect(body.fields.right).toBe("perDay");
  return status === 200;
}

describe("a clerk's daily limit", () => {
  it.each([2, 25])("holds for %d simultaneous sales", async (count) => {
    const { price } = (await owner.pos("POST", "/quotes", { offerId: LINE.offerId })).body;
    expect(price).toBe(PRICE);
    const before = PER_DAY - 1;
    for (let sold = 0; sold < before; sold++) expect(await sellsOne()).toBe(true);

    const bodies = await Promise.all(
      Array.from({ length: count }, () => clerk.prepareSale([LINE])),
    );
    const answers = await Promise.all(bodies.map((body) => clerk.pos("POST", "/sales", body)));
    await till.settle();
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body.errorCode, body.fields.right]).toEqual([
        403,
        "APPROVAL_REQUIRED",
        "perDay",
      ]);
    }
    const { figures, total } = (await owner.pos("GET", "/sales?limit=50&offset=0")).body;
    expect([total, figures.sold + figures.sending]).toEqual([PER_DAY, PER_DAY * PRICE]);
    await till.expectCleanBooks();
  });

  it("does not count a failed line after its refund", async () => {
    const [first] = [await clerk.sell([LINE, REFUSED]), await clerk.sell([LINE])];
    await till.advance(MINUTE);
    expect(await sellsOne()).toBe(false);

    const { saleId } = first.body;
    const sale = (await clerk.pos("GET", `/sales/${saleId}`)).body;
    expect(sale.refundDue).toBe(PRICE);
    const [, failed] = sale.lines;
    const input = { customerRefundId: randomUUID(), lines: [failed.transactionId], kind: "CASH" };
    expect((await clerk.pos("POST", `/sales/${saleId}/customer-refunds`, input)).status).toBe(200);
    expect(await sellsOne()).toBe(true);
    expect(await sellsOne()).toBe(false);
  });

  it.each(["Pacific/Kiritimati", "America/Guatemala", "Pacific/Pago_Pago"])(
    "starts again at midnight in %s",
    async (timeZone) => {
      const settings = (await owner.pos("GET", "/settings")).body;
      const { status } = await owner.pos("PUT", "/settings", { ...settings, timeZone });
      expect(status).toBe(200);
      expect((await till.call("GET", "/pos/status")).body.timeZone).toBe(timeZone);
      const midnight = startOfDay(
        startOfDay(till.clock.now(), calendarOf(timeZone)) + 36 * HOUR,
        calendarOf(timeZone),
      );

      await till.advance(midnight - MINUTE - till.clock.now());
      clerk = await owner.signIn(clerk.staffId, "1739");
      for (let sold = 0; sold < PER_DAY; sold++) expect(await sellsOne()).toBe(true);
      expect(await sellsOne()).toBe(false);
      await till.advance(MINUTE);
      expect(await sellsOne()).toBe(true);
    },
  );
});

it("a shop's day uses the machine's time zone until the owner sets another time zone", async () => {
  const { timeZone } = (await till.call("GET", "/pos/status")).body;
  expect(timeZone).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
});
