import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AttackedGateway, startAttackedGateway } from "../testing/attacked-gateway.ts";
import { typeCommand } from "../testing/run-program.ts";
import { Visitor } from "../testing/visitor.ts";

const CODE = "K7QF29XM";
const LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const OWNER_PIN = "582931";
const CLERK_PIN = "5064";
const VIEW = {
  phase: "CONFIRM",
  shopName: "Corner Shop",
  language: "en",
  training: false,
  currency: "USD",
  currencyDivisor: 100,
  lines: [],
  total: 340,
};
let shop: AttackedGateway;
let owner: Visitor;

beforeAll(async () => {
  shop = await startAttackedGateway();
  owner = new Visitor(shop.url);
  const setup = { shopName: "Corner Shop", currency: "USD", language: "en", ownerName: "Olga" };
  expect((await owner.setUp({ ...setup, ownerPin: OWNER_PIN })).status).toBe(200);
  await hire("Ben");
});
afterAll(() => shop.close());

async function signIn(who: string, pin: string, till = new Visitor(shop.url)): Promise<Visitor> {
  const { list } = (await till.pos("GET", "/staff/names")).body;
  const { staffId } = list.find(({ name }: { name: string }) => name === who);
  expect((await till.signIn(staffId, pin)).status).toBe(200);
  return till;
}

async function hire(name: string): Promise<Visitor> {
  await owner.hire({ name, role: "clerk", pin: CLERK_PIN });
  return signIn(name, CLERK_PIN);
}

async function sendBytes(request: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(shop.url);
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.setEncoding("utf8").on("data", (part: string) => (text += part));
  socket.end(request);
  await once(socket, "close");
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text };
}

async function watch(visitor: Visitor, code: string): Promise<{ status: number; text: string }> {
  const headers = { accept: "text/event-stream" };
  return visitor.ask("GET", `/pos/displays/${code}/events`, { headers, quiet_ms: 300 });
}

it("the gateway refuses requests with foreign host names in any spelling", async () => {
  const { host } = new URL(shop.url);
  const get = (headers: string[]) =>
    sendBytes(`GET /pos/status HTTP/1.1\r\n${headers.join("\r\n")}\r\nConnection: close\r\n\r\n`);
  expect((await get([`Host: ${host}`])).status).toBe(200);
  for (const headers of [
    [`Host: evil.com@${host}`],
    [`Host: ${host}@evil.com`],
    ["Host: evil.com"],
    [`Host: ${host}`, "Host: evil.com"],
    ["Host: evil.com", `Host: ${host}`],
    [`Host: ${host}`, `Host: ${host}`],
    [`Host: ${host}`, "Origin: http://evil.com"],
  ]) {
    const { status, text } = await get(headers);
    expect([headers, [400, 403].includes(status), text.includes("Corner Shop")]).toEqual([
      headers,
      true,
      false,
    ]);
  }
});

