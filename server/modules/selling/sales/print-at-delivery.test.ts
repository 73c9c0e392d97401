import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let shop: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  shop = await startTestGateway();
  owner = await openTill(shop);
});
afterAll(() => shop.close());

async function addClerk(name: string): Promise<TestTill> {
  const person = { name, role: "clerk", pin: "1739" };
  return owner.signIn((await owner.pos("POST", "/staff", person)).body.staffId, "1739");
}

/** Sends requests without a pause, so that the gateway is never idle before the delivery. */
async function letDeliver(isDelivered: () => Promise<boolean>): Promise<void> {
  const target = shop.clock.now() + 2 * SECOND;
  while (!(await isDelivered())) {
    const next = shop.clock.nextTimer();
    if (next !== undefined && next <= target) shop.clock.set(Math.max(next, shop.clock.now()));
  }
}

it("a colleague who prints a sale during its delivery does not get its PIN", async () => {
  const ana = await addClerk("Ana");
  const ben = await addClerk("Ben");
  for (let sold = 0; sold < 4; sold++) {
    const sale = await ana.prepareSale([{ productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" }]);
    expect((await ana.pos("POST", "/sales", sale)).status).toBe(200);
    const firstLine = async () => (await ana.pos("GET", `/sales/${sale.saleId}`)).body.lines[0];
    let isOver = false;
    const printed: string[] = [];
    const keepPrinting = async () => {
      while (!isOver) {
        const { status, body } = await ben.pos("POST", `/sales/${sale.saleId}/prints`);
        if (status === 200) printed.push(JSON.stringify(body));
      }
    };
    const delivery = letDeliver(async () => (await firstLine()).status === "DONE").finally(() => {
      isOver = true;
    });
    await Promise.all([delivery, ...Array.from({ length: 12 }, keepPrinting)]);
    await shop.settle();
    const pin = (await firstLine()).voucher.epin;
    expect(pin).toMatch(/\w{8}/);
    expect(printed.filter((receipt) => receipt.includes(pin))).toEqual([]);
  }
});

it("a print after the delivery is the original of the delivered sale if an earlier print did not start", async () => {
  const sale = await owner.prepareSale([{ productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" }]);
  await owner.pos("POST", "/sales", sale);
  const print = async () => {
    const printId = randomUUID();
    const { body } = await owner.pos("POST", `/sales/${sale.saleId}/prints?printId=${printId}`);
    const [line] = body.sale.lines;
    return [body.copyNumber, line.outcome, line.voucher?.epin ?? "none"];
  };
  // The printer has no paper: nothing is sent.
  expect(await print()).toEqual([0, "SENDING", "none"]);
  await shop.advance(3 * SECOND);
  expect(await print()).toEqual([0, "DELIVERED", expect.stringMatching(/\w{8}/)]);
});
