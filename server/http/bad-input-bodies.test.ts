import { describe, expect, it } from "vitest";
import { FIXED, INVALID, startBadInput } from "../testing/bad-input.ts";

const input = startBadInput();
const { check } = input;

describe("a request body", () => {
  const DEEP = `${"[".repeat(3_000)}${"]".repeat(3_000)}`;
  check([
    { name: "malformed JSON", body: "{", ...INVALID, fields: ["body"] },
    { name: "JSON with a comma too many", body: '{"offerId":"A",}', ...INVALID, fields: ["body"] },
    { name: "an empty body", body: "", ...INVALID, fields: ["body"] },
    { name: "no body", method: "POST", ...INVALID, fields: ["body"] },
    { name: "null", body: "null", ...INVALID, fields: ["body"] },
    { name: "a list", body: [FIXED], ...INVALID, fields: ["body"] },
    { name: "a text", body: '"buy"', ...INVALID, fields: ["body"] },
    { name: "lists in lists", body: DEEP, ...INVALID, fields: ["body"] },
    ...["text/plain", "application/xml", "application/x-www-form-urlencoded", "x"].map((type) => ({
      name: `content type ${type}`,
      headers: { "content-type": type },
      body: FIXED,
      status: 415,
      errorCode: "UNSUPPORTED_MEDIA_TYPE",
    })),
    {
      name: "no content type",
      headers: { "content-type": "" },
      body: FIXED,
      status: 415,
      errorCode: "UNSUPPORTED_MEDIA_TYPE",
    },
    {
      name: "64 KiB and a byte",
      body: JSON.stringify(FIXED).padEnd(64 * 1024 + 1, " "),
      status: 413,
      errorCode: "PAYLOAD_TOO_LARGE",
    },
    { name: "__proto__", body: '{"__proto__":{"offerId":"A"}}', ...INVALID, fields: ["body"] },
    {
      name: "constructor.prototype",
      body: '{"constructor":{"prototype":{"x":1}}}',
      ...INVALID,
      fields: ["body"],
    },
    {
      name: "a name twice",
      body: JSON.stringify(FIXED).replace("{", '{"offerId":"TIGO_GT_TOPUP_50",'),
      ...INVALID,
      fields: ["offerId"],
    },
    {
      name: "a name twice inside, once with an escape",
      body: JSON.stringify({ ...FIXED, sender: {} }).replace(
        '"sender":{}',
        String.raw`"sender":{"country":"GT","countr\u0079":"US"}`,
      ),
      ...INVALID,
      fields: ["sender.country"],
    },
    {
      name: "a name twice in an item of a list",
      path: "/v1/vouchers/purchases",
      body: '{"fields":[{"key":"a","value":"1"},{"key":"a","value":"1","value":"2"}]}',
      ...INVALID,
      fields: ["fields.1.value"],
    },
    {
      name: "a name twice at the till",
      path: "/pos/session",
      body: '{"staffId":"x","pin":"1111","pin":"2222"}',
      ...INVALID,
      fields: ["pin"],
    },
    {
      name: "half of a character at the till",
      path: "/pos/session",
      body: { staffId: "x\ud83d", pin: "1111" },
      ...INVALID,
      fields: ["staffId"],
    },
    {
      name: "half of a character, which no strict reader of the record could read",
      path: "/v1/vouchers/purchases",
      body: {
        offerId: "AMAZON_US_GIFT_25",
        transactionId: "new",
        fields: [{ key: "recipient.firstName", value: "Ana \ud83d" }],
      },
      ...INVALID,
      fields: ["fields.0.value"],
    },
    {
      name: "letters of another encoding than UTF-8, said or not",
      path: "/v1/vouchers/purchases",
      headers: { "content-type": "application/json; charset=iso-8859-1" },
      body: Buffer.from(
        JSON.stringify({
          offerId: "AMAZON_US_GIFT_25",
          transactionId: "new",
          fields: [{ key: "recipient.firstName", value: "José" }],
        }),
        "latin1",
      ),
      ...INVALID,
      fields: ["body"],
    },
    { name: "an unknown field", body: { ...FIXED, note: "x" }, ...INVALID, fields: ["note"] },
    {
      name: "an unknown field inside",
      body: { ...FIXED, sender: { name: "Ana" } },
      ...INVALID,
      fields: ["sender.name"],
    },
    {
      name: "every field missing",
      body: {},
      ...INVALID,
      fields: ["offerId", "transactionId", "recipientPhoneNumber"],
    },
    ...Object.keys(FIXED).map((field) => ({
      name: `${field} missing`,
      body: { ...FIXED, [field]: undefined },
      ...INVALID,
      fields: [field],
    })),
    ...Object.keys(FIXED).flatMap((field) =>
      [null, 1, "", ["x"], { x: 1 }].map((value) => ({
        name: `${field} is ${JSON.stringify(value)}`,
        body: { ...FIXED, [field]: value },
        ...INVALID,
        fields: [field],
      })),
    ),
    {
      name: "sender with a country in small letters",
      body: { ...FIXED, sender: { country: "gt" } },
      ...INVALID,
      fields: ["sender.country"],
    },
    {
      name: "sender with a number that is not E.164",
      body: { ...FIXED, sender: { phoneNumber: "5551234" } },
      ...INVALID,
      fields: ["sender.phoneNumber"],
    },
  ]);

  it("may have exactly 64 KiB, the maximum", async () => {
    const body = JSON.stringify({ ...FIXED, transactionId: "large" }).padEnd(64 * 1024, " ");
    expect((await input.till.v1("POST", "/topups/purchases", body)).status).toBe(200);
    await input.till.advance(1_000);
  });
});

describe("an unknown parameter", () => {
  check(
    [
      "/balance",
      "/topups/offers/TIGO_GT_TOPUP_25",
      "/topups/purchases/used",
      "/transactions/used",
      "/tools/phonenumberlookup/+50251234567",
    ].map((path) => ({
      name: path,
      path: `/v1${path}?fields=all`,
      ...INVALID,
      fields: ["fields"],
    })),
  );
  check([
    {
      name: "of a purchase",
      path: "/v1/topups/purchases?dryRun=1",
      body: FIXED,
      ...INVALID,
      fields: ["dryRun"],
    },
  ]);
});
