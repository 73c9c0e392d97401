import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../lib/clock.ts";
import { markAskedForADay } from "../../testing/asked-for-a-day.ts";
import {
  acceptHonestly,
  type Behaviour,
  type FakeUpstream,
  startFakeUpstream,
} from "../../testing/fake-upstream.ts";
import { giveLiveCatalog } from "../../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../../testing/test-gateway.ts";

/**
 * Checks for each behaviour of the upstream that it fulfils a purchase at most once, that only a
 * fulfilled purchase is DONE at this gateway, and that the books are in order.
 */
const OFFER = "TIGO_GT_TOPUP_25";
const COST = 297;
const FUNDS = 100_000;
const KEY = "test_a-secret-of-the-upstream-0123456789";
const OWNER = { accountId: "default", environment: "live", staffId: undefined } as const;

let till: TestGateway;
let upstream: FakeUpstream;
let elsewhere: Server;
let strays: string[];

beforeEach(async () => {
  till = await startTestGateway();
  upstream = await startFakeUpstream(till.clock);
  strays = [];
  elsewhere = createServer((request, response) => {
    strays.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end("{}");
  });
  await new Promise<void>((resolve) => {
    elsewhere.listen(0, "127.0.0.1", resolve);
  });
  await giveLiveCatalog(till, [OFFER]);
  const { context } = till.gateway;
  await context.recharges.recharge(OWNER, FUNDS);
  await context.upstream.connect(OWNER, { baseUrl: upstream.url, key: KEY, allowPrivate: true });
  await till.settle();
});

afterEach(async () => {
  await settleResponses();
  await till.expectCleanBooks();
  expect(strays).toEqual([]);
  await till.close();
  await upstream.close();
  elsewhere.close();
});

async function settleResponses(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await till.settle();
    await Promise.race([till.gateway.context.engine.idle(), upstream.stuck()]);
  }
  await till.settle();
}

async function pass(milliseconds: number): Promise<void> {
  const { clock } = till;
  const target = clock.now() + milliseconds;
  for (;;) {
    await settleResponses();
    const next = clock.nextTimer();
    if (next === undefined || next > target) break;
    clock.set(Math.max(next, clock.now()));
    await upstream.givenUp(clock.now() - 30 * SECOND);
  }
  clock.set(target);
  await settleResponses();
}

/** Advances the clock in one step, and marks the inquiries of the skipped time as made. */
async function advanceAtOnce(milliseconds: number): Promise<void> {
  // The engine keeps a purchase in memory for the first minute.
  await pass(2 * MINUTE);
  await markAskedForADay(till);
  till.clock.set(till.clock.now() + milliseconds);
  await pass(SECOND);
}

async function buy(transactionId = "sale-1"): Promise<void> {
  const body = { offerId: OFFER, transactionId, recipientPhoneNumber: "+50251234567" };
  const answer = await till.v1("POST", "/topups/purchases", body, "live");
  expect(answer.body).toEqual({ status: "ACCEPTED", transactionId });
  await settleResponses();
}

async function read(transactionId = "sale-1") {
  return (await till.v1("GET", `/topups/purchases/${transactionId}`, undefined, "live")).body;
}

async function available(): Promise<number> {
  return (await till.v1("GET", "/balance", undefined, "live")).body.availableBalance;
}

async function outcomeAfter(milliseconds: number) {
  await buy();
  await (milliseconds < DAY ? pass(milliseconds) : advanceAtOnce(milliseconds));
  const { status, error } = await read();
  return { status, code: error?.code, fulfilled: upstream.books.size, left: await available() };
}

const DELIVERED = { status: "DONE", code: undefined, fulfilled: 1, left: FUNDS - COST };

function flood({ response }: Parameters<Behaviour>[0]): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(`{"transactionId":"sale-1","status":"ACCEPTED","x":"${"x".repeat(10_000_000)}"}`);
}

