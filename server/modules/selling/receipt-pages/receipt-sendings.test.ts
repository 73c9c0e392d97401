import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { type MailServerInTest, startMailServer } from "../../../testing/mail-server.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";

const PUBLIC = "https://receipts.shop.example";
const CARD: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };
const SETTINGS = { enabled: true, publicUrl: PUBLIC, keepDays: 30, detailsInMail: false };
const TO = "ana@example.com";

let till: TestGateway;
let owner: TestTill;
let server: MailServerInTest;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  server = await startMailServer();
  const mail = {
    host: "127.0.0.1",
    port: server.port,
    security: "NONE",
    user: "shop",
    password: "secret",
    from: "till@shop.example",
  };
  expect((await owner.pos("PUT", "/mail", mail)).status).toBe(200);
  await owner.pos("PUT", "/receipt-pages", SETTINGS);
});
afterEach(async () => {
  await till.close();
  await server.close();
});

async function sell() {
  const { saleId } = (await owner.sell([CARD])).body;
  await till.advance(SECOND);
  const sale = (await owner.pos("GET", `/sales/${saleId}`)).body;
  return { saleId: saleId as string, pin: sale.lines[0].voucher.epin as string };
}

function send(saleId: string, more: object = {}) {
  const body = { sendingId: randomUUID(), to: TO, ...more };
  return owner.pos("POST", `/sales/${saleId}/receipt-sendings`, body);
}

async function delivered(count: number) {
  await expect
    .poll(async () => {
      await till.settle();
      return server.mails.length;
    })
    .toBe(count);
}

