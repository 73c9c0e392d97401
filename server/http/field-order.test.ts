import { afterAll, beforeAll, expect, it } from "vitest";
import { BillPayPurchase } from "../contract/v1/billpay-purchases.ts";
import { EsimPurchase } from "../contract/v1/esim-purchases.ts";
import { TopupPurchase } from "../contract/v1/topup-purchases.ts";
import { Transaction } from "../contract/v1/transactions.ts";
import { SECOND } from "../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

let till: TestGateway;
beforeAll(async () => {
  till = await startTestGateway();
  await till.v1("POST", "/topups/purchases", {
    offerId: "DU_AE_TOPUP_RANGE",
    transactionId: "failed",
    recipientPhoneNumber: "+971501239001",
    sender: { phoneNumber: "+50251234567", country: "GT" },
    value: { value: 500, type: "COST" },
  });
  const esim = { transactionId: "esim", offerId: "AIRALO_ASIA_1GB_7D" };
  await till.v1("POST", "/esim/purchases", esim);
  await till.advance(2 * SECOND);
  await till.v1("POST", "/esim/purchases/esim/refund");
  await till.settle();
});
afterAll(() => till.close());

function fieldsOf(schema: { properties: object }): string[] {
  return Object.keys(schema.properties);
}

it.each([
  ["/topups/purchases/failed", TopupPurchase, ["confirmation"]],
  ["/esim/purchases/esim", EsimPurchase, ["error", "value"]],
  ["/transactions/failed", Transaction, []],
] as const)(
  "the record at %s has the field order of the specification",
  async (path, schema, absent: readonly string[]) => {
    const { body } = await till.v1("GET", path);
    const expected = fieldsOf(schema).filter((name) => !absent.includes(name));
    expect(Object.keys(body)).toEqual(expected);
  },
);

it("the transaction lists have the field order of the description", () => {
  const head = "transactionId offerId brand brandName country status createdAt updatedAt error log";
  for (const schema of [TopupPurchase, EsimPurchase, BillPayPurchase]) {
    expect(fieldsOf(schema).slice(0, 10).join(" ")).toBe(head);
  }
});