function drip({ response, hang }: Parameters<Behaviour>[0]): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"status":"ACCEPTED"');
  hang();
}

const UNCLEAR: [string, (on: Parameters<Behaviour>[0]) => void][] = [
  ["hangs", ({ hang }) => hang()],
  ["cuts the connection", ({ request }) => request.socket.destroy()],
  ["redirects", ({ response }) => redirect(response)],
  ["answers 10 MB", flood],
  ["drips", drip],
  ["answers no JSON", ({ response }) => response.end("<html>welcome</html>")],
  ["answers 200 with an error inside", ({ reply }) => reply(200, { errorCode: "X", message: "" })],
  ["answers for another", ({ reply }) => reply(200, { status: "DONE", transactionId: "other" })],
  ["has no status", ({ reply, body }) => reply(200, { ...body, status: 7 })],
  ["answers 500", ({ reply }) => reply(500, { errorCode: "E", message: "", fields: {} })],
  ["answers 503", ({ reply }) => reply(503, {})],
];

function redirect(response: Parameters<Behaviour>[0]["response"]): void {
  const { port } = elsewhere.address() as AddressInfo;
  response.writeHead(307, { location: `http://127.0.0.1:${port}/v1/topups/purchases` }).end();
}

describe("an honest upstream", () => {
  it("receives a purchase once, with this gateway's id, and determines the outcome", async () => {
    expect(await outcomeAfter(SECOND)).toEqual(DELIVERED);
    expect([...upstream.submissions]).toEqual([["sale-1", 1]]);
    expect(upstream.books.get("sale-1")).toMatchObject({
      offerId: OFFER,
      recipientPhoneNumber: "+50251234567",
    });
    expect((await read()).confirmation.externalReferenceId).toBe("X-sale-1");
  });

  it("may send null, lower-case states and unknown states", async () => {
    const honest = upstream.ask;
    const blanks = { error: null, receipt: null, fields: null, recipientPhoneNumber: null };
    let asked = 0;
    upstream.submit = ({ accept, reply }) => {
      const { transactionId } = accept();
      reply(200, { transactionId, status: "queued_for_carrier", error: null });
    };
    upstream.ask = (exchange) => {
      const record = upstream.books.get(exchange.body.transactionId);
      const status = asked++ < 3 ? "AWAITING_CARRIER" : "done";
      exchange.reply(200, { ...record, ...blanks, status });
    };
    expect(await outcomeAfter(MINUTE)).toEqual(DELIVERED);
    expect([asked, upstream.submissions.get("sale-1")]).toEqual([4, 1]);
    upstream.ask = honest;
  });

  it("receives status inquiries after a second, and from then on at growing intervals of at most a minute", async () => {
    const done = upstream.ask;
    const asked: number[] = [];
    upstream.ask = ({ reply, body }) => {
      asked.push(till.clock.now());
      reply(200, { transactionId: body.transactionId, status: "IN_PROGRESS" });
    };
    await buy();
    await pass(10 * MINUTE);
    const pauses = asked.slice(1).map((at, n) => at - (asked[n] ?? 0));
    expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses);
    expect(pauses.length).toBeGreaterThan(10);
    expect(pauses.at(-1)).toBe(MINUTE);
    upstream.ask = done;
    await pass(MINUTE);
    expect((await read()).status).toBe("DONE");
  });
});

describe("a submission without a clear response", () => {
  it.each(UNCLEAR)(
    "becomes DONE by a status inquiry if the upstream accepted it and %s",
    async (_, lie) => {
      upstream.submit = (exchange) => {
        exchange.accept();
        lie(exchange);
      };
      expect(await outcomeAfter(MINUTE)).toEqual(DELIVERED);
      expect(upstream.submissions.get("sale-1")).toBe(1);
    },
  );

  it.each(UNCLEAR)(
    "leads to a resubmission after 15 minutes if the upstream did not accept it and %s",
    async (_, lie) => {
      upstream.submit = lie;
      await buy();
      await pass(14 * MINUTE);
      expect((await read()).status).toBe("IN_PROGRESS");
      expect(upstream.submissions.get("sale-1")).toBe(1);
      upstream.submit = acceptHonestly;
      await pass(2 * MINUTE);
      expect((await read()).status).toBe("DONE");
      expect([upstream.books.size, upstream.submissions.get("sale-1")]).toEqual([1, 2]);
      expect(await available()).toBe(FUNDS - COST);
    },
  );
});

