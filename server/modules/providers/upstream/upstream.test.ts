import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../../testing/fake-upstream.ts";
import { readKept } from "../../../testing/kept-bytes.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { runProgram } from "../../../testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

const KEY = "test_a-secret-of-the-upstream-0123456789";

let till: TestGateway;
let owner: TestTill;
let upstream: FakeUpstream;

beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  upstream = await startFakeUpstream(till.clock);
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
  await upstream.close();
});

function connect(change: object = {}) {
  const body = { baseUrl: `${upstream.url}/v1/`, key: KEY, allowPrivate: true, ...change };
  return owner.pos("PUT", "/upstream", body);
}

async function buyLive(transactionId: string) {
  const body = {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId,
    recipientPhoneNumber: "+50251234567",
  };
  await till.v1("POST", "/topups/purchases", body, "live");
  await till.settle();
  await till.gateway.context.engine.idle();
  return (await till.v1("GET", `/topups/purchases/${transactionId}`, undefined, "live")).body;
}

describe("the live environment", () => {
  it("fails purchases until a provider is connected", async () => {
    await giveLiveCatalog(till, ["TIGO_GT_TOPUP_25"]);
    const recharged = await owner.pos("POST", "/wallet/recharges", {
      rechargeId: randomUUID(),
      environment: "live",
      amount: 5000,
    });
    expect(recharged.body).toMatchObject({ environment: "live", available: 5000, held: 0 });
    expect((await buyLive("none")).error.code).toBe("PROVIDER_NOT_CONFIGURED");
    const connected = await connect();
    expect(connected.body).toMatchObject({
      upstream: 500_000,
      available: 5000,
      difference: 495_000,
    });
    expect((await buyLive("one")).status).toBe("IN_PROGRESS");
    expect(upstream.books.size).toBe(1);
    const recharge = (
      await till.v1(
        "GET",
        "/transactions?_limit=9&_offset=0&productType=WALLET_RECHARGE",
        undefined,
        "live",
      )
    ).body;
    expect(recharge.list).toMatchObject([
      { productType: "RECHARGE_WITH_CREDIT_CARD", amount: 5000 },
    ]);

    const other = await connect({ baseUrl: "http://127.0.0.1:9" });
    expect([other.status, other.body.message]).toEqual([
      400,
      expect.stringMatching(/^1 purchases are still under way/),
    ]);
    expect((await connect()).status).toBe(200);

    expect((await owner.pos("DELETE", "/upstream")).body.connected).toBe(false);
    expect((await buyLive("after")).error.code).toBe("PROVIDER_NOT_CONFIGURED");
    expect((await owner.pos("DELETE", "/upstream")).status).toBe(404);
    await connect();
    await till.advance(60_000);
    expect((await till.v1("GET", "/topups/purchases/one", undefined, "live")).body.status).toBe(
      "DONE",
    );
  });
});

describe("the live environment without a provider and without offers", () => {
  it("returns PROVIDER_NOT_CONFIGURED instead of an error about an unknown offer", async () => {
    const body = {
      offerId: "TIGO_GT_TOPUP_25",
      transactionId: "nobody",
      recipientPhoneNumber: "+50251234567",
    };
    const answer = await till.v1("POST", "/topups/purchases", body, "live");
    expect([answer.status, answer.body.errorCode]).toEqual([400, "PROVIDER_NOT_CONFIGURED"]);
    await connect();
    const unknown = await till.v1("POST", "/topups/purchases", body, "live");
    expect(unknown.body.errorCode).toBe("OFFER_NOT_FOUND");
  });
});

describe("a connection to a provider", () => {
  it.each([
    ["at no URL", { baseUrl: "office" }, 400, /The URL is not a URL/],
    [
      "with a password in its URL",
      { baseUrl: "https://a:b@example.com" },
      400,
      /must not hold a name/,
    ],
    ["in the clear", { allowPrivate: false }, 400, /must begin with https/],
    ["with half a key", { key: "short" }, 400, /The key must be 8 to 512/],
    ["where nothing listens", { baseUrl: "http://127.0.0.1:9" }, 503, /Nothing listens there/],
    ["at an address of the cloud's", { baseUrl: "http://169.254.169.254" }, 503, /link-local/],
    ["that is no gateway", { baseUrl: "REPLACED" }, 503, /its balance cannot be read/],
    ["in another currency", { baseUrl: "EUR" }, 400, /kept in EUR, yours in USD/],
  ])("fails %s", async (_, change, status, words) => {
    const marked = "baseUrl" in change ? change.baseUrl : "";
    if (marked === "REPLACED") upstream.balance = { balance: 1 };
    if (marked === "EUR") upstream.balance = { availableBalance: 1, currency: "EUR" };
    const named = marked === "REPLACED" || marked === "EUR";
    const answer = await connect(named ? {} : change);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(words)]);
    expect((await owner.pos("GET", "/upstream")).body).toMatchObject({ connected: false });
  });
});

