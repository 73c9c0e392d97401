import { afterAll, beforeAll, expect, it } from "vitest";
import { onlySqlite } from "../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../testing/test-till.ts";

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

const NEVER_QUIET = "twelve who ask without a pause leave a test on a server no moment to go on";

it(
  "a colleague who prints a sale while it is delivered is not handed its PIN",
  onlySqlite(NEVER_QUIET),
  async () => {
    const ana = await addClerk("Ana");
    const ben = await addClerk("Ben");
    for (let sold = 0; sold < 4; sold++) {
      const sale = await ana.prepareSale([
        { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" },
      ]);
      expect((await ana.pos("POST", "/sales", sale)).status).toBe(200);
      let isDelivered = false;
      const printed: string[] = [];
      const keepPrinting = async () => {
        while (!isDelivered) {
          const { status, body } = await ben.pos("POST", `/sales/${sale.saleId}/prints`);
          if (status === 200) printed.push(JSON.stringify(body));
        }
      };
      const delivery = shop.advance(2_000).finally(() => {
        isDelivered = true;
      });
      await Promise.all([delivery, ...Array.from({ length: 12 }, keepPrinting)]);
      const { body } = await ana.pos("GET", `/sales/${sale.saleId}`);
      const pin = body.lines[0].voucher.epin;
      expect(pin).toMatch(/\w{8}/);
      expect(printed.filter((receipt) => receipt.includes(pin))).toEqual([]);
    }
  },
);
