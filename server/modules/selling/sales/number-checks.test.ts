import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

const CODE = "K7QF29XM";
const NUMBER = "+50251234567";
const LINE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: NUMBER };
const PRICE = 2_635;

let gateway: TestGateway;
let till: TestTill;
beforeEach(async () => {
  gateway = await startTestGateway();
  till = await openTill(gateway, { currency: "GTQ", rate: "7.75" });
});
afterEach(async () => {
  await gateway.expectCleanBooks();
  await gateway.close();
});

async function wants(confirmNumber: string): Promise<void> {
  const { body } = await till.pos("GET", "/settings");
  const saved = await till.pos("PUT", "/settings", { ...body, confirmNumber });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
}

async function says(said: string, transactionId: string, number = NUMBER): Promise<void> {
  const facts = { formatted: number, country: "GT", brandName: "Tigo", brandColor: "" };
  await till.pos("PUT", `/displays/${CODE}`, {
    phase: "CONFIRM",
    shopName: "",
    language: "en",
    training: false,
    currency: "GTQ",
    currencyDivisor: 100,
    lines: [],
    total: PRICE,
    ask: { transactionId, number, ...facts },
  });
  const body = { transactionId, number, said };
  const { status } = await gateway.call("POST", `/pos/displays/${CODE}/answers`, { body });
  expect(status).toBe(200);
}

function sell(transactionId: string, numberCheck?: "CUSTOMER" | "CLERK") {
  return till.sell([{ ...LINE, transactionId, ...(numberCheck && { numberCheck }) }], PRICE);
}

async function isAsked(): Promise<boolean> {
  const lines = [{ ...LINE, productType: "TOPUP" }];
  const { body } = await till.pos("POST", "/sales/check", { lines });
  return body.lines[0].asksNumber === true;
}

async function skipped(): Promise<{ subject: string; detail: object }[]> {
  const query = "limit=10&action=sale.number-unconfirmed";
  return (await till.pos("GET", `/audit-trail?${query}`)).body.list;
}

describe("a number that the customer must confirm", () => {
  it("exists only if the owner has switched confirmations on", async () => {
    expect(await isAsked()).toBe(false);
    const { status, body } = await sell("line-1");
    expect([status, body.lines[0].numberCheck]).toEqual([200, undefined]);
  });

  it("blocks the sale until it is confirmed, and the sale stores the confirming person", async () => {
    await wants("ALWAYS");
    expect(await isAsked()).toBe(true);
    const { status, body } = await sell("line-1");
    expect([status, body.errorCode]).toEqual([409, "NUMBER_NOT_CONFIRMED"]);
    expect(Object.keys(body.fields)).toEqual(["lines.0.numberCheck"]);
    await says("YES", "line-1");
    const sold = await sell("line-1", "CUSTOMER");
    expect([sold.status, sold.body.lines[0].numberCheck]).toEqual([200, "CUSTOMER"]);
    expect(await skipped()).toEqual([]);
    const found = await till.pos("GET", `/sales/${sold.body.saleId}`);
    expect(found.body.lines[0].numberCheck).toBe("CUSTOMER");
  });

  it("counts as confirmed by the clerk if the display got no answer about this number and line", async () => {
    await wants("ALWAYS");
    await says("YES", "line-1", "+50255550000");
    await says("YES", "another");
    for (const given of ["CUSTOMER", "CLERK"] as const) {
      const { body } = await sell(`line-${given === "CUSTOMER" ? 1 : 2}`, given);
      expect(body.lines[0].numberCheck).toBe("CLERK");
      expect((await skipped())[0]).toMatchObject({
        subject: body.saleId,
        detail: { number: NUMBER },
      });
    }
  });

  it("must be confirmed only once if the setting covers only new numbers", async () => {
    await wants("NEW");
    expect(await isAsked()).toBe(true);
    expect((await sell("line-1", "CLERK")).status).toBe(200);
    expect(await isAsked()).toBe(false);
    const { status, body } = await sell("line-2");
    expect([status, body.lines[0].numberCheck]).toEqual([200, undefined]);
  });
});
