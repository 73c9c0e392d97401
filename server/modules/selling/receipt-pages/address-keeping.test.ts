import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DAY, SECOND } from "../../../lib/clock.ts";
import { explainPlan } from "../../../testing/explained-plan.ts";
import { type MailServerInTest, startMailServer } from "../../../testing/mail-server.ts";
import { onlySqlite, READS_PLANS } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

const PUBLIC = "https://receipts.shop.example";
const SETTINGS = { enabled: true, publicUrl: PUBLIC, keepDays: 30, detailsInMail: false };
const TO = "ana.lopez@example.com";

const statements: string[] = [];
let till: TestGateway;
let owner: TestTill;
let server: MailServerInTest;
beforeEach(async () => {
  till = await startTestGateway({ onStatement: (statement) => statements.push(statement) });
  owner = await openTill(till);
  server = await startMailServer();
  const { port } = server;
  const place = { host: "127.0.0.1", port, security: "NONE", user: "shop", password: "secret" };
  await owner.pos("PUT", "/mail", { ...place, from: "till@shop.example" });
  await owner.pos("PUT", "/receipt-pages", SETTINGS);
});
afterEach(async () => {
  await till.close();
  await server.close();
});

async function sellAndSend(): Promise<string> {
  const line = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" } as const;
  const { saleId } = (await owner.sell([line])).body;
  await till.advance(SECOND);
  const body = { sendingId: randomUUID(), to: TO };
  const answer = await owner.pos("POST", `/sales/${saleId}/receipt-sendings`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await expect.poll(async () => (await seen(saleId)).sendings[0].state).not.toBe("WAITING");
  return saleId;
}

async function seen(saleId: string) {
  await till.settle();
  return (await owner.pos("GET", `/sales/${saleId}/receipt-links`)).body;
}

async function keepDays(keepDetailsDays: number): Promise<void> {
  const { settings, accountId } = till.gateway.context;
  await settings.change({ accountId }, { keepDetailsDays });
}

/** Advances the clock in one step, runs the purge, and signs in again. */
async function skip(days: number): Promise<void> {
  till.clock.set(till.clock.now() + days * DAY);
  await till.settle();
  await till.gateway.context.housekeeping.clearAway();
  owner = await owner.signIn(owner.staffId, OWNER_PIN);
}

async function tables(): Promise<string> {
  const { db } = till.gateway.context;
  const names = ["receipt_sendings", "mails", "jobs", "audit_trail"] as const;
  const rows = names.map((name) => db.selectFrom(name).selectAll().execute());
  return JSON.stringify(await Promise.all(rows));
}

it("receipt addresses are erased from the sale and the mail after the number of days that the owner set", async () => {
  const saleId = await sellAndSend();
  server.refuse(`no such person: ${TO}`, 550, "RCPT TO");
  const other = await sellAndSend();
  expect((await seen(other)).sendings[0].fault).toContain(TO);
  await keepDays(5);
  await skip(4);
  expect((await seen(saleId)).sendings).toMatchObject([{ to: TO, state: "SENT" }]);
  await skip(2);
  expect((await seen(saleId)).sendings).toMatchObject([{ to: "", state: "SENT" }]);
  expect((await seen(other)).sendings).toMatchObject([{ to: "", state: "FAILED" }]);
  const kept = await tables();
  expect(kept).not.toContain(TO);
  // The audit trail contains only the shortened address.
  expect(kept).toContain("a…@example.com");
  expect((await owner.pos("GET", "/mail")).body.list).toMatchObject([
    { recipients: [] },
    { recipients: [] },
  ]);
});

it("receipt addresses are stored for at least three days, during which a mail may be retried", async () => {
  const saleId = await sellAndSend();
  await keepDays(1);
  await skip(2);
  expect((await seen(saleId)).sendings[0].to).toBe(TO);
  await skip(2);
  expect((await seen(saleId)).sendings[0].to).toBe("");
});

it("receipt addresses are deleted with links that ended long ago, even if details are never erased", async () => {
  const saleId = await sellAndSend();
  await keepDays(0);
  await skip(119);
  expect(await seen(saleId)).toMatchObject({ links: [{}], sendings: [{ to: TO }] });
  await skip(2);
  expect(await seen(saleId)).toMatchObject({ links: [], sendings: [{ to: "" }] });
});

it(
  "the daily erasure finds old receipt addresses through an index",
  onlySqlite(READS_PLANS),
  async () => {
    await sellAndSend();
    statements.length = 0;
    const { db, housekeeping } = till.gateway.context;
    await housekeeping.clearAway();
    const looks = statements.filter((one) => /^select .*receipt_(sendings|links)/i.test(one));
    expect(looks).toHaveLength(2);
    const plans = await Promise.all(looks.map((look) => explainPlan(db, look)));
    expect(plans).toEqual([
      [expect.stringMatching(/USING INDEX receipt_sendings_addressed \(.*created_at<\?\)$/)],
      [expect.stringMatching(/USING COVERING INDEX receipt_links_by_end \(expires_at<\?\)$/)],
    ]);
  },
);
