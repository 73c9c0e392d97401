import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyWebhook } from "../../../../packages/client/src/index.ts";
import { FAILURE_CODES } from "../../../contract/error-codes.ts";
import { HOUR, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { FakeClock } from "../../../testing/fake-clock.ts";
import { typeCommand } from "../../../testing/run-program.ts";
import { type StartedSandbox, startSandbox } from "../../../testing/started-sandbox.ts";
import { startTestGateway } from "../../../testing/test-gateway.ts";
import { until } from "../../../testing/until.ts";
import { type Receiver, startReceiver } from "../../../testing/webhook-receiver.ts";
import { findLastAudit } from "../../books/audit-trail/index.ts";

const PURCHASES = {
  topups: { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" },
  vouchers: {
    offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
    fields: [
      { key: "meter.number", value: "01234567890" },
      { key: "recipient.msisdn", value: "+27821234567" },
    ],
    value: { type: "ZEND", value: 10000 },
  },
  esim: { offerId: "AIRALO_ES_1GB_7D" },
  billpay: {
    offerId: "AYSA_AR_BILL_WATER",
    fields: [
      { key: "accountNumber", value: "30001234567" },
      { key: "billIdentifier", value: "202601" },
    ],
    value: { type: "ZEND", value: 6066500 },
  },
} as const;
type Path = keyof typeof PURCHASES;
const PATHS = Object.keys(PURCHASES) as Path[];

const OUTCOMES: Record<string, string> = {
  delivered: "DONE",
  "delivered-slowly": "DONE",
  "recipient-invalid": "RECIPIENT_INVALID",
  "provider-rejected": "PROVIDER_REJECTED",
  "price-changed": "PRICE_CHANGED",
  "provider-recovers": "DONE",
  "provider-down": "RETRY_WINDOW_EXPIRED",
  "provider-down-without-queue": "PROVIDER_UNAVAILABLE",
  "provider-timeout-then-done": "DONE",
  "provider-timeout-not-received": "RETRY_WINDOW_EXPIRED",
  "outcome-unknown": "RETRY_WINDOW_EXPIRED",
  "provider-not-configured": "PROVIDER_NOT_CONFIGURED",
  "iccid-not-found": "ICCID_NOT_FOUND",
  "wallet-empty": "INSUFFICIENT_FUNDS",
  "verification-rejected": "VERIFICATION_BLOCKED",
  "verification-unanswered": "VERIFICATION_TIMEOUT",
  "brand-paused": "RETRY_WINDOW_EXPIRED",
  "brand-paused-then-done": "DONE",
};

let sandbox: StartedSandbox;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  sandbox = await startSandbox(["--wallet", "1000000000"]);
});
afterAll(async () => {
  await receiver.close();
  const { exitCode, left } = await sandbox.stop();
  expect([exitCode, left]).toEqual([0, []]);
  expect(sandbox.output.split("\n")).toHaveLength(2);
});

function buy(path: Path, transactionId: string, scenario?: string) {
  const headers = scenario === undefined ? {} : { "x-sandbox-scenario": scenario };
  return sandbox.call(
    "POST",
    `/v1/${path}/purchases`,
    { ...PURCHASES[path], transactionId },
    headers,
  );
}

async function read(path: Path, transactionId: string) {
  return (await sandbox.call("GET", `/v1/${path}/purchases/${transactionId}`)).body;
}

async function advance(input: object) {
  const { status, body } = await sandbox.call("POST", "/sandbox/v1/clock/advance", input);
  expect([status, body]).toEqual([200, body]);
  return body as { now: string; finished: number };
}

async function readNow(): Promise<number> {
  return Date.parse((await sandbox.call("GET", "/sandbox/v1/clock")).body.now);
}

describe("the end of a sandbox process", () => {
  it("follows the end of npm's shell, and removes the data folder", {
    tags: ["thorough"],
  }, async () => {
    const started = await startSandbox([], { isByNpm: true });
    expect((await started.stop()).left).toEqual([]);
  });
});

