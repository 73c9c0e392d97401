import { randomUUID } from "node:crypto";
import { PNG } from "pngjs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildApp } from "../../../gateway/app.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";
import { hashToken } from "./link-store.ts";

const PUBLIC = "https://receipts.shop.example";
const VOUCHER: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };
const SLOW: TestLine = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251239003" };

let till: TestGateway;
let owner: TestTill;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
});
afterEach(() => till.close());

const SETTINGS = { enabled: true, publicUrl: PUBLIC, keepDays: 30, detailsInMail: false };

async function isPublic(change: Partial<typeof SETTINGS> = {}) {
  const answer = await owner.pos("PUT", "/receipt-pages", { ...SETTINGS, ...change });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

async function sellVoucher(by = owner) {
  const sold = await by.sell([VOUCHER]);
  expect(sold.status, JSON.stringify(sold.body)).toBe(200);
  await till.settle();
  await till.advance(SECOND);
  const { saleId } = sold.body;
  const sale = (await by.pos("GET", `/sales/${saleId}`)).body;
  const pin = sale.lines[0].voucher.epin as string;
  expect(pin).toMatch(/\w{6}/);
  return { saleId: saleId as string, pin };
}

function makeLink(by: TestTill, saleId: string, more: object = {}) {
  return by.pos("POST", `/sales/${saleId}/receipt-links`, { linkId: randomUUID(), ...more });
}

async function makePath(by: TestTill, saleId: string, more: object = {}) {
  const { status, body } = await makeLink(by, saleId, more);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.url.startsWith(`${PUBLIC}/r/`)).toBe(true);
  return (body.url as string).slice(PUBLIC.length);
}

function plain(page: string): string {
  return page.replaceAll("</span><wbr><span>", "");
}

/** Opens the page like a customer's phone, which has only the link. */
async function look(path: string) {
  const answer = await fetch(till.url + path, { headers: { host: "receipts.shop.example" } });
  return { status: answer.status, headers: answer.headers, text: plain(await answer.text()) };
}

async function tap(path: string, line = "0") {
  const answer = await fetch(till.url + path, {
    method: "POST",
    // A browser sends this origin from a page without referrer.
    headers: { origin: "null" },
    body: new URLSearchParams({ line }),
  });
  return { status: answer.status, text: plain(await answer.text()) };
}

async function trail(action: string) {
  const rows = await till.gateway.context.db
    .selectFrom("audit_trail")
    .select(["staff_id", "subject", "detail_json"])
    .where("action", "=", action as never)
    .execute();
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail_json) as object }));
}

