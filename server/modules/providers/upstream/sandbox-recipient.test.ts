import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";

let till: TestGateway;
beforeAll(async () => {
  till = await startTestGateway();
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

let count = 0;
async function buyAndReadOutcome(family: string, body: object): Promise<string> {
  const transactionId = `sandbox-${count++}`;
  const answer = await till.v1("POST", `/${family}/purchases`, { ...body, transactionId });
  if (answer.status !== 200) return answer.body.errorCode;
  await till.advance(2 * SECOND);
  const record = (await till.v1("GET", `/${family}/purchases/${transactionId}`)).body;
  return record.error?.code ?? record.status;
}

describe("the sandbox's check of recipients", () => {
  it.each([
    ["a number of another country", "TIGO_GT_TOPUP_25", "+447400123456", "RECIPIENT_INVALID"],
    ["a fixed line", "TIGO_GT_TOPUP_25", "+50222345678", "RECIPIENT_INVALID"],
    ["a number of no country", "TIGO_GT_TOPUP_25", "+9991234567", "RECIPIENT_INVALID"],
    ["a number in its carrier's range", "CLARO_GT_TOPUP_25", "+50231234567", "DONE"],
    ["a number in another carrier's range", "CLARO_GT_TOPUP_25", "+50251234567", "DONE"],
  ])("fails a top-up to %s as its provider would", async (_name, offerId, number, end) => {
    expect(await buyAndReadOutcome("topups", { offerId, recipientPhoneNumber: number })).toBe(end);
  });

  it.each([
    ["01234567890", "DONE"],
    ["0123456789", "RECIPIENT_INVALID"],
    ["012345678901", "RECIPIENT_INVALID"],
    ["0123456789x", "RECIPIENT_INVALID"],
  ])("fails a voucher for the meter %s if its brand's input mask differs", async (meter, end) => {
    const body = {
      offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
      value: { type: "ZEND", value: 10_000 },
      fields: [
        { key: "meter.number", value: meter },
        { key: "recipient.msisdn", value: "+27821234567" },
      ],
    };
    expect(await buyAndReadOutcome("vouchers", body)).toBe(end);
  });

  it.each([
    ["not-an-email", "RECIPIENT_INVALID"],
    ["ana@example.com", "DONE"],
  ])("fails a voucher to the e-mail address %s as its provider would", async (value, end) => {
    const { list } = (await till.v1("GET", "/vouchers/offers?_limit=1024&_offset=0")).body;
    const offer = list.find(
      ({ requiredFields, priceType }: { requiredFields: string[]; priceType: string }) =>
        priceType === "FIXED" && requiredFields.includes("recipient.email"),
    );
    const fields = offer.requiredFields.map((key: string) => {
      if (key === "recipient.email") return { key, value };
      return { key, value: /phone|msisdn/i.test(key) ? "+12025550123" : "Ana" };
    });
    expect(await buyAndReadOutcome("vouchers", { offerId: offer.offerId, fields })).toBe(end);
  });
});