describe("access to a sandbox", () => {
  const NEEDS_SANDBOX_KEY = "Only the key of a sandbox reaches /sandbox/v1.";

  it("fails like an unknown route, except with the sandbox's own key", async () => {
    const create = "keys create --env test --name other".split(" ");
    const created = await typeCommand(`${sandbox.folder}/${sandbox.sandbox}`, create);
    for (const authorization of [`Bearer ${created.stdout.trim()}`, "Bearer test_x", ""]) {
      const answer = await sandbox.call("GET", "/sandbox/v1/clock", undefined, { authorization });
      const message = `There is nothing at /sandbox/v1/clock. ${NEEDS_SANDBOX_KEY}`;
      expect(answer).toEqual({
        status: 404,
        body: { errorCode: "NOT_FOUND", message, fields: {} },
      });
    }
  });

  it("does not exist on a gateway without a sandbox", async () => {
    const gateway = await startTestGateway();
    const headers = { authorization: `Bearer ${gateway.key("test")}` };
    for (const path of ["/sandbox/v1/clock", "/sandbox/v1/none"]) {
      const { status, body } = await gateway.call("GET", path, { headers });
      expect([status, body.message]).toEqual([
        404,
        `There is nothing at ${path}. ${NEEDS_SANDBOX_KEY}`,
      ]);
    }
    await gateway.close();
  });
});

describe("the clock of a sandbox", () => {
  it("runs at the chosen speed", async () => {
    const fast = await sandbox.call("PUT", "/sandbox/v1/clock", { speed: 900 });
    expect(fast.body.speed).toBe(900);
    await buy("topups", "slow-1", "delivered-slowly");
    const before = await readNow();
    await until(async () => (await read("topups", "slow-1")).status === "DONE");
    expect(await readNow()).toBeGreaterThan(before);
    expect((await sandbox.call("PUT", "/sandbox/v1/clock", { speed: 1 })).body.speed).toBe(1);
  });

  it.each([
    ["by", { by: "-1h" }],
    ["by", { by: "0m" }],
    ["by", { by: "15" }],
    ["by", { by: "367d" }],
    ["by", {}],
    ["to", { to: "2020-01-01T00:00:00Z" }],
    ["to", { to: "2099-01-01T00:00:00Z" }],
    ["to", { to: "tomorrow" }],
    ["to", { by: "1h", to: "next-deadline" }],
    ["of", { of: "1h" }],
  ])("refuses an advance with an error that names %s: %o", async (field, input) => {
    const before = await readNow();
    const { status, body } = await sandbox.call("POST", "/sandbox/v1/clock/advance", input);
    expect([status, body.errorCode, Object.keys(body.fields)]).toEqual([
      400,
      "INVALID_REQUEST",
      [field],
    ]);
    expect((await readNow()) - before).toBeLessThan(MINUTE);
  });

  it("refuses an unknown speed", async () => {
    const { status, body } = await sandbox.call("PUT", "/sandbox/v1/clock", { speed: 2 });
    expect([status, Object.keys(body.fields)]).toEqual([400, ["speed"]]);
  });

  it("advances step by step to each deadline of a purchase", async () => {
    await buy("topups", "steps-1", "provider-recovers");
    for (let left = 10; left > 0; left--) {
      const { finished } = await advance({ to: "next-deadline" });
      if ((await read("topups", "steps-1")).status === "DONE") break;
      expect(finished).toBeGreaterThan(0);
    }
    const { status, createdAt, updatedAt } = await read("topups", "steps-1");
    expect(status).toBe("DONE");
    const took_ms = Date.parse(updatedAt) - Date.parse(createdAt);
    expect(Math.round(took_ms / MINUTE)).toBe(30);
  });

  it("leaves no due work when it advances a day with many open purchases", async () => {
    const count = 40;
    for (let number = 1; number <= count; number++) {
      expect((await buy("topups", `many-${number}`, "provider-down")).status).toBe(200);
    }
    const { finished } = await advance({ by: "24h" });
    // An attempt every 15 minutes, and then the final decision.
    expect(finished).toBeGreaterThanOrEqual(count * 96);
    for (const status of ["ACCEPTED", "PENDING", "AUTHORIZED", "IN_PROGRESS"]) {
      const open = await sandbox.call(
        "GET",
        `/v1/transactions?_limit=1&_offset=0&status=${status}`,
      );
      expect([status, open.body.total]).toEqual([status, 0]);
    }
    expect((await advance({ by: "1s" })).finished).toBe(0);
  });

  it("can be advanced by years, and the sandbox still sells", { tags: ["thorough"] }, async () => {
    for (let year = 1; year <= 4; year++) await advance({ by: "365d" });
    await buy("topups", "later-1", "delivered");
    await advance({ by: "1m" });
    expect((await read("topups", "later-1")).status).toBe("DONE");
  });
});