describe("the page of a receipt", () => {
  it("shows the sale to anyone with the link, and the PIN only after a tap, which is recorded", async () => {
    await isPublic();
    const { saleId, pin } = await sellVoucher();
    const path = await makePath(owner, saleId);
    const seen = await look(path);
    expect(seen.status).toBe(200);
    expect(seen.text).toContain("Corner Shop");
    expect(seen.text).toContain("TEST — NO VALUE");
    expect(seen.text).not.toContain(pin);
    expect(await trail("receipt.page-details")).toEqual([]);

    const shown = await tap(path);
    expect(shown.text).toContain(pin);
    expect(await trail("receipt.page-details")).toMatchObject([
      { staff_id: null, subject: saleId, detail: { environment: "test" } },
    ]);
    await look(path);
    const { links } = (await owner.pos("GET", `/sales/${saleId}/receipt-links`)).body;
    expect(links).toMatchObject([{ views: 2, detailsShown: 1, madeBy: "Olga" }]);
    expect(links[0].url).toBeUndefined();
    // A tap on a line that does not exist reveals nothing.
    expect((await tap(path, "7")).text).not.toContain(pin);
  });

  it("counts every view, except automatic reloads while a line is unfinished", async () => {
    await isPublic();
    const { saleId } = (await owner.sell([SLOW])).body;
    await till.settle();
    const path = await makePath(owner, saleId);
    const views = async () => {
      const { links } = (await owner.pos("GET", `/sales/${saleId}/receipt-links`)).body;
      return links.map((link: { views: number }) => link.views).toSorted();
    };
    const nextOf = (headers: Headers) =>
      /^20; url=(\?again=.+)$/.exec(headers.get("refresh") ?? "")?.[1] ?? "none";
    // The first request counts as a view, even with `?again`.
    let next = nextOf((await look(`${path}?again`)).headers);
    expect(await views()).toEqual([1]);
    const first = next;
    for (let n = 0; n < 4; n++) {
      till.clock.set(till.clock.now() + 20 * SECOND);
      next = nextOf((await look(path + next)).headers);
    }
    expect(await views()).toEqual([1]);
    // The address of a reload has a mark, which is valid for one link and a short time. Without a
    // valid mark, a request counts as a view.
    await look(path + first);
    expect(await views()).toEqual([2]);
    await look(path);
    expect(await views()).toEqual([3]);
    const other = await makePath(owner, saleId, { language: "es" });
    await look(other + next);
    expect(await views()).toEqual([1, 3]);
    till.clock.set(till.clock.now() + 2 * MINUTE);
    await look(path + next);
    expect(await views()).toEqual([1, 4]);
    // The page of a delivered sale does not reload. A mark does not prevent the count.
    await till.advance(HOUR);
    const done = await look(`${path}?again`);
    expect([done.status, nextOf(done.headers)]).toEqual([200, "none"]);
    expect(await views()).toEqual([1, 5]);
  });

  it("loads all logos from its own address and contacts no other host", async () => {
    await isPublic();
    const { saleId } = await sellVoucher();
    const path = await makePath(owner, saleId);
    const drawn = await look(path);
    expect(drawn.text).toMatch(/<svg class="face"[^>]*aria-hidden="true">/);
    expect(drawn.text).not.toMatch(/<img|https?:\/\//);
    expect(drawn.text).not.toContain("Plex");

    const [of, shop] = [64, 32].map((side) => PNG.sync.write(new PNG({ width: side, height: 32 })));
    await owner.pos("PUT", "/shop/logo", { content: shop!.toString("base64") });
    const face = { content: of!.toString("base64"), rightConfirmed: true };
    expect((await owner.pos("PUT", "/brand-logos/AMAZON", face)).status).toBe(200);
    const { text, headers } = await look(path);
    const pictures = [...text.matchAll(/<img [^>]*src="([^"]+)"/g)].map(([, src]) => src ?? "");
    expect(pictures).toHaveLength(2);
    expect(headers.get("content-security-policy")).toContain("img-src 'self'");
    for (const [at, bytes] of [shop, of].entries()) {
      const address = new URL(pictures[at]!, `https://receipts.shop.example${path}`);
      expect(address.pathname.startsWith(`${path}/picture-`)).toBe(true);
      const served = await fetch(till.url + address.pathname);
      expect(Buffer.from(await served.arrayBuffer()).equals(bytes!)).toBe(true);
      expect(served.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    }
    const { links } = (await owner.pos("GET", `/sales/${saleId}/receipt-links`)).body;
    expect(links[0].views).toBe(2);
    // The page serves no other pictures, and no picture after the link has ended.
    expect((await fetch(`${till.url}${path}/picture-${"0".repeat(64)}`)).status).toBe(404);
    await owner.pos("DELETE", `/sales/${saleId}/receipt-links/${links[0].linkId}`);
    expect((await fetch(`${till.url}/r/${pictures[0]}`)).status).toBe(410);
  });

  it("cannot be cached or indexed, and sends no referrer", async () => {
    await isPublic();
    const path = await makePath(owner, (await sellVoucher()).saleId);
    for (const at of [path, "/r/x"]) {
      const { headers } = await look(at);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-robots-tag")).toContain("noindex");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';/);
      expect(headers.get("content-security-policy")).not.toContain("unsafe");
    }
  });

  it("becomes unavailable after its link expires or is withdrawn, and while an owner has switched pages off", async () => {
    await isPublic({ keepDays: 2 });
    const { saleId } = await sellVoucher();
    const [one, two] = [
      await makePath(owner, saleId),
      await makePath(owner, saleId, { language: "es" }),
    ];
    const { links } = (await owner.pos("GET", `/sales/${saleId}/receipt-links`)).body;
    for (const { linkId } of links.slice(0, 1)) {
      await owner.pos("DELETE", `/sales/${saleId}/receipt-links/${linkId}`);
    }
    expect([(await look(one)).status, (await look(two)).status].toSorted((a, b) => a - b)).toEqual([
      200, 410,
    ]);
    await isPublic({ keepDays: 2, enabled: false });
    expect((await look(one)).status).toBe(410);
    await isPublic({ keepDays: 2 });
    await till.advance(2 * DAY);
    const gone = await look(one);
    expect([gone.status, (await look(two)).status]).toEqual([410, 410]);
    expect(gone.text).toContain("can no longer be opened");
    expect((await tap(one)).status).toBe(410);
  });

  it("has an address with a token, and only the token's hash is stored", async () => {
    await isPublic();
    const { saleId } = await sellVoucher();
    const token = (await makePath(owner, saleId)).slice("/r/".length);
    expect(token).toMatch(/^[A-Za-z0-9_-]{32}$/);
    const other = (await makePath(owner, saleId, { language: "es" })).slice("/r/".length);
    expect(other).not.toBe(token);
    const { db } = till.gateway.context;
    const rows = await db.selectFrom("receipt_links").selectAll().execute();
    expect(rows.map((row) => row.token_hash)).toContain(hashToken(token));
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(await db.selectFrom("audit_trail").selectAll().execute())).not.toContain(
      token,
    );
  });

  it("keeps one link per id, and the id cannot be used for another sale", async () => {
    await isPublic();
    const { saleId } = await sellVoucher();
    const linkId = randomUUID();
    const [one, two] = [
      await makeLink(owner, saleId, { linkId }),
      await makeLink(owner, saleId, { linkId }),
    ];
    expect(one.body.url).toBe(two.body.url);
    expect(await trail("receipt.link")).toHaveLength(1);
    const other = await sellVoucher();
    expect((await makeLink(owner, other.saleId, { linkId })).body.errorCode).toBe("ID_TAKEN");
  });

  it("has one link for repeated requests, until half of the link's lifetime has passed", async () => {
    await isPublic();
    const { saleId } = await sellVoucher();
    const first = await makePath(owner, saleId);
    await till.advance(5 * MINUTE);
    expect(await makePath(owner, saleId)).toBe(first);
    expect(await makePath(owner, saleId, { language: "fr" })).not.toBe(first);
    expect(await trail("receipt.link")).toHaveLength(2);
    till.clock.set(till.clock.now() + 16 * DAY);
    owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
    const second = await makePath(owner, saleId);
    expect(second).not.toBe(first);
    expect([(await look(first)).status, (await look(second)).status]).toEqual([200, 200]);
    const { links } = (await owner.pos("GET", `/sales/${saleId}/receipt-links`)).body;
    for (const { linkId } of links) {
      await owner.pos("DELETE", `/sales/${saleId}/receipt-links/${linkId}`);
    }
    expect([(await look(first)).status, (await look(second)).status]).toEqual([410, 410]);
    expect([first, second]).not.toContain(await makePath(owner, saleId));
  });

  it("has all its open links in the list, however many there are", async () => {
    await isPublic();
    const { saleId } = await sellVoucher();
    const first = await makePath(owner, saleId);
    const server = { host: "127.0.0.1", port: 1, security: "NONE", user: "", password: "" };
    await owner.pos("PUT", "/mail", { ...server, from: "till@shop.example" });
    for (let n = 0; n < 22; n++) {
      await till.advance(1);
      const body = { sendingId: randomUUID(), to: `ana${n}@example.com` };
      await owner.pos("POST", `/sales/${saleId}/receipt-sendings`, body);
    }
    const path = `/sales/${saleId}/receipt-links`;
    const { links } = (await owner.pos("GET", path)).body;
    expect(links).toHaveLength(23);
    await owner.pos("DELETE", `${path}/${links.at(-1).linkId}`);
    expect((await look(first)).status).toBe(410);
  });

  it("limits guesses of links", async () => {
    await isPublic();
    const path = await makePath(owner, (await sellVoucher()).saleId);
    const app = await buildApp(till.gateway.context);
    const ask = async (url: string, remoteAddress: string, by = {}) =>
      (await app.inject({ url, remoteAddress, headers: by })).statusCode;
    try {
      for (let n = 0; n < 30; n++) expect(await ask("/r/wrong", "192.168.1.66")).toBe(404);
      expect(await ask(path, "192.168.1.66")).toBe(429);
      expect(await ask(path, "192.168.1.67")).toBe(200);
      // Behind a proxy on this machine, the forwarded address counts.
      for (let n = 0; n < 30; n++) {
        await ask("/r/wrong", "127.0.0.1", { "x-forwarded-for": `1.2.3.${n}, 9.9.9.9` });
      }
      expect(await ask(path, "127.0.0.1", { "x-forwarded-for": "9.9.9.9" })).toBe(429);
      expect(await ask(path, "127.0.0.1", { "x-forwarded-for": "9.9.9.8" })).toBe(200);
      await till.advance(MINUTE);
      expect(await ask(path, "192.168.1.66")).toBe(200);
    } finally {
      await app.close();
    }
  });

  it("cannot be opened by phones if the gateway listens only locally, and the till's data states this", async () => {
    expect((await owner.pos("GET", "/receipt-ways")).body).toMatchObject({ reach: "NONE" });
    const { saleId } = await sellVoucher();
    expect((await makeLink(owner, saleId)).body.url).toBeUndefined();
    await isPublic();
    expect((await owner.pos("GET", "/receipt-ways")).body).toMatchObject({ reach: "PUBLIC" });
  });
});

describe("the creator of a link", () => {
  async function signInClerk(name: string, pin: string) {
    const { staffId } = (await owner.pos("POST", "/staff", { name, role: "clerk", pin })).body;
    return owner.signIn(staffId, pin);
  }

  it("needs no permission for an own sale until details are hidden", async () => {
    await isPublic();
    const clerk = await signInClerk("Ana", "1739");
    const { saleId } = await sellVoucher(clerk);
    expect((await makeLink(clerk, saleId)).status).toBe(200);
    expect(await trail("sale.reveal")).toEqual([]);
    await till.advance(11 * MINUTE);
    const refused = await makeLink(clerk, saleId);
    expect([refused.body.errorCode, refused.body.fields.right]).toEqual([
      "APPROVAL_REQUIRED",
      "reveal",
    ]);
    expect((await makeLink(owner, saleId)).status).toBe(200);
    expect(await trail("sale.reveal")).toMatchObject([
      { subject: saleId, staff_id: owner.staffId },
    ]);
  });

  it("cannot be a colleague without approval, even for a new sale", async () => {
    await isPublic();
    const [ana, ben] = [await signInClerk("Ana", "1739"), await signInClerk("Ben", "2846")];
    const { saleId } = await sellVoucher(ana);
    const refused = await makeLink(ben, saleId);
    expect(refused.body.errorCode).toBe("APPROVAL_REQUIRED");
    expect(refused.body.fields.needs).toContain("reveal");
    expect(await till.gateway.context.db.selectFrom("receipt_links").selectAll().execute()).toEqual(
      [],
    );
  });
});

it.each([
  ["publicUrl", { publicUrl: "javascript:alert(1)" }],
  ["publicUrl", { publicUrl: "https://shop.example/r?x=1" }],
  ["publicUrl", { publicUrl: "http://receipts.shop.example" }],
  ["publicUrl", { publicUrl: "http://192.168.1.10:8787" }],
  ["publicUrl", { publicUrl: "http://127.0.0.1.shop.example" }],
  ["keepDays", { keepDays: 0 }],
  ["keepDays", { keepDays: 366 }],
])(
  "saving invalid settings of receipt pages returns an error that names the field: %s",
  async (field, change) => {
    const answer = await owner.pos("PUT", "/receipt-pages", { ...SETTINGS, ...change });
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, [field]]);
  },
);
