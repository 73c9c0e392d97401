import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

/** One subscriber whose number is written in several forms. */
let till: TestGateway;
let owner: TestTill;
beforeAll(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { currency: "USD" });
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const OFFER = "TIGO_GT_TOPUP_25";
/** An Argentine mobile number, and its form before 15 became 9. */
const CANONICAL = "+5491123456789";
const OLD_FORM = "+54111523456789";

function line(recipientPhoneNumber: string) {
  return { productType: "TOPUP", offerId: OFFER, recipientPhoneNumber };
}

describe("a phone number in an old form", () => {
  it("finds the earlier sale to the same subscriber in a sale check", async () => {
    const sold = await owner.sell([{ offerId: OFFER, recipientPhoneNumber: CANONICAL }]);
    expect(sold.status).toBe(200);
    await till.advance(5_000);
    const checked = await owner.pos("POST", "/sales/check", { lines: [line(OLD_FORM)] });
    expect(checked.body.lines[0].earlier).toMatchObject({ same: true });
    const again = await owner.sell([{ offerId: OFFER, recipientPhoneNumber: OLD_FORM }]);
    expect(again.body.lines[0].recipientPhoneNumber).toBe(CANONICAL);
  });

  it("a phone number in an old form is stored as a favourite in canonical form, and removed by either form", async () => {
    const path = `/favourites/${encodeURIComponent(OLD_FORM)}`;
    const kept = await owner.pos("PUT", path, { name: "Ana" });
    expect(kept.body.list).toMatchObject([{ number: CANONICAL, name: "Ana" }]);
    expect((await owner.pos("DELETE", path)).body.list).toEqual([]);
    await owner.pos("PUT", path, { name: "Ana" });
    const canonical = `/favourites/${encodeURIComponent(CANONICAL)}`;
    expect((await owner.pos("DELETE", canonical)).body.list).toEqual([]);
  });

  it("a phone number in an old form is recorded in canonical form by a purchase of /v1", async () => {
    const transactionId = randomUUID();
    const input = { offerId: OFFER, transactionId, recipientPhoneNumber: OLD_FORM };
    expect((await till.v1("POST", "/topups/purchases", input)).status).toBe(200);
    const { body } = await till.v1("GET", `/topups/purchases/${transactionId}`);
    expect(body.recipientPhoneNumber).toBe(CANONICAL);
  });

  it("a phone number in an old form is repaired by the till, which refuses the typed one", async () => {
    const { body } = await owner.pos(
      "GET",
      `/phone?number=${encodeURIComponent("+5215512345678")}`,
    );
    expect(body).toMatchObject({
      valid: false,
      isRepaired: true,
      choices: [{ number: "+525512345678", valid: true, country: "MX" }],
    });
  });
});