function decodeText(source: string): string {
  return source
    .replaceAll(/=\r\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
}

async function readSending(saleId: string) {
  return (await owner.pos("GET", `/sales/${saleId}/receipt-links`)).body.sendings[0];
}

it("a receipt is mailed once per id, with a link that is not stored", async () => {
  const { saleId, pin } = await sell();
  const sendingId = randomUUID();
  for (let time = 0; time < 2; time++) {
    const { status, body } = await send(saleId, { sendingId });
    expect(status, JSON.stringify(body)).toBe(200);
  }
  await delivered(1);
  expect(server.mails[0]?.to).toEqual([TO]);
  const text = decodeText(server.mails[0]?.source ?? "");
  const token = new RegExp(`${PUBLIC}/r/([\\w-]{32})`).exec(text)?.[1] ?? "";
  expect((await fetch(`${till.url}/r/${token}`)).status).toBe(200);
  expect(text).not.toContain(pin);
  const mails = await till.gateway.context.db.selectFrom("mails").selectAll().execute();
  expect(JSON.stringify(mails)).not.toContain(token);
  await expect.poll(async () => (await readSending(saleId)).state).toBe("SENT");
  await till.advance(DAY);
  expect(server.mails).toHaveLength(1);
});

it("a receipt is sent after a restart if the gateway stopped before the mail server received it", async () => {
  const { saleId } = await sell();
  // With this mail server, no mail can have been sent before the stop.
  await owner.pos("PUT", "/mail", {
    host: "127.0.0.1",
    port: 1,
    security: "NONE",
    user: "shop",
    password: "secret",
    from: "till@shop.example",
  });
  expect((await send(saleId)).status).toBe(200);
  await till.restart();
  await owner.pos("PUT", "/mail", {
    host: "127.0.0.1",
    port: server.port,
    security: "NONE",
    user: "shop",
    password: "secret",
    from: "till@shop.example",
  });
  await till.advance(HOUR);
  await delivered(1);
});

it("a refused customer address is reported without an alert about the shop's mail server", async () => {
  const { saleId } = await sell();
  server.refuse("no such person here", 550, "RCPT TO");
  await send(saleId);
  await expect
    .poll(async () => {
      await till.settle();
      return readSending(saleId);
    })
    .toMatchObject({ state: "FAILED", to: TO, fault: expect.stringContaining("no such person") });
  await till.advance(20 * MINUTE);
  expect(await till.gateway.context.mail.findStuck(till.gateway.context.accountId)).toBeUndefined();
});

it.each([
  ["MAIL FROM", 530, "5.7.0 Authentication required"],
  ["MAIL FROM", 553, "5.7.1 Sender address rejected: not owned by user"],
  ["RCPT TO", 554, "5.7.1 Relay access denied"],
  ["DATA", 552, "5.2.3 Message size exceeds the limit"],
] as const)(
  "a mail is retried and alerts the owner if the shop's mail server refuses it at %s with %i",
  async (at, code, words) => {
    const { saleId } = await sell();
    server.refuse(words, code, at);
    await send(saleId);
    await expect
      .poll(async () => {
        await till.settle();
        return readSending(saleId);
      })
      .toMatchObject({ state: "WAITING", fault: expect.stringContaining(words) });
    till.clock.set(till.clock.now() + 20 * MINUTE);
    const { mail, accountId } = till.gateway.context;
    expect(await mail.findStuck(accountId)).toMatchObject({
      waiting: 1,
      fault: expect.stringContaining(words),
    });
    server.refuse(undefined);
    await till.advance(HOUR);
    await delivered(1);
    await expect.poll(async () => (await readSending(saleId)).state).toBe("SENT");
    expect(await mail.findStuck(accountId)).toBeUndefined();
  },
);

it("the alert remains after the expiry of a mail that the shop's mail server kept refusing", async () => {
  const { saleId } = await sell();
  server.refuse("5.7.0 Authentication required", 530, "MAIL FROM");
  await send(saleId);
  await expect
    .poll(async () => {
      await till.settle();
      return (await readSending(saleId)).fault;
    })
    .toContain("Authentication required");
  till.clock.set(till.clock.now() + 3 * DAY);
  owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
  await expect
    .poll(async () => {
      await till.settle();
      return (await readSending(saleId)).state;
    })
    .toBe("FAILED");
  const { mail, accountId } = till.gateway.context;
  expect(await mail.findStuck(accountId)).toMatchObject({ waiting: 1 });
});

it("the receipt itself is mailed if no phone can open a link, with the PIN only if the owner allows it", async () => {
  for (const detailsInMail of [false, true]) {
    await owner.pos("PUT", "/receipt-pages", { ...SETTINGS, publicUrl: "", detailsInMail });
    const { saleId, pin } = await sell();
    expect((await send(saleId)).status).toBe(200);
    await delivered(detailsInMail ? 2 : 1);
    const text = decodeText(server.mails.at(-1)?.source ?? "");
    expect(text).toContain("Corner Shop");
    expect(text.includes(pin)).toBe(detailsInMail);
    expect(text).not.toContain("/r/");
  }
});

it("sending a receipt needs the reveal permission if the PIN is hidden", async () => {
  const person = { name: "Ana", role: "clerk", pin: "1739" };
  const { staffId } = (await owner.pos("POST", "/staff", person)).body;
  const clerk = await owner.signIn(staffId, "1739");
  const { saleId } = await sell();
  for (const publicUrl of [PUBLIC, ""]) {
    await owner.pos("PUT", "/receipt-pages", { ...SETTINGS, publicUrl, detailsInMail: true });
    const body = { sendingId: randomUUID(), to: TO };
    const refused = await clerk.pos("POST", `/sales/${saleId}/receipt-sendings`, body);
    expect([refused.status, refused.body.errorCode]).toEqual([403, "APPROVAL_REQUIRED"]);
    expect(refused.body.fields.needs).toContain("reveal");
  }
  await till.advance(MINUTE);
  expect(server.mails).toEqual([]);
});

it("sending a receipt to an invalid address causes an error that names the field", async () => {
  const { saleId } = await sell();
  const answer = await send(saleId, { to: "ana" });
  expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ["to"]]);
});
