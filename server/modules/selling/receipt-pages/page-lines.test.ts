import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { splitBill } from "../../../contract/pos/bill-amounts.ts";
import { HOUR, SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";
import words from "./page-words.json" with { type: "json" };

const PUBLIC = "https://receipts.shop.example";
const SETTINGS = { enabled: true, publicUrl: PUBLIC, keepDays: 30, detailsInMail: false };
const CARD: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };
const ESIM: TestLine = { productType: "ESIM", offerId: "AIRALO_ES_1GB_7D" };
const BILL = "BLPC_BB_BILL_ELECTRICITY";

let till: TestGateway;
let owner: TestTill;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  await owner.pos("PUT", "/receipt-pages", SETTINGS);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await till.close();
});

async function sell(line: TestLine, tendered?: number) {
  const sold = await owner.sell([line], tendered);
  expect(sold.status, JSON.stringify(sold.body)).toBe(200);
  await till.advance(2 * SECOND);
  return (await owner.pos("GET", `/sales/${sold.body.saleId}`)).body;
}

async function linkTo(saleId: string, language = "en"): Promise<string> {
  const body = { linkId: randomUUID(), language };
  const { url } = (await owner.pos("POST", `/sales/${saleId}/receipt-links`, body)).body;
  return till.url + (url as string).slice(PUBLIC.length);
}

function read(page: string): string {
  return page
    .replace(/<style>.*?<\/style>/s, "")
    .replaceAll(/<svg class="face".*?<\/svg>/gs, "")
    .replaceAll(/<\/?(?:bdi|span|wbr|a)\b[^>]*>/g, "")
    .replaceAll(/<[^>]+>/g, "\n")
    .replaceAll(/[ \n]*\n[ \n]*/g, "\n");
}

async function readPage(saleId: string, language?: string): Promise<string> {
  return (await fetch(await linkTo(saleId, language))).text();
}

async function shownPage(saleId: string, language?: string): Promise<string> {
  const body = new URLSearchParams({ line: "0" });
  return (await fetch(await linkTo(saleId, language), { method: "POST", body })).text();
}

const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;

describe("a voucher on the receipt page", () => {
  it.each(["en", "ar"] as const)(
    "shows each of its explanations once, under one heading, in the language %s",
    async (language) => {
      const sale = await sell(CARD);
      const { instructions, providerInstructions, terms } = sale.lines[0].voucher;
      expect(instructions !== "" && providerInstructions !== "" && terms !== "").toBe(true);
      const page = await shownPage(sale.saleId, language);
      for (const heading of [words[language].howTo, words[language].terms]) {
        expect([heading, page.split(`<h3>${heading}</h3>`).length - 1]).toEqual([heading, 1]);
      }
      const texts = page.match(/<p class="text"[^>]*>.*?<\/p>/gs) ?? [];
      expect(new Set(texts).size).toBe(texts.length);
    },
  );

  it("shows its PIN in groups of four, without characters that would also be copied", async () => {
    const sale = await sell(CARD);
    const { epin } = sale.lines[0].voucher;
    const page = await shownPage(sale.saleId);
    const code = /<code [^>]*id="pin0"[^>]*>(.*?)<\/code>/s.exec(page)?.[1] ?? "";
    const groups = [...code.matchAll(/<span>(.*?)<\/span>/g)].map(([, group]) => group ?? "");
    expect(groups.slice(0, -1).every((group) => group.length === 4)).toBe(true);
    expect(groups.length).toBeGreaterThan(1);
    expect(code.replaceAll(/<[^>]+>/g, "")).toBe(epin);
  });

  it("shows its expiry in the shop's time zone and names the zone, regardless of the machine's zone", async () => {
    await till.advance(14 * HOUR);
    owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
    const sale = await sell(CARD);
    expect(sale.lines[0].voucher.expiresAt).toMatch(/^2027-01-15T23:30:/);
    const settings = (await owner.pos("GET", "/settings")).body;
    for (const [timeZone, expiry] of [
      ["America/Guatemala", "Jan 15, 2027, 5:30 PM GMT-6"],
      ["Asia/Tokyo", "Jan 16, 2027, 8:30 AM GMT+9"],
    ] as const) {
      expect((await owner.pos("PUT", "/settings", { ...settings, timeZone })).status).toBe(200);
      for (const machineZone of ["UTC", "Pacific/Honolulu", "Pacific/Kiritimati"]) {
        vi.stubEnv("TZ", machineZone);
        expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(machineZone);
        const text = read(await shownPage(sale.saleId)).replaceAll(/\s/g, " ");
        expect(text).toContain(` Valid until ${expiry} `);
      }
    }
  });
});

it("an eSIM on the receipt page names its country in the customer's language", async () => {
  const sale = await sell(ESIM);
  expect(read(await readPage(sale.saleId))).toContain("\nWorks in Spain\n");
  expect(await readPage(sale.saleId, "fr")).toContain("Espagne");
  expect(await readPage(sale.saleId, "ar")).toContain("إسبانيا");
});

it("the receipt page shows the change below the tendered cash", async () => {
  const sale = await sell(CARD, 10_000);
  const text = read(await readPage(sale.saleId));
  const change = dollars(10_000 - sale.total);
  expect(text).toContain(`Total${dollars(sale.total)}`);
  expect(text).toMatch(new RegExp(`Cash\\s*\\$100\\.00\\s*Change\\s*\\${change}`));
});

it("the receipt page shows a bill's amount and fee, which add up to the price", async () => {
  const fields = [{ key: "accountNumber", value: "30001234567" }];
  const { body: bill } = await owner.pos("POST", "/bills", { offerId: BILL, fields });
  const line = { productType: "BILL_PAY", offerId: BILL, fields, value: bill.value } as TestLine;
  const sale = await sell(line);
  const [{ price, fee }] = sale.lines;
  expect(fee).toBe(splitBill(bill).fee);
  expect(fee).toBeGreaterThan(0);
  const text = read(await readPage(sale.saleId));
  expect(text).toMatch(
    new RegExp(`Amount due\\s*\\${dollars(price - fee)}\\s*Service fee\\s*\\${dollars(fee)}`),
  );
});

it("the receipt page shows an eSIM's QR code with a white border of four modules, even on a dark page", async () => {
  const sale = await sell(ESIM);
  const page = await shownPage(sale.saleId);
  const [, left, top, width, height] = (
    /<svg class="qr" viewBox="(\S+) (\S+) (\S+) (\S+)"/.exec(page) ?? []
  ).map(Number);
  const dots = [...page.matchAll(/M(\d+) (\d+)h1v1h-1z/g)];
  const most = Math.max(...dots.flatMap(([, x, y]) => [Number(x), Number(y)]));
  expect([left, top, width, height]).toEqual([-4, -4, most + 9, most + 9]);
  expect(page).toMatch(/\.qr\{[^}]*background:#fff\}/);
});
