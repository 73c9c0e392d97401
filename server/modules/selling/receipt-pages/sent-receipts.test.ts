import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, HOUR, SECOND } from "../../../lib/clock.ts";
import { sealKeyFile } from "../../../lib/sealer.ts";
import { type MailServerInTest, startMailServer } from "../../../testing/mail-server.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

const PUBLIC = "https://receipts.shop.example";
const CARD: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };
const SETTINGS = { enabled: true, publicUrl: PUBLIC, keepDays: 30, detailsInMail: false };
const TO = "ana@example.com";
const MAIL = {
  host: "127.0.0.1",
  security: "NONE",
  user: "shop",
  password: "secret",
  from: "till@shop.example",
};
const NUMBER = "+50251234567";

let till: TestGateway;
let owner: TestTill;
let server: MailServerInTest;
let receiver: Receiver;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  server = await startMailServer();
  receiver = await startReceiver(till);
  expect((await owner.pos("PUT", "/mail", { ...MAIL, port: server.port })).status).toBe(200);
  await owner.pos("PUT", "/receipt-pages", SETTINGS);
});
afterEach(async () => {
  await till.close();
  await server.close();
  await receiver.close();
});

async function sell(): Promise<string> {
  const { saleId } = (await owner.sell([CARD])).body;
  await till.advance(SECOND);
  return saleId;
}

