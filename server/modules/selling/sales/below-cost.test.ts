import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SaleLineInput } from "../../../contract/pos/sale-lines.ts";
import { Exact } from "../../../lib/money.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import {
  approveRefused,
  OWNER_PIN,
  openTill,
  type TestLine,
  type TestTill,
} from "../../../testing/test-till.ts";
import { EMPTY_LIST, PriceEngine } from "../../catalog/prices/index.ts";

/** A shop in quetzales with a wallet in dollars. */
let till: TestGateway;
let owner: TestTill;
let manager: TestTill;
let clerk: TestTill;
const TOPUP: TestLine = { offerId: "TIGO_GT_TOPUP_50", recipientPhoneNumber: "+50251234567" };

beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
  const join = async (name: string, role: string, pin: string) => {
    const { staffId } = (await owner.pos("POST", "/staff", { name, role, pin })).body;
    return owner.signIn(staffId, pin);
  };
  manager = await join("Mara", "supervisor", "3691");
  clerk = await join("Ana", "clerk", "2583");
  // With full discounts allowed, only the floor limits a discount.
  for (const { staffId } of [manager, clerk]) {
    await owner.pos("PATCH", `/staff/${staffId}`, { ownRights: { discountPct: 100 } });
  }
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function lowestPrice(): Promise<number> {
  const { body } = await till.v1("GET", `/topups/offers/${TOPUP.offerId}`);
  const { fixed, fee, feePct } = body.cost;
  const feeOfBase = new Exact(fixed).mul(feePct).div(100).ceil();
  return new Exact(fixed).add(fee).add(feeOfBase).mul("7.75").ceil().toNumber();
}

async function priced(by: TestTill, below: number) {
  const lowest = await lowestPrice();
  const plain = await by.prepareSale([TOPUP]);
  const { price } = plain.lines[0]!;
  return by.prepareSale([{ ...TOPUP, price, discount: price - lowest + below }]);
}

describe("a discount below cost", () => {
  it("needs an owner even for one minor unit, at the check and at the sale", async () => {
    for (const by of [clerk, manager]) {
      const enough = await priced(by, 0);
      expect((await by.pos("POST", "/sales", enough)).status).toBe(200);
      const sale = await priced(by, 1);
      const { transactionId, offerId, price, discount } = sale.lines[0] as SaleLineInput;
      const asked = { saleId: sale.saleId, transactionId, offerId, price, discount };
      for (const refused of [
        await by.pos("POST", "/sales/discounts", asked),
        await by.pos("POST", "/sales", sale),
      ]) {
        expect([refused.status, refused.body.errorCode]).toEqual([403, "APPROVAL_REQUIRED"]);
        expect(refused.body.fields).toMatchObject({ right: "belowCost", needs: "belowCost" });
      }
    }
    const own = await priced(owner, 1);
    const { transactionId, offerId, price, discount } = own.lines[0] as SaleLineInput;
    const asked = { saleId: own.saleId, transactionId, offerId, price, discount };
    const answer = await owner.pos("POST", "/sales/discounts", asked);
    expect(answer.body).toEqual({ allowed: true, belowCost: true });
    expect((await owner.pos("POST", "/sales", own)).status).toBe(200);
    await till.settle();
  });

  it("can be approved by an owner but not by a manager, and the approval is recorded", async () => {
    const sale = await priced(clerk, 1);
    const refused = await clerk.pos("POST", "/sales", sale);
    const approvers = await clerk.pos("GET", `/approvers?needs=${refused.body.fields.needs}`);
    expect(JSON.stringify(approvers.body)).not.toContain(manager.staffId);
    const by = { staffId: owner.staffId, pin: OWNER_PIN, subject: sale.saleId };
    const approvalId = await approveRefused(clerk, refused, by);
    const sold = await clerk.pos("POST", "/sales", { ...sale, approvalId });
    expect(sold.body).toMatchObject({ approvedBy: { staffId: owner.staffId } });
    const trail = await till.gateway.context.db
      .selectFrom("audit_trail")
      .select(["action", "detail_json"])
      .where("subject", "=", sale.saleId)
      .execute();
    const details = Object.fromEntries(
      trail.map(({ action, detail_json }) => [action, JSON.parse(detail_json)]),
    );
    expect(details["approval.give"].needs).toBe("belowCost");
    expect(details["approval.use"].needs).toBe("belowCost");
    expect(details["sale.discount"]).toMatchObject({ linesBelowCost: 1 });
    await till.settle();
  });

  it("can be approved separately before the payment, even for a RANGE offer", async () => {
    const value = { type: "ZEND", value: 7_500 } as const;
    const line = { offerId: "TIGO_GT_TOPUP_RANGE", recipientPhoneNumber: "+50257654321", value };
    const plain = await clerk.prepareSale([line]);
    const { price } = plain.lines[0]!;
    const sale = await clerk.prepareSale([{ ...line, price, discount: price - 1 }]);
    const [{ transactionId }] = sale.lines as [SaleLineInput];
    const { saleId } = sale;
    const asked = { saleId, transactionId, offerId: line.offerId, value, price };
    const discount = { ...asked, discount: price - 1 };
    const refused = await clerk.pos("POST", "/sales/discounts", discount);
    expect(refused.body.fields.needs).toBe("belowCost");
    const by = { staffId: owner.staffId, pin: OWNER_PIN, subject: saleId };
    const discountApprovalId = await approveRefused(clerk, refused, by);
    const lines = [{ ...sale.lines[0], discountApprovalId }];
    expect((await clerk.pos("POST", "/sales", { ...sale, lines })).status).toBe(200);
    await till.settle();
  });

  it("gets detected exactly, for any currencies and exchange rate", () => {
    const amount = fc.integer({ min: 0, max: 10_000_000 });
    const divisor = fc.constantFrom(1, 10, 100, 1000);
    const rate = fc
      .tuple(fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 0, max: 6 }))
      .map(([digits, point]) => new Exact(digits).div(new Exact(10).pow(point)));
    fc.assert(
      fc.property(amount, amount, divisor, divisor, rate, (paid, cost, ofShop, ofWallet, fx) => {
        const offer = {
          productType: "TOPUP",
          cost: { currency: "USD", currencyDivisor: ofWallet },
        };
        const quote = { costBase: cost, costFee: 0, priceBase: 0, priceFee: 0, send: 0 };
        const terms = { currency: "GTQ", currencyDivisor: ofShop, rate: fx.toFixed() };
        const prices = new PriceEngine({ list: EMPTY_LIST, terms, at: 0, spent: new Set() });
        const below = prices.isUnderFloor(paid, { offer, quote } as never, "TILL");
        // Compares products, because a division would round.
        const left = new Exact(paid).mul(ofWallet);
        const right = new Exact(cost).mul(fx).mul(ofShop);
        expect(below).toBe(left.lt(right));
      }),
    );
  });
});
