import { describe, expect, it } from "vitest";
import { DISABLED, FIXED, INVALID, RANGE, startBadInput } from "../testing/bad-input.ts";

const input = startBadInput();
const { check } = input;

describe("a phone number that is not E.164", () => {
  check(
    [
      "50251234567",
      "0050251234567",
      "+0250251234567",
      "+502 5123 4567",
      "+502-5123-4567",
      "+(502)51234567",
      "+1",
      "+12345",
      "+1234567890123456",
      "+5025123456x",
      "+٥٠٢٥١٢٣٤٥٦٧",
      "+50251234567\n",
      " +50251234567",
      "++50251234567",
    ].map((number) => ({
      name: JSON.stringify(number),
      body: { ...FIXED, recipientPhoneNumber: number },
      ...INVALID,
      fields: ["recipientPhoneNumber"],
    })),
  );
});

describe("a transaction id", () => {
  const LONG = "x".repeat(129);
  check(
    ["a b", "a/b", "a.b", "a:b", "é", "a\n", "a\u0000", "\ud800", "😀", "%41", LONG].map((id) => ({
      name: id === LONG ? "129 characters" : JSON.stringify(id),
      body: { ...FIXED, transactionId: id },
      ...INVALID,
      fields: ["transactionId"],
    })),
  );

  it("may have 128 characters, with every kind of allowed character", async () => {
    const transactionId = `${"Az0_-".repeat(25)}xyz`;
    const answer = await input.till.v1("POST", "/topups/purchases", { ...FIXED, transactionId });
    expect(answer.body).toEqual({ status: "ACCEPTED", transactionId });
    await input.till.advance(1_000);
    expect((await input.till.v1("GET", `/topups/purchases/${transactionId}`)).body.status).toBe(
      "DONE",
    );
  });

  check([
    {
      name: "used before, the same body",
      body: { ...FIXED, transactionId: "used" },
      status: 400,
      errorCode: "DUPLICATE_TRANSACTION_ID",
      fields: ["transactionId"],
    },
    {
      name: "used before, another body",
      body: { ...FIXED, transactionId: "used", recipientPhoneNumber: "+50259999999" },
      status: 400,
      errorCode: "DUPLICATE_TRANSACTION_ID",
      fields: ["transactionId"],
    },
  ]);
});

describe("the offer and its value", () => {
  function value(amount: unknown, type: unknown = "PRICE") {
    return { ...RANGE, value: { type, value: amount } };
  }
  const OUT_OF_RANGE = { status: 400, errorCode: "VALUE_OUT_OF_RANGE", fields: ["value.value"] };
  check([
    {
      name: "an unknown offer",
      body: { ...FIXED, offerId: "NO_SUCH_OFFER" },
      status: 400,
      errorCode: "OFFER_NOT_FOUND",
      fields: ["offerId"],
    },
    ...["__proto__", "constructor", "x\u0000", "x".repeat(128)].map((offerId) => ({
      name: `an offer called ${JSON.stringify(offerId).slice(0, 20)}`,
      body: { ...FIXED, offerId },
      status: 400,
      errorCode: "OFFER_NOT_FOUND",
      fields: ["offerId"],
    })),
    {
      name: "a disabled offer",
      body: DISABLED,
      status: 400,
      errorCode: "OFFER_DISABLED",
      fields: ["offerId"],
    },
    {
      name: "FIXED with a value",
      body: { ...FIXED, value: { type: "PRICE", value: 330 } },
      status: 400,
      errorCode: "VALUE_NOT_ALLOWED",
      fields: ["value"],
    },
    {
      name: "RANGE without a value",
      body: RANGE,
      status: 400,
      errorCode: "VALUE_REQUIRED",
      fields: ["value"],
    },
    { name: "PRICE below min", body: value(499), ...OUT_OF_RANGE },
    { name: "PRICE above max", body: value(10_001), ...OUT_OF_RANGE },
    { name: "PRICE a step above max", body: value(10_050), ...OUT_OF_RANGE },
    { name: "PRICE off the increment", body: value(501), ...OUT_OF_RANGE },
    { name: "COST below min", body: value(454, "COST"), ...OUT_OF_RANGE },
    { name: "COST above max", body: value(9_101, "COST"), ...OUT_OF_RANGE },
    { name: "ZEND below min", body: value(1_764, "ZEND"), ...OUT_OF_RANGE },
    { name: "ZEND above max", body: value(35_301, "ZEND"), ...OUT_OF_RANGE },
    {
      name: "the largest safe integer",
      body: value(Number.MAX_SAFE_INTEGER, "ZEND"),
      ...OUT_OF_RANGE,
    },
    ...["3", "500", 500.5, 0, -500, 2 ** 53, null, true, [500]].map((amount) => ({
      name: `value ${JSON.stringify(amount)}`,
      body: value(amount),
      ...INVALID,
      fields: ["value.value"],
    })),
    ...["SEND", "price", "", null, 1].map((type) => ({
      name: `value type ${JSON.stringify(type)}`,
      body: value(500, type),
      ...INVALID,
      fields: ["value.type"],
    })),
    {
      name: "a value without its type",
      body: { ...RANGE, value: { value: 500 } },
      ...INVALID,
      fields: ["value.type"],
    },
    {
      name: "a value without its amount",
      body: { ...RANGE, value: { type: "PRICE" } },
      ...INVALID,
      fields: ["value.value"],
    },
    {
      name: "a value with more",
      body: { ...RANGE, value: { type: "PRICE", value: 500, currency: "USD" } },
      ...INVALID,
      fields: ["value.currency"],
    },
    {
      name: "a value that is a number",
      body: { ...RANGE, value: 500 },
      ...INVALID,
      fields: ["value"],
    },
    {
      name: "a number too long for JSON to keep",
      body: JSON.stringify(value(1)).replace(":1}", ":1e400}"),
      ...INVALID,
      fields: ["value.value"],
    },
  ]);
});