async function send(saleId: string, more: object = {}): Promise<string> {
  const sendingId = randomUUID();
  const body = { sendingId, to: TO, ...more };
  const answer = await owner.pos("POST", `/sales/${saleId}/receipt-sendings`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return sendingId;
}

async function list(filter = "", by = owner) {
  const answer = await by.pos("GET", `/receipt-sendings?limit=50${filter}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

async function ended(state: string) {
  await expect
    .poll(async () => {
      await till.settle();
      return (await list()).list[0].state;
    })
    .toBe(state);
}

function again(sendingId: string, environment = "test", by = owner) {
  return by.pos("POST", `/receipt-sendings/${sendingId}/resend`, { environment });
}

async function days(count: number) {
  await till.advance(count * DAY);
  owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
}

/** Advances the clock in one step, without the retries in between, and signs in again. */
async function lateBy(milliseconds: number) {
  till.clock.set(till.clock.now() + milliseconds);
  owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
}

function messageIds(): (string | undefined)[] {
  return server.mails.map(({ source }) => /^message-id:\s*(\S+)/im.exec(source)?.[1]);
}

async function trail() {
  const rows = await till.gateway.context.db
    .selectFrom("audit_trail")
    .selectAll()
    .where("action", "=", "receipt.resend")
    .execute();
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail_json) as object }));
}

describe("the list of sent receipts", () => {
  it("shows the state, the shortened recipient and the reason of a failure", async () => {
    const saleId = await sell();
    await send(saleId);
    await ended("SENT");
    await till.advance(SECOND);
    server.refuse(`no mailbox of ${TO} here`, 550, "RCPT TO");
    const failed = await send(saleId);
    await ended("FAILED");
    const { list: all, next } = await list();
    expect(next).toBeUndefined();
    expect(all).toMatchObject([
      { sendingId: failed, state: "FAILED", to: "a…@example.com", canSendAgain: true },
      { state: "SENT", way: "EMAIL", saleNumber: 1, sentBy: "Olga", canSendAgain: false },
    ]);
    expect(all[0].fault).toContain("no mailbox of a…@example.com here");
    expect(JSON.stringify(all)).not.toContain(TO);
    expect((await list("&state=FAILED")).list).toHaveLength(1);
    expect((await list("&state=WAITING")).list).toEqual([]);
    const { sendings } = (await owner.pos("GET", `/sales/${saleId}/receipt-links`)).body;
    expect(sendings.map(({ state }: { state: string }) => state)).toEqual(["FAILED", "SENT"]);
  });

  it("has pages without duplicates, even for equal times", {
    tags: ["thorough"],
  }, async () => {
    const saleId = await sell();
    const ids = new Set<string>();
    for (let n = 0; n < 7; n++) {
      ids.add(await send(saleId));
      if (n % 3 === 2) await till.advance(SECOND);
    }
    const seen: string[] = [];
    for (let before = ""; ; ) {
      const { body } = await owner.pos("GET", `/receipt-sendings?limit=3${before}`);
      seen.push(...body.list.map(({ sendingId }: { sendingId: string }) => sendingId));
      if (body.next === undefined) break;
      before = `&before=${body.next}`;
    }
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(ids);
    const wrong = await owner.pos("GET", "/receipt-sendings?limit=3&before=nowhere");
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ["before"]]);
  });

  it("can be seen only by owners, who may also resend receipts", async () => {
    const sendingId = await send(await sell());
    const person = { name: "Ana", role: "clerk", pin: "1739" };
    const { staffId } = (await owner.pos("POST", "/staff", person)).body;
    const clerk = await owner.signIn(staffId, "1739");
    expect((await clerk.pos("GET", "/receipt-sendings?limit=5")).status).toBe(403);
    expect((await again(sendingId, "test", clerk)).status).toBe(403);
  });
});

describe("a failed receipt", () => {
  it("reaches the mail server again with the same message id, and the resending is recorded", async () => {
    const saleId = await sell();
    server.refuse("no such person here", 550, "RCPT TO");
    const sendingId = await send(saleId);
    await ended("FAILED");
    const { mail_id } = await till.gateway.context.db
      .selectFrom("mails")
      .select("mail_id")
      .executeTakeFirstOrThrow();
    server.refuse(undefined);
    const answer = await again(sendingId);
    expect([answer.status, answer.body.state]).toEqual([200, "WAITING"]);
    expect((await again(sendingId)).status).toBe(200);
    await ended("SENT");
    expect(messageIds()).toEqual([`<${mail_id}@tillgate.invalid>`]);
    expect(await trail()).toMatchObject([
      { staff_id: owner.staffId, subject: saleId, detail: { to: "a…@example.com" } },
    ]);
    expect((await again(sendingId)).status).toBe(400);
    await till.advance(DAY);
    expect(server.mails).toHaveLength(1);
  });

  it("gets the full retry period again if it is resent after it expired", async () => {
    const saleId = await sell();
    server.refuse("come again later");
    const sendingId = await send(saleId);
    await expect.poll(async () => (await list()).list[0].fault ?? "").toContain("again later");
    await lateBy(3 * DAY);
    await ended("FAILED");
    await again(sendingId);
    await expect
      .poll(async () => {
        await till.settle();
        return (await list()).list[0].fault ?? "";
      })
      .toContain("come again later");
    expect((await list()).list[0].state).toBe("WAITING");
    server.refuse(undefined);
    await lateBy(DAY);
    await ended("SENT");
  });

  it("reaches the webhook again with the same id", async () => {
    const url = `${receiver.url}/messages`;
    const hook = { environment: "test", kind: "RECEIPT", url, allowPrivate: true };
    const { webhook } = (await owner.pos("POST", "/webhooks", hook)).body;
    const saleId = await sell();
    receiver.behave(500);
    const sendingId = await send(saleId, { channel: "SMS", to: NUMBER });
    await till.advance(SECOND);
    await owner.pos("DELETE", `/webhooks/${webhook.webhookId}`);
    await days(1);
    expect((await list()).list).toMatchObject([
      { state: "FAILED", channel: "SMS", to: "…4567", canSendAgain: true },
    ]);
    expect((await again(sendingId)).body.message).toMatch(/webhook/);
    await owner.pos("POST", "/webhooks", hook);
    receiver.behave(200);
    expect((await again(sendingId)).status).toBe(200);
    await till.advance(SECOND);
    expect((await list()).list).toMatchObject([{ state: "SENT" }]);
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids)).toEqual(new Set([`msg_${sendingId}`]));
    expect(ids.length).toBeGreaterThan(1);
  });

  it.each(["EMAIL", "SMS"])(
    "sent as %s cannot be resent if its link belongs to another secrets.key and opens no page",
    async (way) => {
      const hook = { environment: "test", kind: "RECEIPT", url: receiver.url, allowPrivate: true };
      await owner.pos("POST", "/webhooks", hook);
      const saleId = await sell();
      server.refuse("no such person here", 550, "RCPT TO");
      const failed = await send(saleId);
      await ended("FAILED");
      await till.advance(SECOND);
      await owner.pos("PUT", "/mail", { ...MAIL, port: 1 });
      receiver.behave(500);
      const waiting = await send(saleId, way === "SMS" ? { channel: "SMS", to: NUMBER } : {});
      await till.settle();
      // Simulates a database that was restored with another key file.
      rmSync(sealKeyFile(till.dataDir));
      till.gateway.context.keyFile.seal("");
      await owner.pos("PUT", "/mail", { ...MAIL, port: server.port });
      server.refuse(undefined);
      receiver.behave(200);
      await till.advance(HOUR);
      await till.settle();
      const { list: sent } = await list();
      expect(sent).toMatchObject([
        { sendingId: waiting, state: "FAILED", canSendAgain: false },
        { sendingId: failed, state: "FAILED", canSendAgain: false },
      ]);
      expect(sent[0].fault).toContain("another secrets.key");
      const refused = await again(failed);
      expect([refused.status, refused.body.message]).toEqual([
        400,
        expect.stringContaining("another secrets.key"),
      ]);
      expect(server.mails).toEqual([]);
      expect(receiver.received.filter(({ body }) => body.includes("/r/")).length).toBe(
        way === "SMS" ? 1 : 0,
      );
    },
  );

  it("cannot be sent again after its link ended or its recipient was erased", async () => {
    const saleId = await sell();
    server.refuse("no such person here", 550, "RCPT TO");
    const sendingId = await send(saleId);
    await ended("FAILED");
    await owner.pos("DELETE", `/sales/${saleId}/receipt-links/${sendingId}`);
    expect((await list()).list).toMatchObject([{ canSendAgain: false }]);
    expect((await again(sendingId)).body.message).toMatch(/link is over/);
    await lateBy(100 * DAY);
    await till.gateway.context.housekeeping.clearAway();
    expect((await list()).list).toMatchObject([{ to: "", canSendAgain: false }]);
    expect((await again(sendingId)).body.message).toMatch(/no longer kept/);
    expect((await again(randomUUID())).status).toBe(404);
    expect((await again(sendingId, "live")).status).toBe(404);
    expect(await trail()).toEqual([]);
  });
});