describe("an unreachable upstream", () => {
  it("causes another attempt at the next retry time", async () => {
    await upstream.down();
    await buy();
    const { log } = await read();
    expect(log.at(-1).statusMessage).toMatch(
      /^Attempt 1 failed: the provider was not reached: Nothing listens/,
    );
    await upstream.up();
    await pass(15 * MINUTE + SECOND);
    expect((await read()).status).toBe("DONE");
    expect(upstream.books.size).toBe(1);
  });

  it("lets the purchase fail after 24 hours, which releases the hold", async () => {
    await upstream.down();
    const outcome = await outcomeAfter(DAY);
    const code = "RETRY_WINDOW_EXPIRED";
    expect(outcome).toEqual({ status: "FAILED", code, fulfilled: 0, left: FUNDS });
  });
});

describe("a response to a status inquiry", () => {
  const confirmation = { confirmationNumber: "1", externalReferenceId: "2", transactionTime: "" };
  const claim = { transactionId: "sale-1", status: "DONE", offerId: OFFER, confirmation };
  it.each([
    ["confirms nothing", { confirmation: undefined }],
    ["has a negative cost", { cost: -297 }],
    ["names another offer", { offerId: "CLARO_GT_TOPUP_25" }],
    ["formats the number otherwise", { recipientPhoneNumber: "502 5123 4567" }],
    ["has texts that are numbers", { confirmation: { confirmationNumber: 1 } }],
  ])("determines the outcome by its status if it %s", async (_, parts) => {
    upstream.ask = ({ reply }) => reply(200, { ...claim, ...parts });
    expect(await outcomeAfter(SECOND)).toEqual(DELIVERED);
  });

  it.each([
    ["is of another transaction", { transactionId: "sale-2" }],
    ["has a status of its own", { status: "SOLD" }],
    ["has no status", { status: undefined }],
  ])("leaves the outcome to the owner if it %s for a day", async (_, parts) => {
    upstream.ask = ({ reply }) => reply(200, { ...claim, ...parts });
    const { status, code, left } = await outcomeAfter(DAY);
    expect([status, code, left]).toEqual(["FAILED", "RETRY_WINDOW_EXPIRED", FUNDS]);
    const row = await till.gateway.context.db
      .selectFrom("transactions")
      .select("needs_reconciliation")
      .where("transaction_id", "=", "sale-1")
      .executeTakeFirst();
    expect(row?.needs_reconciliation).toBe(1);
  });

  it("causes only a few resubmissions if the upstream accepts the purchase and always denies having it", async () => {
    upstream.submit = ({ reply, body }) =>
      reply(200, { status: "ACCEPTED", transactionId: body.transactionId });
    await buy();
    await pass(30 * MINUTE);
    expect(upstream.submissions.get("sale-1")).toBeLessThan(6);
    upstream.submit = acceptHonestly;
    await pass(16 * MINUTE);
    expect((await read()).status).toBe("DONE");
  });
});