describe("the scenarios of a sandbox", () => {
  it("appear in a list that covers every error code of a purchase", async () => {
    const { list } = (await sandbox.call("GET", "/sandbox/v1/scenarios")).body;
    expect(list.map(({ name }: { name: string }) => name)).toEqual(Object.keys(OUTCOMES));
    const codes = new Set(Object.values(OUTCOMES));
    expect(FAILURE_CODES.filter((code) => !codes.has(code))).toEqual([]);
  });

  it("end the purchases of every family as described", async () => {
    const target = { url: `${receiver.url}/results` };
    expect((await sandbox.call("PUT", "/sandbox/v1/webhook", target)).status).toBe(200);
    const received = receiver.received.length;
    const names = Object.keys(OUTCOMES);
    for (const path of PATHS) {
      for (const name of names) {
        const { status, body } = await buy(path, `${path}-${name}`, name);
        expect([name, status, body]).toEqual([name, 200, body]);
      }
    }
    await advance({ by: "1m" });
    expect((await read("esim", "esim-brand-paused")).status).toBe("PENDING");
    expect((await read("esim", "esim-outcome-unknown")).status).toBe("IN_PROGRESS");
    await advance({ by: "24h" });
    await advance({ by: "2h" });
    const before = (await sandbox.call("GET", "/v1/balance")).body.availableBalance;
    for (const path of PATHS) {
      for (const name of names) {
        const { status, error } = await read(path, `${path}-${name}`);
        expect([path, name, error?.code ?? status]).toEqual([path, name, OUTCOMES[name]]);
      }
    }
    const messages = receiver.received.slice(received);
    expect(messages).toHaveLength(PATHS.length * names.length);
    for (const message of messages) {
      const purchase = verifyWebhook<"topupResult">(message, sandbox.webhookSecret);
      const path = PATHS.find((one) => purchase.transactionId?.startsWith(`${one}-`)) as Path;
      const record = await read(path, purchase.transactionId);
      expect(message.body).toBe(JSON.stringify(record));
    }
    expect((await sandbox.call("GET", "/v1/balance")).body.availableBalance).toBe(before);
    await sandbox.call("DELETE", "/sandbox/v1/webhook");
  });

  it("leave an unknown outcome to reconciliation", async () => {
    const list = "reconciliation list --env test --json".split(" ");
    const listed = await typeCommand(`${sandbox.folder}/${sandbox.sandbox}`, list);
    expect(listed.stdout).toContain("topups-outcome-unknown");
    expect(listed.stdout).not.toContain("topups-provider-rejected");
  });

  it("reject an unknown name before anything is stored", async () => {
    const { status, body } = await buy("topups", "unknown-1", "none");
    expect([status, body.errorCode]).toEqual([400, "INVALID_REQUEST"]);
    expect(Object.keys(body.fields)).toEqual(["X-Sandbox-Scenario"]);
    expect((await sandbox.call("GET", "/v1/topups/purchases/unknown-1")).status).toBe(404);
    const set = await sandbox.call("PUT", "/sandbox/v1/scenario", { name: "none" });
    expect([set.status, Object.keys(set.body.fields)]).toEqual([400, ["name"]]);
  });

  it("apply to all purchases while set for the sandbox, except those that name another scenario", async () => {
    await sandbox.call("PUT", "/sandbox/v1/scenario", { name: "wallet-empty" });
    await buy("topups", "set-1");
    await buy("topups", "set-2", "delivered");
    await sandbox.call("DELETE", "/sandbox/v1/scenario");
    await buy("topups", "set-3");
    await advance({ by: "1m" });
    expect((await read("topups", "set-1")).error.code).toBe("INSUFFICIENT_FUNDS");
    expect((await read("topups", "set-2")).status).toBe("DONE");
    expect((await read("topups", "set-3")).status).toBe("DONE");
  });

  it("do not change when a purchase is repeated with another scenario", async () => {
    await buy("topups", "twice-1", "provider-rejected");
    expect((await buy("topups", "twice-1", "delivered")).body.errorCode).toBe(
      "DUPLICATE_TRANSACTION_ID",
    );
    const refused = { ...PURCHASES.topups, offerId: "NONE", transactionId: "twice-2" };
    await sandbox.call("POST", "/v1/topups/purchases", refused, {
      "x-sandbox-scenario": "provider-rejected",
    });
    await buy("topups", "twice-2");
    await advance({ by: "1m" });
    expect((await read("topups", "twice-1")).error.code).toBe("PROVIDER_REJECTED");
    expect((await read("topups", "twice-2")).status).toBe("DONE");
  });
});

