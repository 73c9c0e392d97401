import { randomUUID } from "node:crypto";
import { PNG } from "pngjs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, SECOND } from "../../../../lib/clock.ts";
import { type MailServerInTest, startMailServer } from "../../../../testing/mail-server.ts";
import { readPdf } from "../../../../testing/read-pdf.ts";
import { startTestGateway, type TestGateway } from "../../../../testing/test-gateway.ts";
import { openTill, type TestLine, type TestTill } from "../../../../testing/test-till.ts";
import words from "../page-words.json" with { type: "json" };

const PUBLIC = "https://receipts.shop.example";
const SETTINGS = { enabled: true, publicUrl: PUBLIC, keepDays: 30, detailsInMail: false };
const OFFER = "BLPC_BB_BILL_ELECTRICITY";
const ACCOUNT = "30001234567";
const CARD: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };

let till: TestGateway;
let owner: TestTill;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till, { timeZone: "America/Barbados" });
  await owner.pos("PUT", "/receipt-pages", SETTINGS);
});
afterEach(() => till.close());

async function payBill() {
  const fields = [{ key: "accountNumber", value: ACCOUNT }];
  const { body: bill } = await owner.pos("POST", "/bills", { offerId: OFFER, fields });
  const line: TestLine = { productType: "BILL_PAY", offerId: OFFER, fields, value: bill.value };
  const sold = await owner.sell([line, CARD]);
  expect(sold.status, JSON.stringify(sold.body)).toBe(200);
  await till.advance(2 * SECOND);
  const { saleId } = sold.body;
  const { body: sale } = await owner.pos("GET", `/sales/${saleId}`);
  expect(sale.lines[0]).toMatchObject({ outcome: "DELIVERED", due: bill.send });
  return { saleId: saleId as string, sale, bill };
}

async function makePath(saleId: string, language = "en") {
  const linkId = randomUUID();
  const path = `/sales/${saleId}/receipt-links`;
  const { body } = await owner.pos("POST", path, { linkId, language });
  return { path: (body.url as string).slice(PUBLIC.length), linkId };
}

async function save(path: string) {
  const answer = await fetch(till.url + path);
  const content = new Uint8Array(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, content };
}

const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;

