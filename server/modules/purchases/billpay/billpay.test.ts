import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BillPayOffer } from "../../../contract/v1/offers.ts";
import { DAY, SECOND } from "../../../lib/clock.ts";
import type { BillReading, Provider } from "../../../providers/provider.ts";
import { countedSimulator } from "../../../testing/counted-simulator.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

let till: TestGateway;
let offers: BillPayOffer[];
/** Replaces parts of the provider's readings. */
let misread: Partial<BillReading> = {};
let looksUpBills = true;
const SCOPE = { accountId: "default", environment: "test" } as const;
beforeAll(async () => {
  const { provider } = countedSimulator(() => till);
  const findBill: typeof provider.findBill = async (query, signal) => ({
    ...(await provider.findBill!(query, signal)),
    ...misread,
  });
  const test: Provider = { ...provider };
  Object.defineProperty(test, "findBill", { get: () => (looksUpBills ? findBill : undefined) });
  till = await startTestGateway({ providers: { test } });
  offers = (await till.v1("GET", "/billpay/offers?_limit=1024&_offset=0")).body.list;
  await till.gateway.context.recharges.setTestWallet(SCOPE, 1_000_000_00);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

function offerWith(wanted: Partial<BillPayOffer>): BillPayOffer {
  return offers.find((offer) =>
    Object.entries(wanted).every(([name, value]) => offer[name as keyof BillPayOffer] === value),
  )!;
}
function valuesFor(names: string[], account = "1234567890") {
  return Object.fromEntries(names.map((name) => [name, account]));
}
function fieldsFor(offer: BillPayOffer, account?: string) {
  const values = valuesFor(offer.requiredFields, account);
  return Object.entries(values).map(([key, value]) => ({ key, value }));
}
function retrieve(offer: BillPayOffer, values: Record<string, string>) {
  return till.v1("GET", `/billpay/offers/${offer.offerId}/bill?${new URLSearchParams(values)}`);
}
async function billOf(offer: BillPayOffer, account?: string) {
  const answer = await retrieve(offer, valuesFor(offer.billRetrievalRequiredFields, account));
  expect(answer.status).toBe(200);
  return answer.body;
}
async function pay(offer: BillPayOffer, transactionId: string, more: object = {}) {
  const { offerId } = offer;
  const fields = fieldsFor(offer);
  return till.v1("POST", "/billpay/purchases", { offerId, transactionId, fields, ...more });
}
async function get(transactionId: string) {
  return (await till.v1("GET", `/billpay/purchases/${transactionId}`)).body;
}

const exact = {
  priceType: "RANGE",
  supportsBillRetrieval: true,
  supportsOverpayment: false,
  supportsUnderpayment: false,
} as const;

describe("a bill", () => {
  it("has the same amounts and cost each time it is retrieved", async () => {
    const offer = offerWith(exact);
    const bill = await billOf(offer);
    expect(Object.keys(bill).join(" ")).toBe(
      "send sendCurrency sendCurrencyDivisor cost costCurrency costCurrencyDivisor costFee " +
        "costFeePct costFeeTotal costTotal price priceCurrency priceCurrencyDivisor priceFee " +
        "priceFx priceType createdAt",
    );
    expect(bill.send).toBeGreaterThanOrEqual(offer.send.min ?? 0);
    expect(bill.send).toBeLessThanOrEqual(offer.send.max ?? 0);
    expect(bill.costTotal).toBe(bill.cost + bill.costFeeTotal);
    await till.advance(SECOND);
    const again = await billOf(offer);
    expect({ ...again, createdAt: "" }).toEqual({ ...bill, createdAt: "" });
    expect(again.createdAt > bill.createdAt).toBe(true);
  });

  it("can be retrieved from every biller that offers retrieval, and costs the same as its payment", async () => {
    const retrievable = offers.filter((offer) => offer.supportsBillRetrieval && offer.enabled);
    expect(retrievable.length).toBeGreaterThan(100);
    for (const [index, offer] of retrievable.entries()) {
      const bill = await billOf(offer);
      const value = { type: "ZEND", value: bill.send };
      const more = offer.priceType === "RANGE" ? { value } : {};
      expect((await pay(offer, `bill-each-${index}`, more)).body.status).toBe("ACCEPTED");
      const paid = await get(`bill-each-${index}`);
      expect([paid.send, paid.costBase, paid.costFee, paid.priceBase, paid.priceFee]).toEqual([
        bill.send,
        bill.cost,
        bill.costFeeTotal,
        bill.price,
        bill.priceFee,
      ]);
    }
  });

  it("requires the fields that the biller names", async () => {
    const offer = offers.find(
      ({ billRetrievalRequiredFields: names }) => names.length === 2,
    ) as BillPayOffer;
    const answer = await retrieve(offer, { accountNumber: "1234567890" });
    expect(answer).toMatchObject({
      status: 400,
      body: { errorCode: "REQUIRED_FIELD_MISSING", fields: { billIdentifier: "is required" } },
    });
    expect((await retrieve(offer, { other: "1" })).body.fields).toEqual({
      other: "is not a known field",
    });
  });

  it("causes BILL_NOT_FOUND if it is unknown, and NOT_FOUND if its offer is unknown", async () => {
    const missing = await retrieve(
      offerWith(exact),
      valuesFor(offerWith(exact).billRetrievalRequiredFields, "129001"),
    );
    expect(missing).toMatchObject({ status: 400, body: { errorCode: "BILL_NOT_FOUND" } });
    const without = offerWith({ supportsBillRetrieval: false });
    const not = await retrieve(without, {});
    expect(not).toMatchObject({ status: 400, body: { errorCode: "BILL_NOT_FOUND" } });
    const none = await till.v1("GET", "/billpay/offers/NONE/bill?accountNumber=1");
    expect(none).toMatchObject({ status: 404, body: { errorCode: "NOT_FOUND" } });
  });

  it("causes SYSTEM_UNAVAILABLE if the provider looks up no bills, and can still be paid", async () => {
    const offer = offerWith(exact);
    looksUpBills = false;
    const answer = await retrieve(offer, valuesFor(offer.billRetrievalRequiredFields, "999"));
    looksUpBills = true;
    expect(answer).toMatchObject({ status: 503, body: { errorCode: "SYSTEM_UNAVAILABLE" } });
    expect(answer.body.message).toMatch(/^No provider that looks up bills is connected/);
    const value = { type: "ZEND", value: offer.send.min };
    const paid = await pay(offer, "bill-unread", { value, fields: fieldsFor(offer, "999") });
    expect(paid.body.status).toBe("ACCEPTED");
  });

  it("causes SYSTEM_UNAVAILABLE if the provider's answer cannot be read, and the deviation is counted", async () => {
    const offer = offerWith(exact);
    const { offerId } = offer;
    const values = valuesFor(offer.billRetrievalRequiredFields, "888");
    const field = "amountDue";
    misread = { decided: undefined, deviations: [{ field, kind: "UNREADABLE", needed: true }] };
    expect(await retrieve(offer, values)).toMatchObject({
      status: 503,
      body: { errorCode: "SYSTEM_UNAVAILABLE" },
    });
    misread = {};
    expect((await till.gateway.context.upstream.getStatus(SCOPE)).deviations).toMatchObject([
      { operation: "BILL", field, count: 1, lastReference: offerId },
    ]);
    const value = { type: "ZEND", value: offer.send.min };
    const answer = await pay(offer, "bill-misread", { value, fields: fieldsFor(offer, "888") });
    expect(answer.body.status).toBe("ACCEPTED");
  });
});

describe("paying a bill", () => {
  it("stores the payer and the account, and returns a confirmation", async () => {
    const offer = offerWith({ priceType: "FIXED" });
    const homeAddress = { line1: "12 Calle 1-25", city: "Guatemala", country: "GT" };
    const sender = { firstName: "Ana", lastName: "Paz", homeAddress, sourceOfFunds: "salary" };
    const recipient = { firstName: "Luis", lastName: "Paz", homeAddress, email: "l@example.com" };
    await till.advance(2 * SECOND);
    await pay(offer, "bill-people", { sender, recipient });
    await till.advance(2 * SECOND);
    const record = await get("bill-people");
    expect(record).toMatchObject({
      status: "DONE",
      productType: "BILL_PAY",
      fields: fieldsFor(offer),
      sender,
      recipient,
      send: offer.send.fixed,
      sendCurrency: offer.send.currency,
    });
    expect(record.confirmation.confirmationNumber).not.toBe("");
    const found = await till.v1("GET", "/transactions?_limit=1&_offset=0&productType=BILL_PAY");
    expect(found.body.list[0].transactionId).toBe("bill-people");
  });

  it.each([
    ["ZEND", "send"],
    ["COST", "cost"],
    ["PRICE", "price"],
  ] as const)(
    "accepts no other amount, given as %s, for a biller that requires the exact amount",
    async (type, side) => {
      const offer = offerWith(exact);
      const bill = await billOf(offer);
      for (const [name, difference] of [
        ["more", 100],
        ["less", -100],
      ] as const) {
        const value = { type, value: bill[side] + difference };
        const answer = await pay(offer, `bill-${type}-${name}`, { value });
        expect(answer.body.errorCode).toBe("VALUE_OUT_OF_RANGE");
        expect(answer.body.fields["value.value"]).toContain(`${name} than the bill`);
        expect((await till.v1("GET", `/billpay/purchases/bill-${type}-${name}`)).status).toBe(404);
      }
      const value = { type, value: bill[side] };
      expect((await pay(offer, `bill-${type}`, { value })).body.status).toBe("ACCEPTED");
    },
  );

  it.each([
    ["over", { ...exact, supportsOverpayment: true }, 100],
    ["under", { ...exact, supportsUnderpayment: true }, -100],
  ] as const)(
    "accepts an amount %s the bill if the biller allows it",
    async (name, wanted, difference) => {
      const offer =
        offerWith(wanted) ??
        offerWith({ ...wanted, supportsOverpayment: true, supportsUnderpayment: true });
      const bill = await billOf(offer, "555000111");
      const value = { type: "ZEND", value: bill.send + difference };
      const fields = fieldsFor(offer, "555000111");
      const answer = await pay(offer, `bill-${name}`, { value, fields });
      expect(answer.body.status).toBe("ACCEPTED");
    },
  );

  it("accepts any amount if no bill of the same account was retrieved", async () => {
    const offer = offerWith(exact);
    const bill = await billOf(offer);
    const fields = fieldsFor(offer, "777");
    const value = { type: "ZEND", value: bill.send + 100 };
    expect((await pay(offer, "bill-other", { value, fields })).body.status).toBe("ACCEPTED");
  });

  it("accepts any amount more than a day after the bill was retrieved", async () => {
    const offer = offerWith(exact);
    const bill = await billOf(offer, "888000222");
    till.clock.set(till.clock.now() + DAY + SECOND);
    const value = { type: "ZEND", value: bill.send + 100 };
    const answer = await pay(offer, "bill-old", { value, fields: fieldsFor(offer, "888000222") });
    expect(answer.body.status).toBe("ACCEPTED");
  });

  it("has a simulated outcome that depends on the account number", async () => {
    const offer = offerWith(exact);
    const value = { type: "ZEND", value: offer.send.min };
    await pay(offer, "bill-refused", { value, fields: fieldsFor(offer, "5559002") });
    await till.advance(SECOND);
    expect((await get("bill-refused")).error.code).toBe("PROVIDER_REJECTED");
  });

  it.each([
    ["a missing field", { fields: [] }, "REQUIRED_FIELD_MISSING", "accountNumber"],
    [
      "a name without an address",
      { sender: { firstName: "A", lastName: "B" } },
      "INVALID_REQUEST",
      "sender.homeAddress",
    ],
    [
      "a name of two lines",
      {
        sender: {
          firstName: "A\nB",
          lastName: "B",
          homeAddress: { line1: "1", city: "C", country: "GT" },
        },
      },
      "INVALID_REQUEST",
      "sender.firstName",
    ],
    [
      "a date that is none",
      {
        recipient: {
          firstName: "A",
          lastName: "B",
          homeAddress: { line1: "1", city: "C", country: "GT" },
          dateOfBirth: "yesterday",
        },
      },
      "INVALID_REQUEST",
      "recipient.dateOfBirth",
    ],
  ])("fails with %s, naming the field, and leaves no trace", async (_w, more, errorCode, field) => {
    const offer = offerWith(exact);
    const value = { type: "ZEND", value: offer.send.min };
    const answer = await pay(offer, "bill-bad", { value, ...more });
    expect(answer.body.errorCode).toBe(errorCode);
    expect(Object.keys(answer.body.fields)).toContain(field);
    expect((await till.v1("GET", "/billpay/purchases/bill-bad")).status).toBe(404);
  });
});
