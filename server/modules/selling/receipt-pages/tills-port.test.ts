import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MINUTE } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { type NetworkShop, openNetworkShop } from "../../../testing/network-shop.ts";

const OFFER = "AMAZON_US_GIFT_25";
const SETTINGS = { enabled: true, publicUrl: "", keepDays: 30, detailsInMail: false };
const PUBLIC = "https://receipts.shop.example";

let shop: NetworkShop;
let session: string;
let saleId: string;
let path: string;
beforeAll(async () => {
  shop = await openNetworkShop();
  // Without an idle lock, because the tests advance the clock by minutes.
  const writer = writerOf(shop.gateway.context.db);
  await writer.updateTable("accounts").set({ idle_lock_minutes: 0 }).execute();
  const { staffId } = shop;
  const signedIn = await fetch(`${shop.url}/pos/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ staffId, pin: "471183" }),
  });
  session = signedIn.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  await pos("POST", "/shifts", { shiftId: randomUUID(), float: 0 });
  const { price } = await pos("POST", "/quotes", { offerId: OFFER });
  const line = { productType: "VOUCHER", offerId: OFFER, transactionId: randomUUID(), price };
  const tenders = [{ kind: "CASH", tendered: price }];
  saleId = randomUUID();
  await pos("POST", "/sales", { saleId, lines: [line], tenders });
  path = await makePath();
});
beforeEach(() => {
  // Keeps guesses of the previous test from counting.
  shop.clock.set(shop.clock.now() + 2 * MINUTE);
});
afterAll(() => shop.close());

async function pos(method: string, at: string, body?: unknown) {
  const answer = await fetch(`${shop.url}/pos${at}`, {
    method,
    headers: { cookie: session, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

function reachedAt(publicUrl: string, more = {}) {
  return pos("PUT", "/receipt-pages", { ...SETTINGS, publicUrl, ...more });
}

async function makePath(): Promise<string> {
  await reachedAt(PUBLIC);
  const { url } = await pos("POST", `/sales/${saleId}/receipt-links`, { linkId: randomUUID() });
  return url.slice(PUBLIC.length);
}

describe("a customer's phone at the tills' port", () => {
  it("receives the page of its link, and the pictures and files of the page", async () => {
    await reachedAt(PUBLIC);
    const seen = await shop.ask(path, { headers: { host: "receipts.shop.example" } });
    expect(seen.status).toBe(200);
    expect(seen.text).toContain("Corner Shop");
    expect(seen.headers["cache-control"]).toBe("no-store");
    expect(seen.cookies).toEqual([]);
    const tapped = await shop.ask(path, {
      method: "POST",
      form: "line=0",
      headers: { origin: "null" },
    });
    expect(tapped.status).toBe(200);
    const proof = await shop.ask(`${path}/bill-0.pdf`);
    expect([proof.status, proof.text]).toEqual([404, expect.not.stringContaining("Corner")]);
  });

  it("receives nothing if the shop has no public address", async () => {
    await reachedAt("");
    const device = await shop.enrol("Till 2");
    for (const cookie of [undefined, device]) {
      for (const asked of [{}, { method: "POST", form: "line=0" }, { method: "PUT", json: {} }]) {
        const answer = await shop.ask(path, { ...asked, ...(cookie && { cookie }) });
        expect([answer.status, answer.text]).toEqual([
          404,
          expect.not.stringMatching(/Corner|Olga/),
        ]);
      }
    }
  });

  it("finds nothing else of the shop: no name, no catalog and no till", async () => {
    await reachedAt(PUBLIC);
    const link = { referer: PUBLIC + path, origin: PUBLIC };
    const others = [
      ["/", "/display", "/office", "/pos/session", "/pos/setup", "/pos/offers"],
      ["/v1/balance", "/docs"],
      ["/r", "/r/", "/r/../pos/setup", "/r/%2e%2e/pos/setup", "/r/x/../../pos/staff"],
      ["/r/wrong", "/r/wrong/bill-0.pdf", `${path}/x`, `${path}/x/y`, "/hooks/upstream/x"],
    ].flat();
    for (const other of others) {
      for (const headers of [{}, link]) {
        const { status, text, to, cookies } = await shop.ask(other, { headers });
        expect([other, status]).toEqual([other, expect.toBeOneOf([303, 403, 404])]);
        if (status === 303) expect(to).toBe("/enrol");
        expect([other, text]).toEqual([other, expect.not.stringMatching(/Corner|Olga|Amazon/i)]);
        expect(cookies).toEqual([]);
      }
    }
    expect((await shop.ask(path, { method: "DELETE" })).status).toBe(405);
    // The other network port does not serve the page.
    expect((await shop.ask(path, { port: shop.apiPort })).status).toBe(404);
  });

  it("has a limited number of guesses, and guessing does not affect tills or other customers", async () => {
    await reachedAt(PUBLIC);
    const device = await shop.enrol("Till 3");
    const from = "127.0.0.66";
    for (let n = 0; n < 30; n++) {
      expect((await shop.ask(`/r/${"a".repeat(32)}`, { from })).status).toBe(404);
    }
    expect((await shop.ask(path, { from })).status).toBe(429);
    expect((await shop.ask(path, { from: "127.0.0.67" })).status).toBe(200);
    expect((await shop.signIn(device)).status).toBe(200);
  });

  it("receives a notice if links are switched off", async () => {
    await reachedAt(PUBLIC, { enabled: false });
    const answer = await shop.ask(path);
    expect([answer.status, answer.text]).toEqual([410, expect.not.stringContaining("Corner")]);
  });
});

describe("a receipt address that makes browsers warn", () => {
  const ways = () => pos("GET", "/receipt-ways");

  it.each([
    "https://127.0.0.1:7444",
    "https://192.168.1.10:7444",
    "https://localhost",
    "https://shop-pc.local:7444",
  ])("belongs to the shop's network: %s", async (publicUrl) => {
    await reachedAt(publicUrl);
    expect(await ways()).toMatchObject({ reach: "NETWORK", warned: true });
    const { url } = await pos("POST", `/sales/${saleId}/receipt-links`, { linkId: randomUUID() });
    expect(url.startsWith(`${publicUrl}/r/`)).toBe(true);
  });

  it.each([PUBLIC, "https://1.2.3.4"])(
    "cannot be a publicly certified address: %s",
    async (publicUrl) => {
      await reachedAt(publicUrl);
      expect(await ways()).toMatchObject({ reach: "PUBLIC", warned: false });
    },
  );

  it("opens the page after the customer accepts the warning", async () => {
    await reachedAt(`https://127.0.0.1:${shop.tillPort}`);
    const { url } = await pos("POST", `/sales/${saleId}/receipt-links`, { linkId: randomUUID() });
    const { pathname } = new URL(url);
    expect((await shop.ask(pathname)).text).toContain("Corner Shop");
  });
});