describe("the proof of a paid bill", () => {
  it("states the biller, the account, the amount and the time below the shop's name and logo", async () => {
    const settings = (await owner.pos("GET", "/settings")).body;
    const receipt = { address: ["12 Bay Street"], support: ["Help: 246 555 0100"] };
    await owner.pos("PUT", "/settings", { ...settings, receipt });
    const logo = PNG.sync.write(new PNG({ width: 60, height: 30 })).toString("base64");
    expect((await owner.pos("PUT", "/shop/logo", { content: logo })).status).toBe(200);
    const { saleId, sale, bill } = await payBill();
    const { path } = await makePath(saleId);
    const page = await (await fetch(till.url + path)).text();
    const [, link] = /href="([^"]+)"[^>]*download>/.exec(page) ?? [];
    const { status, headers, content } = await save(`/r/${link}`);
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(headers.get("content-disposition")).toBe('attachment; filename="receipt-1-bill-1.pdf"');

    const read = await readPdf(content, "ltr");
    const [line] = sale.lines;
    const rows = read.pages.flat();
    expect(read).toMatchObject({ language: "en", pictures: 1 });
    expect(read.pages).toHaveLength(1);
    const head = [
      "Corner Shop",
      "12 Bay Street",
      "Help: 246 555 0100",
      words.en.proof,
      "Receipt no. 1",
    ];
    for (const text of [words.en.test, ...head]) expect(rows).toContainEqual([text]);
    const said = Object.fromEntries(rows.filter((row) => row.length === 2));
    expect(said).toMatchObject({
      Biller: line.brandName,
      Account: ACCOUNT,
      // Barbados dollars beside the shop's US dollars.
      "Amount due": dollars(bill.send).replace("$", "BBD "),
      "Paid to the biller": dollars(line.send).replace("$", "BBD "),
      "Paid to the shop": dollars(line.price),
      // The shop's time zone is four hours behind the test's clock.
      Delivered: expect.stringMatching(/^Jan 15, 2026, \d+:\d\d [AP]M$/),
      Confirmation: line.confirmationNumber,
      Transaction: line.transactionId,
      "Served by": "Olga",
    });
    expect(rows.flat().join(" ")).toContain("America/Barbados");
    const at = new Intl.DateTimeFormat("en", {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: "America/Barbados",
    });
    const time = at.format(new Date(line.finishedAt)).replaceAll(/\s/g, " ");
    expect(said.Delivered).toBe(time);
  });

  it("uses the customer's language, from right to left in Arabic", async () => {
    const { saleId, sale } = await payBill();
    const { path } = await makePath(saleId, "ar");
    const { content } = await save(`${path}/bill-0.pdf`);
    const read = await readPdf(content, "rtl");
    const rows = read.pages.flat();
    const { ar } = words;
    expect(read.language).toBe("ar");
    expect(rows).toContainEqual([ar.proof]);
    expect(rows).toContainEqual([ar.account, ACCOUNT]);
    expect(rows).toContainEqual([ar.biller, sale.lines[0].brandName]);
    expect(rows.flat()).not.toContain(ar.unreadable);
  });

  it("can be downloaded only while its page is open, and does not count as a view", {
    tags: ["thorough"],
  }, async () => {
    await owner.pos("PUT", "/receipt-pages", { ...SETTINGS, keepDays: 1 });
    const { saleId } = await payBill();
    const { path, linkId } = await makePath(saleId);
    const seen = await save(`${path}/bill-0.pdf`);
    for (const [name, value] of [
      ["cache-control", "no-store"],
      ["x-robots-tag", "noindex, nofollow, noarchive"],
      ["referrer-policy", "no-referrer"],
    ] as const) {
      expect(seen.headers.get(name)).toBe(value);
    }
    for (const file of ["bill-1.pdf", "bill-2.pdf", "bill-0.txt"]) {
      expect((await save(`${path}/${file}`)).status).toBe(404);
    }
    expect((await save(`/r/${"x".repeat(32)}/bill-0.pdf`)).status).toBe(404);
    const list = `/sales/${saleId}/receipt-links`;
    expect((await owner.pos("GET", list)).body.links).toMatchObject([{ views: 1 }]);

    await owner.pos("PUT", "/receipt-pages", { ...SETTINGS, enabled: false });
    expect((await save(`${path}/bill-0.pdf`)).status).toBe(410);
    await owner.pos("PUT", "/receipt-pages", { ...SETTINGS, keepDays: 1 });
    await owner.pos("DELETE", `${list}/${linkId}`);
    expect((await save(`${path}/bill-0.pdf`)).status).toBe(410);
    const other = (await makePath(saleId)).path;
    await till.advance(DAY);
    expect((await save(`${other}/bill-0.pdf`)).status).toBe(410);
  });

  it("can be drawn for a few customers at a time; other customers see the page and may try again", {
    tags: ["thorough"],
  }, async () => {
    const { saleId } = await payBill();
    const { path } = await makePath(saleId);
    const answers = await Promise.all(Array.from({ length: 8 }, () => save(`${path}/bill-0.pdf`)));
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(5);
    expect((await save(path)).status).toBe(200);
  });
});

describe("a mail that is the receipt itself", () => {
  let server: MailServerInTest;
  beforeEach(async () => {
    server = await startMailServer();
    const place = { host: "127.0.0.1", port: server.port, security: "NONE" };
    const mail = { ...place, user: "shop", password: "secret", from: "till@shop.example" };
    await owner.pos("PUT", "/mail", mail);
  });
  afterEach(() => server.close());

  it("has the proof attached only if it contains no link to the page", {
    tags: ["thorough"],
  }, async () => {
    const { saleId } = await payBill();
    for (const [index, publicUrl] of ["", PUBLIC].entries()) {
      await owner.pos("PUT", "/receipt-pages", { ...SETTINGS, publicUrl });
      const body = { sendingId: randomUUID(), to: "ana@example.com" };
      await owner.pos("POST", `/sales/${saleId}/receipt-sendings`, body);
      await expect
        .poll(async () => {
          await till.settle();
          return server.mails.length;
        })
        .toBe(index + 1);
    }
    const [whole, linked] = server.mails.map(({ source }) => source);
    expect(linked).not.toContain("application/pdf");
    const [, part = ""] =
      /filename=receipt-1-bill-1\.pdf\r\n\r\n([\w+/=\r\n]+)/.exec(whole ?? "") ?? [];
    const read = await readPdf(new Uint8Array(Buffer.from(part, "base64")), "ltr");
    expect(read.pages.flat()).toContainEqual(["Account", ACCOUNT]);
  });
});
