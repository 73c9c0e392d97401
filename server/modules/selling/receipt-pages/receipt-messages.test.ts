import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, MINUTE, SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

const PUBLIC = "https://receipts.shop.example";
const CARD: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };
const SETTINGS = { enabled: true, publicUrl: PUBLIC, keepDays: 30, detailsInMail: false };
const TO = "+50251234567";

let till: TestGateway;
let owner: TestTill;
let receiver: Receiver;
let secret: string;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  receiver = await startReceiver(till);
  await owner.pos("PUT", "/receipt-pages", SETTINGS);
  const answer = await owner.pos("POST", "/webhooks", hook());
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  secret = answer.body.secret;
});
afterEach(async () => {
  await till.close();
  await receiver.close();
});

function hook(more: object = {}) {
  const url = `${receiver.url}/messages`;
  return { environment: "test", kind: "RECEIPT", url, allowPrivate: true, ...more };
}

async function sell() {
  const { saleId } = (await owner.sell([CARD])).body;
  await till.advance(SECOND);
  const sale = (await owner.pos("GET", `/sales/${saleId}`)).body;
  return { saleId: saleId as string, pin: sale.lines[0].voucher.epin as string };
}

function send(saleId: string, more: object = {}) {
  const body = { sendingId: randomUUID(), channel: "SMS", to: TO, language: "es", ...more };
  return owner.pos("POST", `/sales/${saleId}/receipt-sendings`, body);
}

async function seen(saleId: string) {
  return (await owner.pos("GET", `/sales/${saleId}/receipt-links`)).body.sendings[0];
}

function findToken(body: string): string {
  return new RegExp(`${PUBLIC}/r/([\\w-]{32})"`).exec(body)?.[1] ?? "no link";
}

describe("a receipt as a message", () => {
  it("reaches the receiver once per id, with a signature, with its link and without the PIN", async () => {
    const { saleId, pin } = await sell();
    const sendingId = randomUUID();
    for (let time = 0; time < 2; time++) {
      const { status, body } = await send(saleId, { sendingId });
      expect(status, JSON.stringify(body)).toBe(200);
    }
    await till.advance(SECOND);
    expect(receiver.received).toHaveLength(1);
    const { headers, body } = receiver.received[0]!;
    const sentAt = new Date(Number(headers["webhook-timestamp"]) * SECOND);
    const signature = new Webhook(secret).sign(String(headers["webhook-id"]), sentAt, body);
    expect(headers["webhook-signature"]).toBe(signature);
    expect(JSON.parse(body)).toEqual({
      event: "receipt.send",
      environment: "test",
      sendingId,
      saleId,
      saleNumber: 1,
      channel: "SMS",
      to: TO,
      language: "es",
      shopName: "Corner Shop",
      link: `${PUBLIC}/r/${findToken(body)}`,
      linkExpiresAt: expect.stringMatching(/^2026-02-14T/),
    });
    expect(body).not.toContain(pin);
    const page = await fetch(`${till.url}/r/${findToken(body)}`);
    expect([page.status, (await page.text()).includes('lang="es"')]).toEqual([200, true]);
    expect(await seen(saleId)).toMatchObject({
      way: "MESSAGE",
      channel: "SMS",
      to: TO,
      state: "SENT",
      receiver: new URL(receiver.url).host,
    });
    await till.advance(DAY);
    expect(receiver.received).toHaveLength(1);
  });

  it("gets repeated with the same bytes and id until the receiver accepts it, even after a restart", async () => {
    const { saleId } = await sell();
    receiver.behave(500, "reset", 200);
    expect((await send(saleId, { channel: "WHATSAPP" })).status).toBe(200);
    await till.settle();
    expect(await seen(saleId)).toMatchObject({ state: "WAITING", fault: "It answered 500." });
    await till.restart();
    await till.advance(MINUTE);
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.ids).size).toBe(1);
    expect((await seen(saleId)).state).toBe("SENT");
  });

  it("does not reach the receiver after its link is withdrawn, and counts as no failure of the receiver", async () => {
    const { saleId } = await sell();
    const sendingId = randomUUID();
    receiver.behave(500);
    await send(saleId, { sendingId });
    await till.settle();
    const path = `/sales/${saleId}/receipt-links/${sendingId}`;
    expect((await owner.pos("DELETE", path)).status).toBe(200);
    await till.advance(10 * MINUTE);
    expect(receiver.received).toHaveLength(1);
    expect(await seen(saleId)).toMatchObject({ state: "FAILED" });
    const { list } = (await owner.pos("GET", "/webhooks")).body;
    expect(list).toMatchObject([{ kind: "RECEIPT" }]);
  });

  it("fails when its webhook is removed", async () => {
    const { saleId } = await sell();
    receiver.behave(500);
    await send(saleId);
    await till.settle();
    const { list } = (await owner.pos("GET", "/webhooks")).body;
    await owner.pos("DELETE", `/webhooks/${list[0].webhookId}`);
    await till.advance(MINUTE);
    expect((await seen(saleId)).state).toBe("FAILED");
    const refused = await send(saleId);
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([400, ["channel"]]);
  });

  it("requires a number, a public address and a receiver; the error names the missing item", async () => {
    const { saleId } = await sell();
    const ways = async () => (await owner.pos("GET", "/receipt-ways")).body.receiver;
    expect(await ways()).toBe(new URL(receiver.url).host);
    for (const [more, field] of [
      [{ to: "ana@example.com" }, "to"],
      [{ to: "51234567" }, "to"],
      [{ channel: "PIGEON" }, "channel"],
      [{ channel: undefined }, "to"],
    ] as const) {
      const { status, body } = await send(saleId, more);
      expect([status, Object.keys(body.fields)]).toEqual([400, [field]]);
    }
    await owner.pos("PUT", "/receipt-pages", { ...SETTINGS, publicUrl: "" });
    expect(await ways()).toBeUndefined();
    expect(Object.keys((await send(saleId)).body.fields)).toEqual(["channel"]);
    expect(receiver.received).toEqual([]);
  });

  it("leaves its link in no row of the database, and goes to one webhook only", async () => {
    const { saleId } = await sell();
    await send(saleId);
    await till.advance(SECOND);
    const token = findToken(receiver.received[0]!.body);
    const { db } = till.gateway.context;
    for (const table of ["receipt_links", "receipt_sendings", "audit_trail"] as const) {
      const rows = await db.selectFrom(table).selectAll().execute();
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toContain(token);
    }
    const second = await owner.pos("POST", "/webhooks", hook({ url: `${receiver.url}/other` }));
    expect([second.status, Object.keys(second.body.fields)]).toEqual([400, ["kind"]]);
  });
});

it("the test message of a receipt webhook has its own event, so that no receipt is sent", async () => {
  const { list } = (await owner.pos("GET", "/webhooks")).body;
  await owner.pos("POST", `/webhooks/${list[0].webhookId}/test`);
  expect(JSON.parse(receiver.received[0]!.body).event).toBe("receipt.test");
});
