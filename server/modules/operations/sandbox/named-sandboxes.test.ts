import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AuditRecord } from "../../../contract/pos/audit-trail.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { FakeClock } from "../../../testing/fake-clock.ts";
import { typeCommand } from "../../../testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill } from "../../../testing/test-till.ts";
import { until } from "../../../testing/until.ts";
import { startReceiver } from "../../../testing/webhook-receiver.ts";
import { SandboxClock } from "./sandbox-clock.ts";
import { MAX_IDLE, MAX_OPEN } from "./sandbox-pool.ts";

const TOPUP = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

interface Created {
  sandbox: string;
  url: string;
  key: string;
  webhookSecret: string;
}

let till: TestGateway;

async function type(words: string) {
  return typeCommand(till, `sandbox ${words}`.split(" "));
}

async function create(name: string): Promise<Created> {
  const { stdout, stderr } = await type(`create ${name} --json`);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

function call(key: string, method: string, path: string, body?: unknown, headers = {}) {
  const init = { headers: { authorization: `Bearer ${key}`, ...headers } };
  return till.call(method, path, body === undefined ? init : { ...init, body });
}

function buy(key: string, transactionId: string, scenario?: string) {
  const headers = scenario === undefined ? {} : { "x-sandbox-scenario": scenario };
  return call(key, "POST", "/v1/topups/purchases", { ...TOPUP, transactionId }, headers);
}

async function read(key: string, transactionId: string) {
  return (await call(key, "GET", `/v1/topups/purchases/${transactionId}`)).body;
}

async function advance(key: string, by: string) {
  const { status, body } = await call(key, "POST", "/sandbox/v1/clock/advance", { by });
  expect([status, body]).toEqual([200, body]);
}

async function readClock(key: string): Promise<{ now: number; speed: number }> {
  const { now, speed } = (await call(key, "GET", "/sandbox/v1/clock")).body;
  return { now: Date.parse(now), speed };
}

async function listSandboxes() {
  const { stdout } = await type("list --json");
  return JSON.parse(stdout) as { name: string; state: string; scenario?: string }[];
}

/** Lists the directories of sandboxes, except that of the template. */
function listDirs(): string[] {
  const names = readdirSync(join(till.dataDir, "sandboxes"));
  return names.filter((name) => name !== ".template");
}

describe("a named sandbox", () => {
  let made: Created;
  beforeAll(async () => {
    till = await startTestGateway();
    made = await create("ci");
  });
  afterAll(async () => {
    await till.expectCleanBooks();
    await till.close();
  });

  it("sells with its own key, wallet and transactions at the gateway's address", async () => {
    expect([made.sandbox, made.url]).toEqual(["ci", till.url]);
    expect(made.key).toMatch(/^sandbox_/);
    expect(made.webhookSecret).toMatch(/^whsec_/);
    const before = (await till.v1("GET", "/balance")).body;
    expect((await buy(made.key, "order-1")).body.status).toBe("ACCEPTED");
    await advance(made.key, "1m");
    expect((await read(made.key, "order-1")).status).toBe("DONE");
    expect((await till.v1("GET", "/balance")).body).toEqual(before);
    expect((await till.v1("GET", "/topups/purchases/order-1")).status).toBe(404);
    const own = (await call(made.key, "GET", "/v1/balance")).body;
    expect(own.availableBalance).toBeLessThan(before.availableBalance);
  });

  it("responds with a request id and the rate limit's headers", async () => {
    const { headers } = await call(made.key, "GET", "/v1/balance");
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(headers.get("ratelimit-remaining"))).toBeGreaterThan(0);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("counts requests to its controls toward the key's rate limit", async () => {
    const read = async (path: string) =>
      Number((await call(made.key, "GET", path)).headers.get("ratelimit-remaining"));
    const before = await read("/v1/balance");
    expect(await read("/sandbox/v1/clock")).toBe(before - 1);
    expect(await read("/v1/balance")).toBe(before - 2);
  });

  it("refuses an advance while another runs", async () => {
    const path = "/sandbox/v1/clock/advance";
    const first = call(made.key, "POST", path, { by: "30d" });
    const second = call(made.key, "POST", path, { by: "30d" });
    const answers = await Promise.all([first, second]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    await advance(made.key, "1m");
  });

  it("ends an advance whose connection has closed at the next step", async () => {
    await buy(made.key, "left-1", "provider-down");
    const before = (await readClock(made.key)).now;
    const left = new AbortController();
    left.abort();
    const { namedSandboxes, accountId } = till.gateway.context;
    const advancing = namedSandboxes?.advance({ accountId }, "ci", { by: "25h" }, left.signal);
    await expect(advancing).rejects.toThrow("The connection was closed.");
    expect((await readClock(made.key)).now).toBeLessThan(before + HOUR);
    await advance(made.key, "25h");
  });

  it("does not exist for other keys, which get 404 on its controls", async () => {
    for (const key of [till.key("test"), till.key("live"), `${made.key}x`, "sandbox_none", "x"]) {
      const { status, body } = await call(key, "GET", "/sandbox/v1/clock");
      expect([key, status, body.message]).toEqual([
        key,
        404,
        "There is nothing at /sandbox/v1/clock. Only the key of a sandbox reaches /sandbox/v1.",
      ]);
    }
  });

  it("does not share its key with live, the tills, or the control of sandboxes", async () => {
    for (const key of [`${made.key}x`, "sandbox_none", made.key.replace("sandbox_", "test_")]) {
      const { status, body } = await call(key, "GET", "/v1/balance");
      expect([key, status, body.errorCode]).toEqual([key, 401, "NOT_AUTHORIZED"]);
    }
    expect((await call(made.key, "GET", "/pos/keys")).status).toBe(401);
    expect((await call(made.key, "GET", "/sandbox/control")).status).toBe(404);
    expect((await call(till.key("live"), "GET", "/sandbox/control")).status).toBe(404);
  });

  it("follows the commands speed, advance and scenario", async () => {
    const before = (await readClock(made.key)).now;
    const advanced = JSON.parse((await type("advance ci 24h --json")).stdout);
    expect(Date.parse(advanced.now)).toBe(before + DAY);
    expect((await type("advance ci --to-next-deadline")).stdout).toContain("finished: 0");
    expect((await type("speed ci 60")).stdout).toContain("speed: 60");
    expect((await readClock(made.key)).speed).toBe(60);
    expect((await type("speed ci 1")).stdout).toContain("speed: 1");
    expect((await type("scenario ci wallet-empty")).stdout).toContain("wallet-empty");
    await buy(made.key, "empty-1");
    await advance(made.key, "1m");
    expect((await read(made.key, "empty-1")).error.code).toBe("INSUFFICIENT_FUNDS");
    expect(await listSandboxes()).toMatchObject([{ name: "ci", scenario: "wallet-empty" }]);
    expect((await type("scenario ci --none")).exitCode).toBe(0);
    expect((await type("scenario")).stdout).toContain("provider-timeout-then-done");
    expect((await type("list")).stdout).toContain("NAME");
  });

  it.each([
    ["speed ci 2", "speed"],
    ["speed ci fast", "speed"],
    ["speed ci", "speed"],
    ["advance ci 367d", "within a year"],
    ["advance ci 0m", "such as 15m or 24h"],
    ["advance ci", "needs a DURATION"],
    ["advance ci 1h --to-next-deadline", "needs a DURATION"],
    ["advance", "needs the NAME"],
    ["scenario ci none", "There is no scenario none"],
    ["scenario ci", "needs a SCENARIO"],
    ["speed other 60", "There is no sandbox other"],
    ["advance other 1h", "There is no sandbox other"],
    ["scenario other delivered", "There is no sandbox other"],
    ["delete other", "There is no sandbox other"],
    ["reset other", "There is no sandbox other"],
    ["delete", "needs the NAME"],
    ["wallet other", "There is no sandbox other"],
    ["wallet", "needs the NAME"],
    ["wallet ci 5", "Unexpected argument"],
    ["wallet ci --set 1.5", "--set must be a whole number"],
    ["deliveries other", "There is no sandbox other"],
    ["deliveries", "needs the NAME"],
    ["create CI", "already a sandbox CI"],
    ["create", "is invalid"],
    ["create Bad_Name", "name must be 1 to 40 letters, digits and hyphens"],
    ["speed ci 2", "1, 60, 900"],
    ["scenario ci nope", "name must be one of delivered, "],
    ["advance ci -1h", "must not be negative: -1"],
    ["create a/b", "is invalid"],
    ["create ..", "is invalid"],
    [`create ${"a".repeat(41)}`, "is invalid"],
    ["create x --wallet -1", "--wallet must be a whole number"],
    ["create x y", "Unexpected argument"],
    ["speed ci 60 --url http://127.0.0.1:1 --key x", "cannot be combined"],
  ])("stays unchanged after the refused command %s", async (words, reason) => {
    const before = [await readClock(made.key), await listSandboxes()];
    const { exitCode, stderr } = await type(words);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect([await readClock(made.key), await listSandboxes()]).toEqual(before);
  });

  it("appears in the audit trail without its key", async () => {
    const rows = await till.gateway.context.db
      .selectFrom("audit_trail")
      .selectAll()
      .where("action", "like", "sandbox.%")
      .execute();
    expect(new Set(rows.map(({ action }) => action))).toEqual(
      new Set(["sandbox.create", "sandbox.change"]),
    );
    expect(JSON.stringify(rows)).not.toContain(made.key);
  });

  it("sends no webhook to a private address, unless its owner allows it at creation", async () => {
    const receiver = await startReceiver();
    const open = await create("open --allow-private");
    const set = (key: string) => call(key, "PUT", "/sandbox/v1/webhook", { url: receiver.url });
    expect((await set(open.key)).status).toBe(200);
    await type("reset open");
    expect((await set(open.key)).status).toBe(200);
    const { status, body } = await set(made.key);
    expect([status, body.errorCode, Object.keys(body.fields)]).toEqual([
      400,
      "INVALID_REQUEST",
      ["url"],
    ]);
    await type("delete open");
    await receiver.close();
  });

  it("sends its low balance once", async () => {
    const receiver = await startReceiver();
    const low = await create("low --wallet 1200 --allow-private");
    const target = { url: receiver.url, kinds: ["BALANCE"] };
    expect((await call(low.key, "PUT", "/sandbox/v1/webhook", target)).status).toBe(200);
    await buy(low.key, "low-1", "delivered");
    const pass = () => till.clock.set(till.clock.now() + SECOND);
    await until(() => {
      pass();
      return receiver.received.length > 0;
    });
    await buy(low.key, "low-2", "delivered");
    await until(async () => {
      pass();
      return (await read(low.key, "low-2")).status === "DONE";
    });
    const { availableBalance } = JSON.parse(receiver.received[0]!.body);
    expect(availableBalance).toBeLessThanOrEqual(1_000);
    expect(receiver.received.map(({ headers }) => headers["webhook-kind"])).toEqual(["BALANCE"]);
    await type("delete low");
    await receiver.close();
  });

  it("loses its data at a reset, and keeps its key", async () => {
    await buy(made.key, "reset-1");
    expect((await type("reset ci")).exitCode).toBe(0);
    expect((await call(made.key, "GET", "/v1/topups/purchases/reset-1")).status).toBe(404);
    expect((await readClock(made.key)).now).toBe(till.clock.now());
    expect((await buy(made.key, "reset-1")).status).toBe(200);
  });

  it("starts with its own initial balance after each reset", async () => {
    const rich = await create("rich --wallet 250000");
    for (let reset = 0; reset < 2; reset++) {
      await buy(rich.key, "rich-1");
      expect((await type("reset rich")).exitCode).toBe(0);
      const { body } = await call(rich.key, "GET", "/v1/balance");
      expect(body.availableBalance).toBe(250_000);
    }
    await type("delete rich");
  });

  it("sets its wallet by a command, and by its key", async () => {
    const shop = (await till.v1("GET", "/balance")).body;
    const { key } = await create("purse --wallet 5000");
    const byKey = `--url ${till.url} --key ${key}`;
    expect((await type("wallet purse")).stdout).toContain("50.00 USD");
    expect((await type("wallet purse --set 0")).stdout).toContain("0.00 USD");
    await buy(key, "poor-1");
    await advance(key, "1m");
    expect((await read(key, "poor-1")).error.code).toBe("INSUFFICIENT_FUNDS");
    const set = await call(key, "PUT", "/sandbox/v1/wallet", { availableBalance: 250_000 });
    const balance = { availableBalance: 250_000, currency: "USD", currencyDivisor: 100 };
    expect([set.status, set.body]).toEqual([200, balance]);
    expect((await call(key, "GET", "/v1/balance")).body).toEqual(balance);
    expect(JSON.parse((await type(`wallet ${byKey} --set 7 --json`)).stdout)).toMatchObject({
      availableBalance: 7,
    });
    expect((await type(`wallet ${byKey}`)).stdout).toContain("0.07 USD");
    const wrong = await call(key, "PUT", "/sandbox/v1/wallet", { availableBalance: -1 });
    expect([wrong.status, Object.keys(wrong.body.fields)]).toEqual([400, ["availableBalance"]]);
    expect((await till.v1("GET", "/balance")).body).toEqual(shop);
    await type("delete purse");
  });

  it.each(["test", "live"] as const)(
    "refuses the header of a scenario with the %s key of the shop",
    async (environment) => {
      const { status, body } = await buy(till.key(environment), "staged-1", "delivered");
      expect([status, body.errorCode, body.fields]).toEqual([
        400,
        "INVALID_REQUEST",
        { "X-Sandbox-Scenario": "is allowed only in a sandbox" },
      ]);
      expect((await till.v1("GET", "/transactions/staged-1", undefined, environment)).status).toBe(
        404,
      );
    },
  );

  it("leaves no file when it is deleted, and its key is unknown", async () => {
    const other = await create("other");
    await buy(other.key, "order-1");
    expect((await type("delete other")).exitCode).toBe(0);
    expect((await call(other.key, "GET", "/v1/balance")).status).toBe(401);
    expect((await call(other.key, "GET", "/sandbox/v1/clock")).status).toBe(404);
    expect(listDirs()).toEqual(["ci"]);
    const again = await create("other");
    expect((await call(again.key, "GET", "/v1/topups/purchases/order-1")).status).toBe(404);
    await type("delete other");
  });
});

describe("a sandbox's clock", () => {
  it("leaves no timer on the machine's clock after it is closed", () => {
    const machine = new FakeClock();
    const clock = new SandboxClock(machine);
    clock.wakeAt(clock.now() + MINUTE, () => undefined);
    clock.close();
    clock.wakeAt(clock.now() + MINUTE, () => undefined);
    expect(machine.nextTimer()).toBeUndefined();
  });
});

describe("the owner's operations on named sandboxes", () => {
  beforeEach(async () => {
    till = await startTestGateway();
  });
  afterEach(() => till.close());

  it("create, change and delete a sandbox, and record the owner", async () => {
    const owner = await openTill(till);
    const made = (await owner.pos("POST", "/sandboxes", { name: "ci" })).body;
    expect(made.key).toMatch(/^sandbox_/);
    const before = (await readClock(made.key)).now;
    expect((await owner.pos("PUT", "/sandboxes/ci/speed", { speed: 60 })).body.speed).toBe(60);
    expect((await owner.pos("PUT", "/sandboxes/ci/speed", { speed: 2 })).status).toBe(400);
    await owner.pos("POST", "/sandboxes/ci/advance", { by: "24h" });
    expect((await readClock(made.key)).now).toBe(before + DAY);
    await owner.pos("PUT", "/sandboxes/ci/scenario", { scenario: "wallet-empty" });
    const unknown = await owner.pos("PUT", "/sandboxes/ci/scenario", { scenario: "none" });
    expect([unknown.status, unknown.body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
    const wallet = await owner.pos("PUT", "/sandboxes/ci/wallet", { availableBalance: 1_200 });
    expect(wallet.body).toEqual({ availableBalance: 1_200, currency: "USD", currencyDivisor: 100 });
    expect((await owner.pos("GET", "/sandboxes/ci/wallet")).body).toEqual(wallet.body);
    const { list } = (await owner.pos("GET", "/sandboxes")).body;
    expect(list).toMatchObject([{ name: "ci", speed: 60, scenario: "wallet-empty" }]);
    expect(JSON.stringify(list)).not.toContain(made.key);
    expect((await owner.pos("POST", "/sandboxes/ci/reset")).status).toBe(200);
    expect((await owner.pos("DELETE", "/sandboxes/ci")).status).toBe(200);
    expect((await owner.pos("DELETE", "/sandboxes/ci")).status).toBe(404);
    const trail = (await owner.pos("GET", "/audit-trail?limit=7")).body.list;
    expect(trail.map(({ action, staff }: AuditRecord) => [action, staff?.name])).toEqual([
      ["sandbox.delete", "Olga"],
      ["sandbox.reset", "Olga"],
      ["sandbox.change", "Olga"],
      ["sandbox.change", "Olga"],
      ["sandbox.change", "Olga"],
      ["sandbox.change", "Olga"],
      ["sandbox.create", "Olga"],
    ]);
  });
});

describe("the requests of a sandbox's key", () => {
  beforeEach(async () => {
    till = await startTestGateway();
  });
  afterEach(() => till.close());

  it("appear to the owner with secrets masked, and only for their sandbox", async () => {
    const owner = await openTill(till);
    const [ci, other] = [await create("ci"), await create("other")];
    await buy(ci.key, "order-1");
    await call(other.key, "GET", "/v1/balance");
    const { list } = (await owner.pos("GET", "/sandboxes/ci/requests?limit=50")).body;
    expect(list).toMatchObject([
      { path: "/v1/topups/purchases", status: 200, keyName: "ci", transactionId: "order-1" },
    ]);
    const [{ requestNo }] = list;
    const found = await owner.pos("GET", `/sandboxes/ci/requests/${requestNo}`);
    expect(found.body.request.text).toContain(TOPUP.offerId);
    expect(JSON.stringify(found.body)).not.toContain(TOPUP.recipientPhoneNumber);
    const own = (await owner.pos("GET", "/requests?environment=test&limit=50")).body;
    expect(own.list).toEqual([]);
    for (const path of ["/sandboxes/ci/requests/99", "/sandboxes/none/requests?limit=50"]) {
      expect((await owner.pos("GET", path)).status).toBe(404);
    }
  });

  it("survive the sandbox's closing, and are gone after a reset", async () => {
    const owner = await openTill(till);
    const { key } = await create("ci");
    await buy(key, "order-1", "delivered");
    await till.restart();
    const count = async () =>
      (await owner.pos("GET", "/sandboxes/ci/requests?limit=50")).body.list.length;
    expect(await count()).toBe(1);
    await type("reset ci");
    expect(await count()).toBe(0);
  });
});

describe("the webhook deliveries of a sandbox", () => {
  it("appear to the owner with their attempts, and only for their sandbox", async () => {
    till = await startTestGateway();
    const receiver = await startReceiver();
    const owner = await openTill(till);
    const { key } = await create("ci --allow-private");
    await create("other");
    await call(key, "PUT", "/sandbox/v1/webhook", { url: receiver.url });
    for (const id of ["order-1", "order-2"]) await buy(key, id, "delivered");
    const list = async (query: string) => (await owner.pos("GET", query)).body;
    const page = "deliveries?_limit=1&_offset=0";
    for (const id of ["order-1", "order-2"]) {
      await until(async () => {
        till.clock.set(till.clock.now() + SECOND);
        const [delivery] = (await list(`/sandboxes/ci/${page}&transactionId=${id}`)).list;
        return delivery?.state === "DELIVERED";
      });
    }
    const found = await list(`/sandboxes/ci/${page}&transactionId=order-1`);
    expect(found).toMatchObject({ total: 1, limit: 1, offset: 0 });
    expect(found.list).toMatchObject([
      { kind: "TOPUP", subject: "order-1", state: "DELIVERED", attempts: [{ status: 200 }] },
    ]);
    expect(await list(`/sandboxes/ci/${page}`)).toMatchObject({ total: 2, limit: 1 });
    expect(await list(`/sandboxes/other/${page}`)).toMatchObject({ total: 0, list: [] });
    expect(await list(`/webhooks/${page}`)).toMatchObject({ total: 0, list: [] });
    expect((await owner.pos("GET", `/sandboxes/none/${page}`)).status).toBe(404);
    const printed = (await type("deliveries ci")).stdout.trimEnd().split("\n");
    expect(printed).toHaveLength(3);
    expect(printed[1]).toMatch(/TOPUP +order-2 +DELIVERED +1 +200/);
    expect((await type("deliveries other")).stdout).toContain("No deliveries.");
    await receiver.close();
    await till.close();
  });
});

describe("a sandbox that cannot be created", () => {
  it("leaves no directory", async () => {
    till = await startTestGateway();
    const { namedSandboxes, accountId } = till.gateway.context;
    const wallet = Number.NaN;
    const creating = namedSandboxes?.create({ accountId }, "ci", { wallet });
    await expect(creating).rejects.toBeInstanceOf(Error);
    expect(listDirs()).toEqual([]);
    await till.close();
  });
});

describe("a sandbox whose deletion or reset has not ended", () => {
  beforeEach(async () => {
    till = await startTestGateway();
  });
  afterEach(() => till.close());

  it.each(["delete", "reset"] as const)("keeps its name reserved during a %s", async (action) => {
    const { key } = await create("ci");
    await call(key, "PUT", "/sandbox/v1/faults", { latencyMs: 1000 });
    const slow = call(key, "GET", "/v1/balance");
    const { namedSandboxes, accountId } = till.gateway.context;
    await until(async () => (await call(key, "GET", "/sandbox/v1/faults")).status === 200);
    const ended = namedSandboxes?.[action]({ accountId }, "ci");
    expect((await type("create ci")).stderr).toContain("already a sandbox ci");
    till.clock.set(till.clock.now() + MINUTE);
    await slow;
    await ended;
    expect((await type("create ci")).exitCode).toBe(action === "delete" ? 0 : 1);
    expect((await listSandboxes()).map(({ name, state }) => [name, state])).toEqual([
      ["ci", "CLOSED"],
    ]);
  });
});

describe("the state of a named sandbox", () => {
  beforeEach(async () => {
    till = await startTestGateway();
  });
  afterEach(() => till.close());

  it("survives restarts: clock, speed, scenarios, faults and open purchases", async () => {
    const { key } = await create("ci");
    await advance(key, "100d");
    await call(key, "PUT", "/sandbox/v1/scenario", { name: "provider-down" });
    await call(key, "PUT", "/sandbox/v1/faults", { latencyMs: 0, duplicateWebhooks: true });
    await buy(key, "lost-1", "provider-timeout-then-done");
    await buy(key, "down-1");
    await advance(key, "1m");
    expect((await read(key, "lost-1")).status).toBe("IN_PROGRESS");
    await call(key, "PUT", "/sandbox/v1/clock", { speed: 60 });
    const before = await readClock(key);
    await till.restart();
    till.clock.set(till.clock.now() + MINUTE);
    expect(await readClock(key)).toEqual({ now: before.now + HOUR, speed: 60 });
    expect((await call(key, "GET", "/sandbox/v1/faults")).body.duplicateWebhooks).toBe(true);
    await call(key, "PUT", "/sandbox/v1/clock", { speed: 1 });
    await advance(key, "1h");
    expect((await read(key, "lost-1")).status).toBe("DONE");
    await buy(key, "down-2");
    await advance(key, "25h");
    for (const id of ["down-1", "down-2"]) {
      expect((await read(key, id)).error.code).toBe("RETRY_WINDOW_EXPIRED");
    }
  });

  it("resumes unfinished work after a restart without a request", async () => {
    const { key } = await create("ci");
    await buy(key, "slow-1", "delivered-slowly");
    await till.restart();
    await until(async () => (await listSandboxes())[0]?.state === "OPEN");
    expect((await read(key, "slow-1")).status).not.toBe("DONE");
    till.clock.set(till.clock.now() + 30 * SECOND);
    await until(async () => (await read(key, "slow-1")).status === "DONE");
  });

  it("stays in its closed directory while it is idle", async () => {
    const { key } = await create("ci");
    expect((await listSandboxes())[0]?.state).toBe("CLOSED");
    await buy(key, "order-1", "delivered");
    expect((await listSandboxes())[0]?.state).toBe("OPEN");
    await advance(key, "1m");
    till.clock.set(till.clock.now() + MINUTE);
    await until(async () => (await listSandboxes())[0]?.state === "CLOSED");
    expect((await read(key, "order-1")).status).toBe("DONE");
  });

  it.skipIf(process.platform !== "linux")("holds no file open while it is closed", async () => {
    const listFiles = () => {
      const numbers = readdirSync("/proc/self/fd");
      return numbers.filter((number) => {
        try {
          return readlinkSync(`/proc/self/fd/${number}`).includes(join(till.dataDir, "sandboxes"));
        } catch {
          return false;
        }
      });
    };
    const { key } = await create("ci");
    expect(listFiles()).toEqual([]);
    await readClock(key);
    expect(listFiles()).not.toEqual([]);
    till.clock.set(till.clock.now() + MINUTE);
    await until(async () => (await listSandboxes())[0]?.state === "CLOSED");
    expect(listFiles()).toEqual([]);
  });

  it("stays open with unfinished work, or with a fast clock", async () => {
    const [one, fast, idle] = [await create("one"), await create("fast"), await create("idle")];
    await buy(one.key, "down-1", "provider-down");
    await call(fast.key, "PUT", "/sandbox/v1/clock", { speed: 900 });
    await readClock(idle.key);
    till.clock.set(till.clock.now() + MINUTE);
    const states = async () =>
      Object.fromEntries((await listSandboxes()).map(({ name, state }) => [name, state]));
    await until(async () => (await states()).idle === "CLOSED");
    expect(await states()).toEqual({ one: "OPEN", fast: "OPEN", idle: "CLOSED" });
  });

  it("closes at once when more idle sandboxes than four are used", async () => {
    const keys: string[] = [];
    for (const name of ["a", "b", "c", "d", "e", "f"]) keys.push((await create(name)).key);
    for (const key of keys) await readClock(key);
    const open = (await listSandboxes()).filter(({ state }) => state === "OPEN");
    expect(open.map(({ name }) => name)).toEqual(["c", "d", "e", "f"]);
    expect(open).toHaveLength(MAX_IDLE);
  });

  it("serves requests of more sandboxes than may be open", async () => {
    const names = Array.from({ length: MAX_OPEN + 2 }, (_, index) => `s${index}`);
    const made: Created[] = [];
    for (const name of names) made.push(await create(name));
    const answers = await Promise.all(made.map(({ key }) => buy(key, "down-1", "provider-down")));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const open = (await listSandboxes()).filter(({ state }) => state === "OPEN");
    expect(open.length).toBeLessThanOrEqual(MAX_OPEN);
    for (const { key } of made) {
      await advance(key, "25h");
      expect((await read(key, "down-1")).error.code).toBe("RETRY_WINDOW_EXPIRED");
    }
  });

  it("does not prevent the gateway's start if its directory is broken", async () => {
    const [good, bad, gone] = [await create("good"), await create("bad"), await create("gone")];
    await till.gateway.close();
    const root = join(till.dataDir, "sandboxes");
    writeFileSync(join(root, "bad", "tillgate.db"), "not a database");
    writeFileSync(join(root, "gone", "sandbox.json"), "{");
    mkdirSync(join(root, "empty"));
    mkdirSync(join(root, ".part-1"));
    writeFileSync(join(root, "file"), "");
    await till.restart();
    expect((await call(good.key, "GET", "/v1/balance")).status).toBe(200);
    const refused = await call(bad.key, "GET", "/v1/balance");
    expect([refused.status, refused.body.errorCode]).toEqual([503, "SYSTEM_UNAVAILABLE"]);
    expect((await call(gone.key, "GET", "/v1/balance")).status).toBe(401);
    const broken = (await listSandboxes()).filter(({ state }) => state === "BROKEN");
    expect(broken.map(({ name }) => name)).toEqual(["bad", "empty", "file", "gone"]);
    for (const { name } of broken) expect((await type(`delete ${name}`)).stderr).toBe("");
    expect(readdirSync(root)).toEqual(["good"]);
  });

  it("accepts a purchase again after its scenario could not be stored", async () => {
    const { key } = await create("ci");
    await readClock(key);
    const file = join(till.dataDir, "sandboxes", "ci", "scenarios.jsonl");
    mkdirSync(file);
    expect((await buy(key, "order-1", "delivered")).status).toBeGreaterThanOrEqual(500);
    rmdirSync(file);
    expect((await buy(key, "order-1", "delivered")).status).toBe(200);
  });

  it("does not keep other sandboxes open if its database is unreadable", async () => {
    const [bad, good] = [await create("bad"), await create("good")];
    await Promise.all([bad, good].map(({ key }) => readClock(key)));
    const file = new DatabaseSync(join(till.dataDir, "sandboxes", "bad", "tillgate.db"));
    file.exec("drop table jobs");
    file.close();
    till.clock.set(till.clock.now() + MINUTE);
    await until(async () => (await listSandboxes())[1]?.state === "CLOSED");
    expect((await listSandboxes())[0]?.state).toBe("BROKEN");
  });

  it("resumes unfinished work after its broken database is repaired", async () => {
    const { key } = await create("ci");
    await buy(key, "down-1", "provider-down");
    await till.gateway.close();
    const file = join(till.dataDir, "sandboxes", "ci", "tillgate.db");
    const good = readFileSync(file);
    writeFileSync(file, "not a database");
    await till.restart();
    await until(async () => (await listSandboxes())[0]?.state === "BROKEN");
    writeFileSync(file, good);
    till.clock.set(till.clock.now() + 5 * MINUTE);
    await until(async () => (await listSandboxes())[0]?.state === "OPEN");
  });

  it("cannot be changed by commands while no gateway is running", async () => {
    await create("ci");
    await till.gateway.close();
    for (const words of ["list", "create x", "delete ci", "speed ci 60", "advance ci 1h"]) {
      expect((await type(words)).stderr).toContain("No gateway is running");
    }
    expect(existsSync(join(till.dataDir, "sandboxes", "ci", "sandbox.json"))).toBe(true);
    // The address of a killed gateway.
    writeFileSync(join(till.dataDir, "gateway.address"), "http://127.0.0.1:9");
    expect((await type("list")).stderr).toContain("No gateway is running");
    await till.restart();
  });

  it("reports a lost connection of a command apart from a gateway that is not running", async () => {
    const server = createServer((socket) => {
      socket.once("data", () => socket.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const words = `advance 1h --url http://127.0.0.1:${port} --key sandbox_x`;
    const { exitCode, stderr } = await type(words);
    server.close();
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("without an answer")]);
    expect((await type(words)).stderr).toContain("No sandbox answers");
  });
});
