import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AttackedGateway, startAttackedGateway } from "../testing/attacked-gateway.ts";
import { type Reply, Visitor } from "../testing/visitor.ts";

/** Another clerk and a visitor search for the secrets of a clerk's sale. */

const SECRET = { length: 6 };
let shop: AttackedGateway;
let owner: Visitor;
let ana: Visitor;
let ben: Visitor;
let anasId: string;
let sale: { saleId: string; lines: object[]; tenders: object[] };
let shiftId: string;
let transactionIds: string[];
let iccid: string;
let secrets: string[];

beforeAll(async () => {
  shop = await startAttackedGateway();
  owner = new Visitor(shop.url);
  const setup = { shopName: "Corner Shop", currency: "USD", language: "en", ownerName: "Olga" };
  expect((await owner.setUp({ ...setup, ownerPin: "582931" })).status).toBe(200);
  ana = await hire("Ana", "1408");
  ben = await hire("Ben", "5064");
  shiftId = randomUUID();
  expect((await ana.pos("POST", "/shifts", { shiftId, float: 0 })).status).toBe(200);
  await ben.pos("POST", "/shifts", { shiftId: randomUUID(), float: 0 });
  await sellSecrets();
});
afterAll(() => shop.close());

async function hire(name: string, pin: string): Promise<Visitor> {
  const staffId = await owner.hire({ name, role: "clerk", pin });
  if (name === "Ana") anasId = staffId;
  const browser = new Visitor(shop.url);
  expect((await browser.signIn(staffId, pin)).status).toBe(200);
  return browser;
}

async function sellSecrets(): Promise<void> {
  const lines = [];
  for (const [productType, offerId] of [
    ["VOUCHER", "AMAZON_US_GIFT_25"],
    ["ESIM", "AIRALO_ES_1GB_7D"],
  ] as const) {
    const { price } = (await ana.pos("POST", "/quotes", { offerId })).body;
    lines.push({ productType, offerId, transactionId: randomUUID(), price: Number(price) });
  }
  const tendered = lines.reduce((sum, { price }) => sum + price, 0);
  sale = { saleId: randomUUID(), lines, tenders: [{ kind: "CASH", tendered }] };
  transactionIds = lines.map(({ transactionId }) => transactionId);
  expect((await ana.pos("POST", "/sales", sale)).status).toBe(200);
  await shop.advance(5_000);
  const { body } = await ana.pos("GET", `/sales/${sale.saleId}`);
  const [card, esim] = body.lines;
  iccid = esim.esim.iccid;
  secrets = [card.voucher.epin, esim.esim.activationCode, esim.esim.qrContent].filter(
    (text) => typeof text === "string" && text.length >= SECRET.length,
  );
  expect(secrets).toHaveLength(3);
}

function leaks({ text }: Pick<Reply, "text">): string[] {
  const bare = text.replaceAll(/[\s\u00a0\u202f-]/g, "");
  return secrets.filter((secret) => {
    const plain = secret.replaceAll(/[\s-]/g, "");
    return text.includes(secret) || bare.includes(plain) || text.includes(JSON.stringify(secret));
  });
}

function addressesOf(path: string): string[] {
  const values: Record<string, string[]> = {
    saleId: [sale.saleId],
    shiftId: [shiftId],
    transactionId: transactionIds,
    iccid: [iccid],
    iccId: [iccid],
    zNumber: ["1"],
    staffId: [anasId],
    code: ["22222222"],
    offerId: ["AMAZON_US_GIFT_25"],
    brand: ["AMAZON"],
  };
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const filled = names.reduce(
    (paths, name) =>
      paths.flatMap((one) =>
        (values[name] ?? ["1"]).map((value) => one.replace(`:${name}`, value)),
      ),
    [path],
  );
  const since = "since=2020-01-01T00:00:00.000Z";
  const queries = [
    "",
    "limit=50",
    "limit=50&offset=0",
    `limit=50&offset=0&${since}`,
    "_limit=50&_offset=0",
    `number=${iccid}`,
    "number=502",
    "environment=test",
    "needs=reprint",
    "country=US&brand=AMAZON",
    // Searches for half of a secret. The results must not reveal the other half.
    ...secrets.map((secret) => `number=${encodeURIComponent(secret.slice(0, secret.length / 2))}`),
  ];
  return filled.flatMap((one) => queries.map((query) => (query === "" ? one : `${one}?${query}`)));
}

