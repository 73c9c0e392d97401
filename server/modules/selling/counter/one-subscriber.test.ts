import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { startReceiver } from "../../../testing/webhook-receiver.ts";

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
/** An Argentine mobile number, and its old form (15 instead of 9). */
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

  it("becomes a favourite in its canonical form, and can be removed by either form", async () => {
    const path = `/favourites/${encodeURIComponent(OLD_FORM)}`;
    const kept = await owner.pos("PUT", path, { name: "Ana" });
    expect(kept.body.list).toMatchObject([{ number: CANONICAL, name: "Ana" }]);
    expect((await owner.pos("DELETE", path)).body.list).toEqual([]);
    await owner.pos("PUT", path, { name: "Ana" });
    const canonical = `/favourites/${encodeURIComponent(CANONICAL)}`;
    expect((await owner.pos("DELETE", canonical)).body.list).toEqual([]);
  });

  it("has its canonical form in the record of a /v1 purchase", async () => {
    const transactionId = randomUUID();
    const input = { offerId: OFFER, transactionId, recipientPhoneNumber: OLD_FORM };
    expect((await till.v1("POST", "/topups/purchases", input)).status).toBe(200);
    const { body } = await till.v1("GET", `/topups/purchases/${transactionId}`);
    expect(body.recipientPhoneNumber).toBe(CANONICAL);
  });

  it("does not appear in any database table, except in the cells of an uploaded file", async () => {
    const sold = await owner.sell([{ offerId: OFFER, recipientPhoneNumber: OLD_FORM }]);
    const { saleId } = sold.body;
    const shown = {
      brand: "TIGO",
      brandName: "Tigo",
      brandColor: "#00377b",
      country: "GT",
      title: "25 GTQ",
      recipientFormatted: "",
      price: 340,
      priceCurrency: "USD",
      priceCurrencyDivisor: 100,
    };
    const voucher = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };
    const fields = [{ key: "recipient.msisdn", value: OLD_FORM }];
    const lines = [line(OLD_FORM), { ...voucher, fields }].map((input) => ({ input, shown }));
    const held = await owner.pos("POST", "/held-sales", {
      heldSaleId: randomUUID(),
      label: "Ana",
      lines,
    });
    expect(held.body.lines[0].input.recipientPhoneNumber).toBe(CANONICAL);
    expect(held.body.lines[1].input.fields).toEqual([{ ...fields[0], value: CANONICAL }]);
    const settings = { publicUrl: "https://receipts.shop.example", keepDays: 30 };
    const pages = { enabled: true, detailsInMail: false, ...settings };
    expect((await owner.pos("PUT", "/receipt-pages", pages)).status).toBe(200);
    const receiver = await startReceiver(till);
    const url = `${receiver.url}/messages`;
    const hook = { environment: "test", kind: "RECEIPT", url, allowPrivate: true };
    expect((await owner.pos("POST", "/webhooks", hook)).status).toBe(200);
    const sending = { sendingId: randomUUID(), to: OLD_FORM, channel: "SMS" };
    const sent = await owner.pos("POST", `/sales/${saleId}/receipt-sendings`, sending);
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    const sender = { phoneNumber: OLD_FORM };
    const input = { offerId: OFFER, recipientPhoneNumber: OLD_FORM, sender };
    const bought = await till.v1("POST", "/topups/purchases", {
      ...input,
      transactionId: randomUUID(),
    });
    expect(bought.status, JSON.stringify(bought.body)).toBe(200);
    const text = `offer,recipient\n${OFFER},${OLD_FORM}`;
    const run = await owner.pos("POST", "/bulk-runs", { runId: randomUUID(), name: "t.csv", text });
    expect(run.status).toBe(200);
    await till.settle();
    await receiver.close();

    const tables = await digestDatabase(till.gateway.context.db);
    const found = Object.entries(tables).flatMap(([table, rows]) =>
      (JSON.parse(rows) as object[]).flatMap((row) =>
        Object.entries(row).flatMap(([column, value]) =>
          String(value).includes(OLD_FORM.slice(1)) ? [`${table}.${column}`] : [],
        ),
      ),
    );
    expect([...new Set(found)]).toEqual(["bulk_lines.cells_json"]);
  });

  it("must be confirmed in its corrected form, which the till offers as a choice", async () => {
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
