import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const FIELDS = [
  { key: "meter.number", value: "01234567890" },
  { key: "recipient.msisdn", value: "+27821234567" },
];

function input(changes: object = {}) {
  return {
    offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
    transactionId: "voucher-1",
    fields: FIELDS,
    value: { type: "ZEND", value: 10_000 },
    ...changes,
  };
}

async function get(transactionId = "voucher-1") {
  return (await till.v1("GET", `/vouchers/purchases/${transactionId}`)).body;
}

describe("a voucher", () => {
  it("passes through the purchase engine, and has a receipt with all data for its redemption", async () => {
    const accepted = await till.v1("POST", "/vouchers/purchases", input());
    expect(accepted.body).toEqual({ status: "ACCEPTED", transactionId: "voucher-1" });
    await till.advance(SECOND);
    const purchase = await get();
    expect(purchase).toMatchObject({
      status: "DONE",
      productType: "VOUCHER",
      offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
      fields: FIELDS,
      send: 10_000,
      sendCurrency: "ZAR",
      value: { type: "ZEND", value: 10_000 },
    });
    expect(purchase.receipt).toMatchObject({
      deliveryType: "TOKEN",
      currency: "ZAR",
      send: 10_000,
      confirmationNumber: purchase.confirmation.confirmationNumber,
      epin: expect.stringMatching(/^\d{20}$/),
    });
    const list = await till.v1("GET", "/vouchers/purchases?_limit=10&_offset=0&status=DONE");
    expect(list.body).toEqual({ limit: 10, offset: 0, total: 1, list: [purchase] });
    const generic = await till.v1("GET", "/transactions?_limit=1&_offset=0&productType=VOUCHER");
    expect(generic.body.list[0].transactionId).toBe("voucher-1");
  });

  it("may have fields that its offer does not require, and stores them", async () => {
    const fields = [...FIELDS, { key: "sender.firstName", value: "Ana María" }];
    await till.v1("POST", "/vouchers/purchases", input({ fields }));
    await till.advance(SECOND);
    expect(await get()).toMatchObject({ status: "DONE", fields });
  });

  it("has no receipt and no null field before its delivery", async () => {
    await till.v1("POST", "/vouchers/purchases", input());
    const purchase = await get();
    expect(purchase.receipt).toBeUndefined();
    expect(purchase.confirmation).toBeUndefined();
    expect(JSON.stringify(purchase)).not.toContain("null");
  });

  it.each([
    ["9001", "RECIPIENT_INVALID"],
    ["9002", "PROVIDER_REJECTED"],
  ])("fails if the recipient ends in %s, with %s", async (digits, code) => {
    const fields = [FIELDS[0], { key: "recipient.msisdn", value: `+2782123${digits}` }];
    await till.v1("POST", "/vouchers/purchases", input({ fields }));
    await till.settle();
    expect((await get()).error.code).toBe(code);
  });

  it("has an outcome that depends on the end of the transaction id if it has no recipient", async () => {
    const gift = { offerId: "AMAZON_AE_GIFT_50", fields: [] };
    for (const [ending, status] of [
      ["-9001", "FAILED"],
      ["-0001", "DONE"],
      ["9001", "DONE"],
    ]) {
      const transactionId = `gift${ending}`;
      const { offerId, fields } = gift;
      await till.v1("POST", "/vouchers/purchases", { offerId, fields, transactionId });
      await till.advance(SECOND);
      expect((await get(transactionId)).status, transactionId).toBe(status);
    }
  });

  it("cannot use a transaction id of a top-up, and cannot be found as a top-up", async () => {
    await till.v1("POST", "/vouchers/purchases", input());
    const topup = {
      offerId: "TIGO_GT_TOPUP_25",
      transactionId: "voucher-1",
      recipientPhoneNumber: "+50251234567",
    };
    const same = await till.v1("POST", "/vouchers/purchases", input());
    expect(same.body.message).toMatch(
      /^The same purchase has the transaction id voucher-1 already/,
    );
    const again = await till.v1("POST", "/topups/purchases", topup);
    expect(again.body.errorCode).toBe("DUPLICATE_TRANSACTION_ID");
    expect((await till.v1("GET", "/topups/purchases/voucher-1")).status).toBe(404);
    expect((await till.v1("GET", "/topups/purchases?_limit=9&_offset=0")).body.total).toBe(0);
  });
});

describe("a voucher purchase", () => {
  it.each([
    [
      "a required field is absent",
      { fields: [FIELDS[0]] },
      "REQUIRED_FIELD_MISSING",
      { "recipient.msisdn": "is required" },
    ],
    [
      "a required field is empty",
      { fields: [{ key: "meter.number", value: "  " }, FIELDS[1]] },
      "REQUIRED_FIELD_MISSING",
      { "meter.number": "is required" },
    ],
    [
      "a field is given twice",
      { fields: [...FIELDS, FIELDS[0]] },
      "INVALID_REQUEST",
      { "fields.2.key": "is given already" },
    ],
    [
      "a value would command a printer",
      { fields: [FIELDS[0], { key: "recipient.msisdn", value: "+27821234567\u001b@" }] },
      "INVALID_REQUEST",
      { "fields.1.value": "must be a text without control characters" },
    ],
    [
      "a name has a line end",
      { fields: [...FIELDS, { key: "note\n", value: "" }] },
      "INVALID_REQUEST",
      { "fields.2.key": "must be a text without control characters" },
    ],
    [
      "the offer is a top-up",
      { offerId: "TIGO_GT_TOPUP_25" },
      "OFFER_NOT_FOUND",
      { offerId: "is not an offer of this product family" },
    ],
    [
      "the offer is disabled",
      { offerId: "HM_US_GIFT_25", fields: [], value: undefined },
      "OFFER_DISABLED",
      { offerId: "is disabled" },
    ],
    ["fields are absent", { fields: undefined }, "INVALID_REQUEST", { fields: "is required" }],
  ])("fails without a trace if %s", async (_why, changes, errorCode, fields) => {
    const before = await digestDatabase(till.gateway.context.db);
    const answer = await till.v1("POST", "/vouchers/purchases", input(changes));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ errorCode, message: expect.any(String), fields });
    expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
  });
});

describe("voucher offers", () => {
  it("appear in a separate list, with their required fields and their delivery", async () => {
    const { body } = await till.v1("GET", "/vouchers/offers?_limit=1024&_offset=0&country=ZA");
    expect(body.total).toBe(body.list.length);
    expect(body.total).toBeGreaterThan(10);
    for (const offer of body.list) {
      expect(offer.productType).toBe("VOUCHER");
      expect(offer.deliveryType).not.toBe("");
      expect(Array.isArray(offer.requiredFields)).toBe(true);
    }
    const one = await till.v1("GET", "/vouchers/offers/ESKOM_ZA_ELECTRICITY_RANGE");
    expect(body.list).toContainEqual(one.body);
    expect((await till.v1("GET", "/topups/offers/ESKOM_ZA_ELECTRICITY_RANGE")).status).toBe(404);
  });

  it("can be filtered by brand, region and any sub-type", async () => {
    const path = "/vouchers/offers?_limit=1024&_offset=0";
    const electricity = (await till.v1("GET", `${path}&subType=Electricity`)).body;
    expect(electricity.total).toBeGreaterThan(10);
    const asia = (await till.v1("GET", `${path}&subType=Electricity&regions=Southeast%20Asia`))
      .body;
    expect(asia.total).toBeGreaterThan(0);
    expect(asia.total).toBeLessThan(electricity.total);
    expect((await till.v1("GET", `${path}&brand=ESKOM&country=US`)).body.total).toBe(0);
  });
});