describe("the upstream provider", () => {
  it.each([
    ["RECIPIENT_INVALID", "RECIPIENT_INVALID"],
    ["PROVIDER_REJECTED", "PROVIDER_REJECTED"],
    ["PRICE_CHANGED", "PRICE_CHANGED"],
    ["INSUFFICIENT_FUNDS", "INSUFFICIENT_FUNDS"],
    ["RETRY_WINDOW_EXPIRED", "PROVIDER_REJECTED"],
    ["PROVIDER_NOT_CONFIGURED", "PROVIDER_REJECTED"],
    ["SOMETHING_NEW", "PROVIDER_REJECTED"],
  ])("maps the failure %s to %s, and charges nothing", async (theirs, ours) => {
    upstream.ask = ({ reply, body }) =>
      reply(200, {
        transactionId: body.transactionId,
        status: "FAILED",
        error: { code: theirs, message: `No, ${KEY}, never.` },
      });
    const { status, code, left } = await outcomeAfter(SECOND);
    expect([status, code, left]).toEqual(["FAILED", ours, FUNDS]);
    expect(JSON.stringify(await read())).not.toContain(KEY);
    const { stored } = await till.gateway.context.upstream.getStatus(OWNER);
    expect(stored?.fault?.kind).toBe(theirs === "INSUFFICIENT_FUNDS" ? "FUNDS_SHORT" : undefined);
  });

  it.each([
    [400, "OFFER_DISABLED", {}, "PROVIDER_REJECTED"],
    [400, "VALUE_OUT_OF_RANGE", {}, "PROVIDER_REJECTED"],
    [400, "INVALID_REQUEST", { recipientPhoneNumber: "must be" }, "RECIPIENT_INVALID"],
  ])(
    "treats status %s %s of a submission as a final refusal",
    async (status, errorCode, fields, ours) => {
      upstream.submit = ({ reply }) => reply(status, { errorCode, message: "No.", fields });
      const outcome = await outcomeAfter(SECOND);
      expect(outcome).toEqual({ status: "FAILED", code: ours, fulfilled: 0, left: FUNDS });
    },
  );

  it.each([
    [401, "NOT_AUTHORIZED", "KEY_REFUSED"],
    [403, "FORBIDDEN", "KEY_REFUSED"],
    [429, "RATE_LIMITED", undefined],
  ])("retries after status %s", async (status, errorCode, fault) => {
    upstream.submit = ({ reply }) => reply(status, { errorCode, message: "No.", fields: {} });
    await buy();
    expect((await read()).log.at(-1).statusMessage).toMatch(
      /^Attempt 1 failed: the provider refused/,
    );
    const { stored } = await till.gateway.context.upstream.getStatus(OWNER);
    expect(stored?.fault?.kind).toBe(fault);
    upstream.submit = acceptHonestly;
    await pass(16 * MINUTE);
    expect((await read()).status).toBe("DONE");
  });

  it("completes a purchase that the upstream reports as a duplicate, unless another purchase has the id", async () => {
    const error = { errorCode: "DUPLICATE_TRANSACTION_ID", message: "Used.", fields: {} };
    upstream.submit = ({ accept, reply }) => {
      accept();
      reply(400, error);
    };
    expect(await outcomeAfter(SECOND)).toEqual(DELIVERED);
    upstream.submit = ({ reply, body }) => {
      upstream.books.set(body.transactionId, { ...body, status: "DONE", offerId: "OTHER" });
      reply(400, error);
    };
    await buy("sale-2");
    expect((await read("sale-2")).error.code).toBe("PROVIDER_REJECTED");
    expect(await available()).toBe(FUNDS - COST);
  });

  it("completes the sale and notifies the owner if the cost differs", async () => {
    upstream.submit = (exchange) => {
      exchange.accept().cost = COST + 10;
      acceptHonestly(exchange);
    };
    expect(await outcomeAfter(SECOND)).toEqual(DELIVERED);
    const { stored } = await till.gateway.context.upstream.getStatus(OWNER);
    expect(stored?.fault).toMatchObject({ kind: "COST_DIFFERS" });
  });
});