describe("the provider's key", () => {
  it("appears in no response, output or argument, and is unreadable in the database", {
    tags: ["thorough"],
  }, async () => {
    const directory = mkdtempSync(join(tmpdir(), "tillgate-key-"));
    const file = join(directory, "key");
    writeFileSync(file, `${KEY}\n`);
    const env = {
      TILLGATE_DATA: till.dataDir,
      ...(till.database !== undefined && { TILLGATE_DATABASE: till.database }),
    };
    const run = async (line: string, input = "") => {
      const finished = await runProgram("admin/tillgate.ts", line.split(" "), { env, input });
      return `${finished.exitCode}${finished.stdout}${finished.stderr}`;
    };
    const url = `--env live --url ${upstream.url} --allow-private yes`;
    const said = [
      await run(`upstream connect ${url}`, `${KEY}\n`),
      await run(`upstream connect ${url} --key-file ${file} --json`),
      await run("upstream status --env live"),
      await run("upstream test --env live --json"),
      JSON.stringify((await owner.pos("GET", "/upstream")).body),
    ];
    expect(said[0]).toMatch(
      /^0Connected\. .*\nIts balance is 5000\.00 USD; your wallet has 0\.00 USD/,
    );
    expect(said[2]).toContain(`Connected to ${upstream.url}.`);
    expect(await run(`upstream connect ${url}`)).toMatch(/^1The key is required/);
    expect(await run("upstream connect --env test --url https://x.example", KEY)).toMatch(
      /^1A gateway is connected to the live environment; the test environment has its simulator/,
    );
    expect(await run(`upstream connect ${url} --key ${KEY}`)).toMatch(
      /^1There is no option --key;/,
    );
    for (const text of [...said, await readKept(till)]) expect(text).not.toContain(KEY);
    expect(await run("upstream disconnect --env live")).toBe("0Disconnected.\n");
    expect(await run("upstream test --env live")).toMatch(/^1No gateway is connected/);
    rmSync(directory, { recursive: true });
  });
});

describe("the provider's webhooks", () => {
  const SECRET = `whsec_${Buffer.from("a secret of twenty-four.").toString("base64")}`;

  it("trigger a status query if they are signed, recent and about an open purchase", async () => {
    await giveLiveCatalog(till, ["TIGO_GT_TOPUP_25"]);
    await owner.pos("POST", "/wallet/recharges", {
      rechargeId: randomUUID(),
      environment: "live",
      amount: 5000,
    });
    expect((await owner.pos("POST", "/upstream/hook", {})).status).toBe(404);
    await connect();
    const { path } = (await owner.pos("POST", "/upstream/hook", {})).body;
    expect((await fetch(till.url + path, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${till.url + path}x`, { method: "HEAD" })).status).toBe(404);

    async function send(message: { body?: string; at?: number; secret?: string; to?: string }) {
      const { body = '{"transactionId":"one","status":"DONE"}', secret = SECRET } = message;
      const headers = new Webhook(secret).sign(
        "msg_1",
        new Date(message.at ?? till.clock.now()),
        body,
      );
      const answer = await till.call("POST", message.to ?? path, {
        headers: {
          "webhook-id": "msg_1",
          "webhook-timestamp": String(Math.floor((message.at ?? till.clock.now()) / 1000)),
          "webhook-signature": headers,
        },
        body,
      });
      await till.settle();
      return answer.status;
    }
    expect(await send({})).toBe(401);
    expect((await owner.pos("PUT", "/upstream/hook/secret", { secret: "mine" })).status).toBe(400);
    expect((await owner.pos("PUT", "/upstream/hook/secret", { secret: SECRET })).status).toBe(200);

    upstream.ask = ({ reply, body }) => reply(200, { ...body, status: "IN_PROGRESS" });
    await buyLive("one");
    await till.advance(1000);
    const asked = upstream.questions.length;
    const other = `whsec_${Buffer.from("another secret, of others").toString("base64")}`;
    expect(await send({ secret: other })).toBe(401);
    expect(await send({ at: till.clock.now() - 400_000 })).toBe(401);
    expect(await send({ to: `${path}x` })).toBe(404);
    expect((await till.call("POST", path, { body: {} })).status).toBe(401);
    expect(await send({ body: '{"transactionId":"unknown"}' })).toBe(200);
    expect(await send({ body: "[1]" })).toBe(200);
    expect(upstream.questions.length).toBe(asked);
    expect(await send({})).toBe(200);
    expect(upstream.questions.length).toBe(asked + 1);
    const read = async () =>
      (await till.v1("GET", "/topups/purchases/one", undefined, "live")).body.status;
    expect(await read()).toBe("IN_PROGRESS");
    upstream.ask = ({ reply, body }) => reply(200, upstream.books.get(body.transactionId));
    expect(await send({})).toBe(200);
    expect(await read()).toBe("DONE");
    expect(await readKept(till)).not.toContain(SECRET);
    await owner.pos("DELETE", "/upstream");
    expect(await send({})).toBe(404);
  });

  it("use the base address that the owner enters", async () => {
    await connect();
    const make = async (body: object) => (await owner.pos("POST", "/upstream/hook", body)).body;
    const read = async () => (await owner.pos("GET", "/upstream")).body.hookBaseUrl;
    expect(await make({})).not.toHaveProperty("url");
    expect(await read()).toBeUndefined();
    const { url, path } = await make({ baseUrl: " https://till.example/shop/ " });
    expect(url).toBe(`https://till.example/shop${path}`);
    expect(await read()).toBe("https://till.example/shop");
    const next = await make({});
    expect(next.url).toBe(`https://till.example/shop${next.path}`);
    for (const baseUrl of ["till.example", "ftp://till.example", "https://till.example/?a=1"]) {
      const { status, body } = await owner.pos("POST", "/upstream/hook", { baseUrl });
      expect([status, Object.keys(body.fields)], baseUrl).toEqual([400, ["baseUrl"]]);
    }
    expect(await read()).toBe("https://till.example/shop");
  });
});
