import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import { startTestGateway } from "../../../testing/test-gateway.ts";
import { setUpTill } from "../../../testing/test-till.ts";

const LINE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

const amount = fc.integer({ min: 1, max: 5_000 });
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom("PAY_IN", "PAY_OUT", "DROP"), amount }),
  fc.record({ kind: fc.constant("SELL") }),
  fc.record({ kind: fc.constantFrom("DEPOSIT", "WITHDRAWAL"), amount }),
  fc.record({ kind: fc.constant("CLOSE"), counted: fc.integer({ min: 0, max: 20_000 }) }),
);

it("all cash is in the drawers, in the safe or at the bank after any series of bookings", {
  tags: ["thorough"],
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const gateway = await startTestGateway();
      const owner = await setUpTill(gateway, { currency: "GTQ", rate: "7.75" });
      const day = new Date(gateway.clock.now()).toISOString().slice(0, 10);
      let shiftId = "";
      const open = async () => {
        shiftId = randomUUID();
        const opened = await owner.pos("POST", "/shifts", { shiftId, float: 1_000 });
        expect(opened.status).toBe(200);
      };
      await open();
      const deposited: object[] = [];
      for (const one of steps) {
        if ("counted" in one) {
          const body = { counted: one.counted, isSure: true };
          expect((await owner.pos("POST", `/shifts/${shiftId}/close`, body)).status).toBe(200);
          await open();
        } else if ("amount" in one && ["DEPOSIT", "WITHDRAWAL"].includes(one.kind)) {
          const body = { depositId: randomUUID(), kind: one.kind, amount: one.amount };
          for (const _ of [1, 2]) {
            expect((await owner.pos("POST", "/cash/deposits", body)).status).toBe(200);
          }
          deposited.push(body);
        } else if ("amount" in one) {
          const body = { movementId: randomUUID(), ...one, reason: "Change" };
          await owner.pos("POST", `/shifts/${shiftId}/movements`, body);
        } else {
          await owner.sell([LINE]);
          await gateway.advance(2 * SECOND);
        }
      }
      const { body: safe } = await owner.pos("GET", "/cash/safe");
      const { body: x } = await owner.pos("GET", `/shifts/${shiftId}/x`);
      const { body: money } = await owner.pos(
        "GET",
        `/figures/money?firstDay=${day}&lastDay=${day}`,
      );
      const { drawers, taken, refunded } = money;
      expect(safe.balance + x.expectedCash).toBe(drawers.cash);
      expect(drawers.safe).toBe(safe.balance);
      expect(safe.list).toHaveLength(deposited.length);
      const { payIns, payOuts, differences, deposits } = drawers;
      const came = taken.cash - refunded.cash + payIns - payOuts + differences;
      expect(drawers.cash + deposits).toBe(came);
      await gateway.expectCleanBooks();
      await gateway.close();
    }),
    { numRuns: 8, endOnFailure: true },
  );
});