it("guesses open no customer display, and after too many of them even the right code is refused", async () => {
  expect((await owner.pos("PUT", `/displays/${CODE}`, VIEW)).status).toBe(200);
  const stranger = new Visitor(shop.url);
  const answers = new Map<number, number>();
  for (let guess = 0; guess < 1_500; guess++) {
    const code = Array.from(
      { length: 8 },
      (_, at) => LETTERS[(guess * 7 + at * 11 + (guess >> at)) % LETTERS.length],
    ).join("");
    const { status } = await watch(stranger, code);
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
  expect([...answers.keys()].toSorted((a, b) => a - b)).toEqual([404, 429]);
  expect(answers.get(404)).toBeLessThanOrEqual(30);
  const right = await watch(stranger, CODE);
  expect([right.status, right.text.includes("340")]).toEqual([429, false]);
});

it("only the till that opened a display can write to it, even after a hundred other displays were opened", async () => {
  const code = `${CODE.slice(0, 7)}N`;
  expect((await owner.pos("PUT", `/displays/${code}`, VIEW)).status).toBe(200);
  const cleo = await hire("Cleo");
  const fake = await cleo.pos("PUT", `/displays/${code}`, { ...VIEW, shopName: "Pay me" });
  expect(fake.status).toBe(403);
  for (let n = 0; n < 101; n++) {
    const other = `AAAAAA${LETTERS[Math.floor(n / 30)]}${LETTERS[n % 30]}`;
    await cleo.pos("PUT", `/displays/${other}`, VIEW);
  }
  // After a minute, the earlier guesses no longer count.
  await shop.advance(60_000);
  const seen = await watch(new Visitor(shop.url), code);
  const names = ["Corner Shop", "Pay me"].map((name) => seen.text.includes(name));
  expect([seen.status, ...names]).toEqual([200, true, false]);
});

it("a session ends when another person signs in at the same till", async () => {
  const till = await signIn("Ben", CLERK_PIN);
  const before = new Map(till.cookies);
  await signIn("Olga", OWNER_PIN, till);
  const copied = new Visitor(shop.url);
  for (const [name, value] of before) copied.cookies.set(name, value);
  expect((await copied.pos("GET", "/session")).status).toBe(401);
  expect((await till.pos("GET", "/session")).status).toBe(200);
});

it("the gateway refuses printers outside the shop's network and on other ports, even for an owner", async () => {
  const printer = { name: "Front", host: "192.168.1.50", port: 9100, paper: "80mm", drawer: true };
  const save = (changes: object) =>
    owner.pos("PUT", "/printers/7d9d3f9e-3a53-4ec5-8f43-1d6d5f7f0a11", { ...printer, ...changes });
  for (const [field, changes] of [
    ["host", { host: "8.8.8.8" }],
    ["host", { host: "169.254.169.254" }],
    ["host", { host: "2001:4860:4860::8888" }],
    ["port", { port: 22 }],
    ["port", { port: 5432 }],
  ] as const) {
    const refused = await save(changes);
    expect([changes, refused.status, refused.text.includes(field)]).toEqual([changes, 400, true]);
  }
});

it("a text from an integrator is never a formula in the owner's spreadsheet", async () => {
  const made = await typeCommand(shop.dataDir, ["keys", "create", "--env", "test", "--name", "t"]);
  expect(made.stderr).toBe("");
  const headers = { authorization: `Bearer ${made.stdout.trim()}` };
  const v1 = (method: string, path: string, body?: object) =>
    owner.ask(method, path.startsWith("/v1") ? path : `/v1${path}`, { headers, body });
  const sold: string[] = [];
  for (const transactionId of ["=1+1", "a;=1+1", "＝1+1", "@SUM(A1)", "+A1", "-A1"]) {
    const body = {
      offerId: "TIGO_GT_TOPUP_25",
      transactionId,
      recipientPhoneNumber: "+50251234567",
    };
    if ((await v1("POST", "/topups/purchases", body)).status === 200) sold.push(transactionId);
  }
  expect(sold).not.toEqual([]);
  await shop.advance(10_000);
  const [at] = (await v1("GET", "/transactions?_limit=1&_offset=0")).body.list;
  const day = (days: number) =>
    new Date(Date.parse(at.createdAt) + days * 86_400_000).toISOString();
  const asked = await v1("POST", "/reports/transactions", { startGte: day(-1), endLt: day(1) });
  expect(asked.status).toBe(200);
  await shop.advance(10_000);
  const { reportId } = asked.body;
  const { text } = await v1(
    "GET",
    `/reports/transactions/${reportId}/transactions-${reportId}.csv`,
  );
  const cells = text.split("\r\n").flatMap((row) => row.split(/[,;]/));
  const formulas = cells.filter((cell) => /^"?[=＝@＠\t]|^"?[-+＋－][^0-9]/.test(cell));
  expect(cells.length).toBeGreaterThan(50);
  expect(formulas).toEqual([]);
});