describe("the webhooks of a sandbox", () => {
  it("follow their retry schedule on the sandbox's clock", async () => {
    await sandbox.call("PUT", "/sandbox/v1/webhook", { url: receiver.url, kinds: ["TOPUP"] });
    receiver.behave(500, 500, 500, 200);
    const before = receiver.received.length;
    await buy("topups", "retried-1", "delivered");
    await advance({ by: "10s" });
    expect(receiver.received.length - before).toBe(2);
    await advance({ by: "2m" });
    const attempts = receiver.received.slice(before);
    expect(new Set(attempts.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(attempts).toHaveLength(4);
    for (const attempt of attempts) verifyWebhook<"topupResult">(attempt, sandbox.webhookSecret);
    receiver.behave(200);
  });

  it("arrive twice and reordered if the sandbox's faults require it", async () => {
    const faults = { duplicateWebhooks: true, reorderWebhooks: true };
    await sandbox.call("PUT", "/sandbox/v1/faults", faults);
    expect((await sandbox.call("GET", "/sandbox/v1/faults")).body).toEqual(faults);
    const before = receiver.received.length;
    await buy("topups", "order-a", "delivered");
    await buy("topups", "order-b", "delivered");
    await advance({ by: "1m" });
    await sandbox.call("DELETE", "/sandbox/v1/faults");
    const ids = receiver.received
      .slice(before)
      .map(({ body }) => JSON.parse(body).transactionId as string);
    expect(ids).toEqual(["order-b", "order-b", "order-a", "order-a"]);
  });
});

describe("the faults of a sandbox", () => {
  it.each([
    [429, "RATE_LIMITED"],
    [500, "INTERNAL_ERROR"],
    [503, "SYSTEM_UNAVAILABLE"],
  ])("return %i with %s instead of processing the request", async (status, errorCode) => {
    await sandbox.call("PUT", "/sandbox/v1/faults", { status });
    const refused = await buy("topups", `status-${status}`);
    expect([refused.status, refused.body.errorCode]).toEqual([status, errorCode]);
    await sandbox.call("DELETE", "/sandbox/v1/faults");
    expect((await buy("topups", `status-${status}`)).status).toBe(200);
  });

  it("cut the connection after a purchase was accepted", async () => {
    await sandbox.call("PUT", "/sandbox/v1/faults", { resetAfterAccept: true, latencyMs: 1 });
    await expect(buy("topups", "reset-1", "delivered")).rejects.toThrow("fetch failed");
    await sandbox.call("DELETE", "/sandbox/v1/faults");
    expect((await buy("topups", "reset-1")).body.errorCode).toBe("DUPLICATE_TRANSACTION_ID");
    await advance({ by: "1m" });
    expect((await read("topups", "reset-1")).status).toBe("DONE");
  });

  it("leave the connection of a quote, which ignores scenarios", async () => {
    await sandbox.call("PUT", "/sandbox/v1/faults", { resetAfterAccept: true });
    const body = { ...PURCHASES.topups, transactionId: "quoted-1", validateOnly: true };
    const scenario = { "x-sandbox-scenario": "recipient-invalid" };
    const quoted = await sandbox.call("POST", "/v1/topups/purchases", body, scenario);
    expect([quoted.status, quoted.body.offerId]).toEqual([200, body.offerId]);
    await sandbox.call("DELETE", "/sandbox/v1/faults");
    expect((await buy("topups", "quoted-1")).status).toBe(200);
    await advance({ by: "1m" });
    expect((await read("topups", "quoted-1")).status).toBe("DONE");
  });

  it("cannot be set with an invalid field, which the error names", async () => {
    const { status, body } = await sandbox.call("PUT", "/sandbox/v1/faults", { latencyMs: -1 });
    expect([status, Object.keys(body.fields)]).toEqual([400, ["latencyMs"]]);
  });
});

describe("the command line of a sandbox", () => {
  const type = (args: string) =>
    typeCommand(
      sandbox.folder,
      `sandbox ${args} --url ${sandbox.url} --key ${sandbox.key}`.split(" "),
    );

  it("advances and speeds up the clock, and sets scenarios", async () => {
    const before = await readNow();
    const advanced = JSON.parse((await type("advance 2h --json")).stdout);
    expect(Date.parse(advanced.now) - before).toBeGreaterThanOrEqual(2 * HOUR);
    expect((await type("advance --to-next-deadline")).stdout).toContain("finished: 0");
    expect((await type("speed 60")).stdout).toContain("speed: 60");
    expect((await type("speed 1")).stdout).toContain("speed: 1");
    expect((await type("scenario wallet-empty")).stdout).toContain("wallet-empty");
    expect((await type("scenario --none")).exitCode).toBe(0);
    expect((await type("scenario")).stdout).toContain("provider-timeout-then-done");
  });

  it("reports invalid arguments", async () => {
    expect((await type("advance soon")).stderr).toContain("such as 15m or 24h");
    expect((await type("advance")).stderr).toContain("needs a DURATION");
    const started = await typeCommand(sandbox.folder, ["sandbox", "start"]);
    expect(started.stderr).toContain("--ephemeral");
  });
});

describe("the machine's time in a sandbox", () => {
  it("dates audit entries, while records follow the sandbox's clock", async () => {
    const machineClock = new FakeClock(Date.UTC(2026, 5, 1));
    const gateway = await startTestGateway({ machineClock });
    const { keys, db, accountId } = gateway.gateway.context;
    const { keyId: subject } = await keys.create({ accountId, environment: "test" }, "later");
    const entry = await findLastAudit(db, { accountId, action: "key.create", subject });
    expect(entry?.at).toBe(machineClock.now());
    await gateway.v1("POST", "/topups/purchases", { ...PURCHASES.topups, transactionId: "a-1" });
    const { body } = await gateway.v1("GET", "/topups/purchases/a-1");
    expect(body.createdAt).toBe(toTimestamp(gateway.clock.now()));
    await gateway.close();
  });
});
