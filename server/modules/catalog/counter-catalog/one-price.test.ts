import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { PosOffer } from "../../../contract/pos/offers.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { priceAtCounter } from "./index.ts";

/** The shop sells in quetzales and its wallet is in dollars, so both conversions round. */
let till: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "GTQ", rate: "7.75" });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const TO = { recipientPhoneNumber: "+50251234567" };
const RANGE = "TIGO_GT_TOPUP_RANGE";

it("an amount has the same price on a tile, when typed, in a quote and in each sale", async () => {
  const offers: PosOffer[] = (await owner.pos("GET", "/offers?country=GT&brand=TIGO")).body.list;
  const tile = offers.find(({ offerId }) => offerId === "TIGO_GT_TOPUP_100")!;
  const price = tile.price.fixed! + tile.price.fee;
  const value = { type: "ZEND", value: 10_000 };
  const quoted = await owner.pos("POST", "/quotes", { offerId: RANGE, value });
  expect(quoted.body).toMatchObject({ price, send: 10_000, offerId: tile.offerId });
  const line = { productType: "TOPUP", offerId: RANGE, value, ...TO } as const;
  const checked = await owner.pos("POST", "/sales/check", { lines: [line] });
  expect(checked.body.lines[0]).toMatchObject({ price, send: 10_000 });
  const sold = await owner.sell([line as never]);
  expect(sold.body).toMatchObject({ total: price, lines: [{ offerId: tile.offerId }] });
  await till.advance(5_000);
  const [known] = (await owner.pos("GET", "/recents")).body.list;
  expect(known).toMatchObject({ price, offerId: tile.offerId });
});

it("an amount equal to a tile's price buys the tile's offer", async () => {
  const tile = await owner.pos("POST", "/quotes", { offerId: "TIGO_GT_TOPUP_100" });
  const { snapshot, offer } = await rangeOffer();
  const { min = 0, increment = 1 } = offer.price;
  const at = Math.round((tile.body.price - min) / increment) * increment + min;
  const anyPrice = { ...offer, price: { ...offer.price, increment: 1 } } as typeof offer;
  const value = { type: "PRICE", value: tile.body.price } as const;
  const chosen = priceAtCounter(snapshot, anyPrice, value);
  expect(chosen.offer.offerId).toBe("TIGO_GT_TOPUP_100");
  expect(chosen.quote.send).toBe(10_000);
  expect(at).toBeGreaterThan(0);
});

async function rangeOffer() {
  const scope = { accountId: "default", environment: "test" } as const;
  const snapshot = await till.gateway.context.catalog.getSnapshot(scope);
  return { snapshot, offer: snapshot.get(RANGE)! };
}

it("no amount of an offer has two prices", async () => {
  const { snapshot } = await rangeOffer();
  const sold = snapshot.offers.filter(
    ({ enabled, productType }) => enabled && (productType === "TOPUP" || productType === "VOUCHER"),
  );
  const ranges = sold.filter(({ priceType }) => priceType === "RANGE");
  expect(ranges.length).toBeGreaterThan(10);
  fc.assert(
    fc.property(fc.constantFrom(...ranges), fc.nat(), (range, pick) => {
      const fixed = sold.filter(
        (one) =>
          one.priceType === "FIXED" &&
          one.brand === range.brand &&
          one.country === range.country &&
          String(one.subTypes) === String(range.subTypes),
      );
      const tile = fixed[pick % Math.max(1, fixed.length)];
      if (!tile || !("send" in tile) || !("send" in range)) return;
      const { min = 0, max = 0 } = range.send;
      const { fixed: send = 0 } = tile.send;
      if (send < min || send > max) return;
      const chosen = priceAtCounter(snapshot, range, { type: "ZEND", value: send });
      expect(chosen.quote).toEqual(priceAtCounter(snapshot, chosen.offer, undefined).quote);
      expect(chosen.quote.send).toBe(send);
      expect(chosen.quote.priceBase).toBeLessThanOrEqual(tile.price.fixed ?? 0);
    }),
  );
});

it("the offer of a bill or an integrator's purchase is never replaced by one of equal amount", async () => {
  const { snapshot } = await rangeOffer();
  const bill = snapshot.offers.find(
    ({ productType, priceType }) => productType === "BILL_PAY" && priceType === "RANGE",
  )!;
  const { min = 0 } = "send" in bill ? bill.send : {};
  const value = { type: "ZEND", value: min } as const;
  expect(priceAtCounter(snapshot, bill, value).offer).toBe(bill);
  const transactionId = "named-by-the-integrator";
  const named = { transactionId, offerId: RANGE, value: { type: "ZEND", value: 10_000 }, ...TO };
  expect((await till.v1("POST", "/topups/purchases", named)).status).toBe(200);
  const { body } = await till.v1("GET", `/topups/purchases/${transactionId}`);
  const tile = await till.v1("GET", "/topups/offers/TIGO_GT_TOPUP_100");
  expect(body.offerId).toBe(RANGE);
  // The prices differ, so a wrong choice would be detected.
  expect(body.price).toBeLessThan(tile.body.price.fixed);
  await till.advance(5_000);
});
