import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECOND } from "../../../lib/clock.ts";
import type { Order, Provider, ProviderAnswer } from "../../../providers/provider.ts";
import { Simulator } from "../../../providers/simulator/simulator.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";

/** A gateway whose provider delivers, but whose responses lack codes and confirmation numbers. */
let till: TestGateway;
let owner: TestTill;

function withoutCodes(answer: ProviderAnswer): ProviderAnswer {
  if (answer.kind !== "fulfilled") return answer;
  const { confirmation, receipt, esim } = answer.fulfilment;
  return {
    ...answer,
    fulfilment: {
      confirmation: { ...confirmation, confirmationNumber: "" },
      ...(receipt && { receipt: { ...receipt, epin: "", redemptionUrl: "" } }),
      ...(esim && { esim: { ...esim, activationCode: "" } }),
    },
    deviations: [{ field: "confirmation.confirmationNumber", kind: "MISSING", needed: true }],
  };
}

function createProvider(): Provider {
  const simulator = () => {
    const { db, transactor, clock } = till.gateway.context;
    return new Simulator({ db, transactor, clock });
  };
  return {
    submit: async (order: Order, signal: AbortSignal) =>
      withoutCodes(await simulator().submit(order, signal)),
    inquire: async (order: Order) => withoutCodes(await simulator().inquire(order)),
    refund: (order) => simulator().refund(order),
    readEsim: (esim) => simulator().readEsim(esim),
    findBill: (query) => simulator().findBill(query),
  };
}

beforeAll(async () => {
  till = await startTestGateway({ providers: { test: createProvider() } });
  owner = await openTill(till);
});
afterAll(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const PUBLIC = "https://receipts.shop.example";
const LINES: readonly TestLine[] = [
  { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" },
  { productType: "ESIM", offerId: "AIRALO_ES_1GB_7D" },
  {
    productType: "TOPUP",
    offerId: "TIGO_GT_TOPUP_25",
    recipientPhoneNumber: "+50251234567",
  },
];

describe("a delivery that lacks its code or confirmation", () => {
  it("counts as delivered and charged, reports the missing data, offers no code and owes no refund", async () => {
    const before = (await owner.pos("GET", "/wallet/overview")).body.available;
    const { saleId } = (await owner.sell([...LINES])).body;
    await till.advance(2 * SECOND);
    const sale = (await owner.pos("GET", `/sales/${saleId}`)).body;
    const printed = (await owner.pos("POST", `/sales/${saleId}/prints`, {})).body.sale;
    for (const shown of [sale, printed]) {
      expect(shown).toMatchObject({ refundDue: 0 });
      const [voucher, esim, topup] = shown.lines;
      for (const line of [voucher, esim]) {
        expect(line).toMatchObject({ outcome: "DELIVERED", details: "MISSING" });
        expect([line.voucher, line.esim]).toEqual([undefined, undefined]);
      }
      expect(topup).toMatchObject({ outcome: "DELIVERED", noConfirmation: true });
    }
    for (const { transactionId } of sale.lines) {
      const body = { customerRefundId: randomUUID(), lines: [transactionId] };
      const refused = await owner.pos("POST", `/sales/${saleId}/customer-refunds`, body);
      expect([refused.status, transactionId]).toEqual([409, transactionId]);
    }
    const settings = { enabled: true, publicUrl: PUBLIC, keepDays: 30, detailsInMail: false };
    await owner.pos("PUT", "/receipt-pages", settings);
    const asked = { linkId: randomUUID(), language: "en" };
    const { url } = (await owner.pos("POST", `/sales/${saleId}/receipt-links`, asked)).body;
    const page = await (await fetch(till.url + (url as string).slice(PUBLIC.length))).text();
    expect(page.split("the shop does not have its code").length - 1).toBe(2);
    const id = sale.lines[1].transactionId;
    const qr = await till.v1("GET", `/esim/purchases/${id}/qrcode`);
    expect(qr.status).not.toBe(200);
    const after = (await owner.pos("GET", "/wallet/overview")).body.available;
    expect(after).toBeLessThan(before);
  });
});