describe("an upstream's refusal", () => {
  const lost: Behaviour = ({ accept, request }) => {
    accept();
    request.socket.destroy();
  };
  const lagging: Behaviour = ({ reply }) =>
    reply(404, { errorCode: "NOT_FOUND", message: "There is no such thing." });

  it.each([
    [400, { errorCode: "OFFER_DISABLED", message: "No." }],
    [400, { errorCode: "OFFER_DISABLED", message: "No.", fields: {}, hint: [1], retry: false }],
    [422, { error: { code: "offer-disabled", message: "No." } }],
    [500, { errorCode: "OFFER_DISABLED", message: "No." }],
    [200, { errorCode: "OFFER_DISABLED", message: "No." }],
    [400, { message: "No." }],
    [400, { errorCode: 1007, message: "No." }],
  ])("ends the purchase in every form: %s %j", async (status, body) => {
    upstream.submit = ({ reply }) => reply(status, body);
    const code = "PROVIDER_REJECTED";
    expect(await outcomeAfter(SECOND)).toEqual({
      status: "FAILED",
      code,
      fulfilled: 0,
      left: FUNDS,
    });
  });

  it.each([[409, { errorCode: "CONFLICT", message: "Used." }]])(
    "keeps the hold if it shows that a purchase with a lost response is booked: %s %j",
    keepHold,
  );

  it.each<[number, object]>([
    [400, { errorCode: "DUPLICATE_TRANSACTION_ID", message: "Used.", fields: {} }],
    [409, { message: "Used." }],
  ])(
    "keeps the hold if it shows that a purchase with a lost response is booked: %s %j",
    { tags: ["thorough"] },
    keepHold,
  );

  async function keepHold(status: number, body: object): Promise<void> {
    const honest = upstream.ask;
    upstream.submit = lost;
    upstream.ask = lagging;
    await buy();
    upstream.submit = ({ reply }) => reply(status, body);
    await pass(23 * HOUR);
    expect((await read()).status).toBe("IN_PROGRESS");
    expect(upstream.submissions.get("sale-1")).toBe(2);
    upstream.ask = honest;
    await pass(HOUR);
    expect((await read()).status).toBe("DONE");
    expect(await available()).toBe(FUNDS - COST);
  }

  it("causes one more status inquiry after an unknown outcome", async () => {
    const honest = upstream.ask;
    upstream.submit = lost;
    upstream.ask = lagging;
    await buy();
    upstream.submit = ({ reply }) => {
      upstream.ask = honest;
      reply(400, { errorCode: "OFFER_DISABLED", message: "No.", fields: {} });
    };
    await pass(16 * MINUTE);
    expect((await read()).status).toBe("DONE");
    expect(await available()).toBe(FUNDS - COST);
  });

  it("does not fail a purchase that the upstream booked if a lagging replica denies it", async () => {
    const honest = upstream.ask;
    let asked = 0;
    upstream.ask = (exchange) => {
      asked += 1;
      return asked <= 2 ? lagging(exchange) : honest(exchange);
    };
    upstream.submit = ({ accept, reply }) => {
      accept();
      reply(503, {});
    };
    await buy();
    upstream.submit = ({ reply }) => reply(400, { errorCode: "OFFER_DISABLED", message: "No." });
    await pass(16 * MINUTE);
    expect((await read()).status).toBe("DONE");
    expect(await available()).toBe(FUNDS - COST);
  });

  it("does not let a purchase whose response was lost expire without another status inquiry", {
    tags: ["thorough"],
  }, async () => {
    const honest = upstream.ask;
    upstream.submit = lost;
    upstream.ask = lagging;
    await buy();
    upstream.submit = ({ reply }) => reply(429, { errorCode: "RATE_LIMITED", message: "Later." });
    await pass(23 * HOUR);
    upstream.ask = honest;
    await pass(2 * HOUR);
    expect((await read()).status).toBe("DONE");
  });

  it.each([
    [429, "1", SECOND],
    [503, "1", SECOND],
    [503, "120", 2 * MINUTE],
    [429, "86400", 15 * MINUTE],
    [503, undefined, 15 * MINUTE],
    [429, "soon", 15 * MINUTE],
  ])(
    "with status %s and Retry-After %s delays the next attempt by %s ms",
    async (status, retryAfter, wait_ms) => {
      upstream.submit = ({ response }) => {
        response.writeHead(status, {
          "content-type": "application/json",
          ...(retryAfter !== undefined && { "retry-after": retryAfter }),
        });
        response.end(JSON.stringify({ errorCode: "RATE_LIMITED", message: "Later.", fields: {} }));
      };
      await buy();
      upstream.submit = acceptHonestly;
      await pass(wait_ms - 1);
      expect(upstream.submissions.get("sale-1")).toBe(1);
      await pass(2 * SECOND);
      expect((await read()).status).toBe("DONE");
    },
  );

  it.each([
    ["1", 11],
    ["60", 2],
  ])(
    "pauses the brand after 503 and Retry-After %s for a minute, with %s inquiries for a purchase",
    async (retryAfter, inquiries) => {
      upstream.submit = ({ response }) => {
        response.writeHead(503, { "content-type": "application/json", "retry-after": retryAfter });
        response.end(JSON.stringify({ errorCode: "SYSTEM_UNAVAILABLE", message: "Full." }));
      };
      upstream.ask = upstream.submit;
      for (let number = 1; number <= 5; number++) await buy(`sale-${number}`);
      await pass(61 * SECOND);
      const asked = upstream.questions.filter((id) => id === "sale-1");
      expect(asked).toHaveLength(inquiries);
      await buy("later");
      expect((await read("later")).status).toBe("PENDING");
    },
  );

  it("pauses the brand at once if the upstream refuses for a minute, and states no purchase", async () => {
    upstream.submit = ({ response }) => {
      response.writeHead(503, { "content-type": "application/json", "retry-after": "60" });
      response.end(JSON.stringify({ errorCode: "SYSTEM_UNAVAILABLE", message: "Full." }));
    };
    for (let number = 1; number <= 5; number++) await buy(`sale-${number}`);
    await buy("later");
    expect((await read("later")).status).toBe("PENDING");
    upstream.submit = acceptHonestly;
    await pass(61 * SECOND);
    expect([(await read("sale-1")).status, (await read("later")).status]).toEqual(["DONE", "DONE"]);
  });

  it("alerts the owner if the reason is insufficient funds", async () => {
    upstream.submit = ({ reply }) =>
      reply(400, { errorCode: "INSUFFICIENT_FUNDS", message: "The wallet is short." });
    const code = "INSUFFICIENT_FUNDS";
    expect(await outcomeAfter(SECOND)).toEqual({
      status: "FAILED",
      code,
      fulfilled: 0,
      left: FUNDS,
    });
    const { stored } = await till.gateway.context.upstream.getStatus(OWNER);
    expect(stored?.fault?.kind).toBe("FUNDS_SHORT");
  });
});

describe("an upstream that never responds", () => {
  it("does not delay the test environment or other kinds of work", async () => {
    upstream.ask = ({ hang }) => hang();
    const body = { offerId: OFFER, recipientPhoneNumber: "+50251234567" };
    for (let n = 0; n < 20; n++) {
      await till.v1("POST", "/topups/purchases", { ...body, transactionId: `live-${n}` }, "live");
    }
    const { engine } = till.gateway.context;
    while (upstream.submissions.size < 20) await engine.idle();
    await engine.idle();
    till.clock.set(till.clock.now() + SECOND);
    await upstream.stuck();
    await till.v1("POST", "/topups/purchases", { ...body, transactionId: "practice" });
    let status = "";
    while (status !== "DONE") {
      till.clock.set(till.clock.now() + 10);
      status = (await till.v1("GET", "/topups/purchases/practice")).body.status;
    }
    upstream.ask = ({ reply }) => reply(503, {});
    till.clock.set(till.clock.now() + MINUTE);
    await till.settle();
  });
});