async function walk(visitor: Visitor, under: string) {
  const leaking: string[] = [];
  const answered = new Set<string>();
  const walked = shop.paths.filter((path) => path.startsWith(under) && !path.includes("*"));
  expect(walked.length).toBeGreaterThan(20);
  for (const path of walked) {
    for (const address of addressesOf(path)) {
      const isStream = path.endsWith("/events");
      const reply = await visitor.ask("GET", address, isStream ? { quiet_ms: 300 } : {});
      if (reply.status === 200) answered.add(path);
      if (leaks(reply).length > 0) leaking.push(address);
    }
  }
  return { leaking, answered: [...answered].sort() };
}

it("no response to a colleague contains the secrets", async () => {
  const { leaking, answered } = await walk(ben, "/pos");
  expect(leaking).toEqual([]);
  expect(answered).toEqual(
    expect.arrayContaining(["/pos/events", "/pos/sales", "/pos/sales/:saleId", "/pos/recents"]),
  );
});

it("responses to an owner do not contain secrets that the owner has not revealed", async () => {
  expect((await walk(owner, "/pos")).leaking).toEqual([]);
});

it("a visitor receives only public data, and no secrets", async () => {
  const stranger = new Visitor(shop.url);
  const pos = await walk(stranger, "/pos");
  expect(pos).toEqual({
    leaking: [],
    answered: ["/pos/setup/currencies", "/pos/staff/names", "/pos/status"],
  });
  expect((await walk(stranger, "/v1")).leaking).toEqual([]);
});

it("no event stream contains the secrets, not even in its past events", async () => {
  for (const browser of [ben, owner, ana]) {
    for (const id of ["0", "1", "-1", "999999999", ""]) {
      const headers = { accept: "text/event-stream", "last-event-id": id };
      const reply = await browser.ask("GET", "/pos/events", { headers, quiet_ms: 700 });
      expect(leaks(reply)).toEqual([]);
    }
  }
});

it("a repeated sale or refund request does not reveal the secrets", async () => {
  const paths = [
    ["/sales", sale],
    [`/sales/${sale.saleId}/reveal`, {}],
    ["/sales/check", sale],
    [`/sales/${sale.saleId}/customer-refunds`, { customerRefundId: randomUUID(), kind: "CASH" }],
  ] as const;
  for (const [path, body] of paths) {
    const reply = await ben.pos("POST", path, body);
    expect([path, leaks(reply)]).toEqual([path, []]);
  }
  // Without the permission, a reveal asks for an approval.
  const refused = await ben.pos("POST", `/sales/${sale.saleId}/reveal`, {});
  expect(refused.body.errorCode).toBe("APPROVAL_REQUIRED");
});

it("printing secrets requires a permission that clerks lack, and each print is audited", async () => {
  const path = `/sales/${sale.saleId}/prints`;
  const { list } = (await owner.pos("GET", "/staff")).body;
  const { staffId } = list.find(({ name }: { name: string }) => name === "Ben");
  const allow = (reveal: boolean) =>
    owner.pos("PATCH", `/staff/${staffId}`, { ownRights: { reveal } });
  for (const language of ["", "?language=es"]) {
    const refused = await ben.pos("POST", path + language);
    expect([refused.body.errorCode, leaks(refused)]).toEqual(["APPROVAL_REQUIRED", []]);
  }
  await allow(true);
  for (let copies = 1; copies <= 3; copies++) {
    expect((await ben.pos("POST", path)).status).toBe(200);
    const trail = await owner.pos("GET", `/audit-trail?limit=200&staffId=${staffId}`);
    const printed = trail.body.list.filter(
      ({ action, subject }: { action: string; subject: string }) =>
        subject === sale.saleId && /^receipt\.(re)?print$/.test(action),
    );
    expect(printed).toHaveLength(copies);
  }
  await allow(false);
});

it("the responses to the seller no longer contain the secrets after some minutes", async () => {
  await shop.advance(15 * 60_000);
  const { staffId } = (await ana.pos("GET", "/staff/names")).body.list.find(
    ({ name }: { name: string }) => name === "Ana",
  );
  expect((await ana.signIn(staffId, "1408")).status).toBe(200);
  expect((await walk(ana, "/pos")).leaking).toEqual([]);
});
