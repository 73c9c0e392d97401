import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { explainPlan } from "../../../testing/explained-plan.ts";
import { readKept } from "../../../testing/kept-bytes.ts";
import {
  isOnPostgres,
  LOSES_THE_KEY,
  onlySqlite,
  READS_PLANS,
} from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";

const statements: string[] = [];
let shop: TestGateway;
let receiver: Receiver;
beforeEach(async () => {
  shop = await startTestGateway({ onStatement: (statement) => statements.push(statement) });
  receiver = await startReceiver(shop);
});
afterEach(async () => {
  await shop.close();
  await receiver.close();
});

const VOUCHER = "/vouchers/purchases";
const ESIM = "/esim/purchases";

/** @returns the secrets, as GET returns them */
async function buyBoth(): Promise<string[]> {
  const voucher = { offerId: "AMAZON_US_GIFT_25", transactionId: "card", fields: [] };
  expect((await shop.v1("POST", VOUCHER, voucher)).status).toBe(200);
  const esim = { offerId: "AIRALO_ES_1GB_7D", transactionId: "plan" };
  expect((await shop.v1("POST", ESIM, esim)).status).toBe(200);
  await shop.advance(MINUTE);
  const { receipt } = (await shop.v1("GET", `${VOUCHER}/card`)).body;
  const { confirmation } = (await shop.v1("GET", `${ESIM}/plan`)).body;
  const secrets = [receipt.epin, receipt.voucherId, confirmation.activationCode];
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(5);
  return secrets;
}

async function everything(): Promise<string> {
  if (isOnPostgres()) return readKept(shop);
  const { db } = shop.gateway.context;
  const copy = mkdtempSync(join(tmpdir(), "tillgate-copy-"));
  await sql`vacuum into ${join(copy, "copy.db")}`.execute(writerOf(db));
  const files = readdirSync(copy).map((file) => readFileSync(join(copy, file), "latin1"));
  rmSync(copy, { recursive: true });
  return files.join("");
}

describe("PINs and codes", () => {
  it("never appear in clear text in stored purchases or in sent webhooks", async () => {
    const actor = { accountId: "default", staffId: undefined };
    for (const kind of ["VOUCHER", "ESIM"] as const) {
      const { webhooks } = shop.gateway.context;
      const target = { kind, environment: "test" as const, url: receiver.url, allowPrivate: true };
      await webhooks.add(actor, target);
    }
    // The receiver repeats each request in its response.
    receiver.behave((response) => response.end(receiver.received.at(-1)?.body));
    const secrets = await buyBoth();
    const { list } = await shop.gateway.context.webhooks.listDeliveries("default", {
      _limit: 10,
      _offset: 0,
    });
    for (const { attempts } of list) expect(attempts[0]?.answer).toMatch(/^\{"/);
    expect(receiver.received.map(({ body }) => secrets.some((one) => body.includes(one)))).toEqual([
      true,
      true,
    ]);
    const text = await everything();
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
    await shop.expectCleanBooks();
    await shop.restart();
    expect((await shop.v1("GET", `${VOUCHER}/card`)).body.receipt.epin).toBe(secrets[0]);
  });

  it("become encrypted at the next start if an earlier version stored them in clear text", async () => {
    const secrets = await buyBoth();
    const { db } = shop.gateway.context;
    const { body: card } = await shop.v1("GET", `${VOUCHER}/card`);
    const { receipt, confirmation } = card;
    const { currencyDivisor: _divisor, ...old } = receipt;
    await writerOf(db)
      .updateTable("purchases")
      .set({
        fulfilment_json: JSON.stringify({ confirmation, receipt: old }),
        details_sealed: null,
        details_state: "CLEAR",
      })
      .where("transaction_id", "=", "card")
      .execute();
    expect(await everything()).toContain(secrets[0]);
    await shop.restart();
    await shop.settle();
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
    expect((await everything()).includes(secrets[0] ?? "")).toBe(false);
    expect((await shop.v1("GET", `${VOUCHER}/card`)).body).toEqual(card);
    await shop.expectCleanBooks();
  });

  it("disappear after the configured number of days, and the record states the erasure", {
    tags: ["thorough"],
  }, async () => {
    const secrets = await buyBoth();
    const { settings, accountId } = shop.gateway.context;
    await settings.change({ accountId }, { keepDetailsDays: 5 });
    await shop.advance(5 * DAY - MINUTE);
    expect((await shop.v1("GET", `${VOUCHER}/card`)).body.receipt.epin).toBe(secrets[0]);
    await shop.advance(DAY + MINUTE);
    await shop.settle();
    const { receipt } = (await shop.v1("GET", `${VOUCHER}/card`)).body;
    expect(receipt).toMatchObject({ epin: "", voucherId: "", withheld: "ERASED" });
    const { confirmation } = (await shop.v1("GET", `${ESIM}/plan`)).body;
    expect(confirmation).toMatchObject({ activationCode: "", withheld: "ERASED" });
    expect(confirmation.iccid).toMatch(/^89/);
    const qr = await shop.v1("GET", `${ESIM}/plan/qrcode`);
    expect([qr.status, qr.body.errorCode]).toEqual([400, "QRCODE_NOT_READY"]);
    await shop.expectCleanBooks();
  });

  it(
    "require one indexed query a day to find the details that are due for erasure",
    onlySqlite(READS_PLANS),
    async () => {
      await buyBoth();
      statements.length = 0;
      await shop.gateway.context.housekeeping.clearAway();
      const looks = statements.filter((one) => /^select .*details_state.* = \+'SEALED'/i.test(one));
      expect(looks).toHaveLength(1);
      const { db } = shop.gateway.context;
      expect(await explainPlan(db, looks[0] ?? "")).toEqual([
        expect.stringMatching(
          /^SEARCH \w+ USING (COVERING )?INDEX purchases_details \(.*details_at<\?\)$/,
        ),
      ]);
    },
  );

  it("stay stored for 90 days by default", async () => {
    await buyBoth();
    expect(await shop.gateway.context.settings.getKeepDetailsDays("default")).toBe(90);
  });

  it(
    "become unreadable without the key, while all other data stays readable",
    onlySqlite(LOSES_THE_KEY),
    async () => {
      await buyBoth();
      rmSync(join(shop.dataDir, "secrets.key"));
      await shop.restart();
      const { status, body } = await shop.v1("GET", `${VOUCHER}/card`);
      expect([status, body.receipt.epin, body.receipt.withheld]).toEqual([200, "", "UNREADABLE"]);
      expect(body.confirmation.confirmationNumber).toMatch(/^\d+$/);
      await shop.expectCleanBooks();
    },
  );
});
