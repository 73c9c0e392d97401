import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Clock } from "../lib/clock.ts";
import { PROGRAM_DIR } from "../program.ts";
import { writerOf } from "../testing/direct-writes.ts";
import { typeCommand } from "../testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { openTill } from "../testing/test-till.ts";
import { CHECKS, type ConformanceReport, testConformance } from "./conformance.ts";

/** A catalog with every family, RANGE and disabled offers, and redemption instructions. */
const BRANDS = ["TIGO", "MOVISTAR", "DU", "ESKOM", "HOME_DEPOT", "AIRALO", "AYSA"];

let office: TestGateway;
const others: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  office = await startTestGateway();
  const { db } = office.gateway.context;
  await writerOf(db).deleteFrom("offers").where("brand", "not in", BRANDS).execute();
  await writerOf(db).deleteFrom("brands").where("brand", "not in", BRANDS).execute();
  await writerOf(db)
    .updateTable("catalogs")
    .set((row) => ({ version: row("version", "+", 1) }))
    .execute();
});
afterEach(async () => {
  for (const other of others.splice(0).reverse()) await other.close();
  await office.expectCleanBooks();
  await office.close();
});

/** Time passes in all gateways, one after another, whenever the kit pauses. */
function clockOf(...gateways: TestGateway[]): Clock {
  return {
    now: () => office.clock.now(),
    running: () => office.clock.running(),
    wakeAt(at, callback) {
      const wait_ms = at - office.clock.now();
      void (async () => {
        for (const gateway of gateways) await gateway.advance(wait_ms);
        for (const gateway of gateways) await gateway.settle();
        callback();
      })();
      return () => {};
    },
  };
}

function run(url: string, key: string, gateways: TestGateway[]): Promise<ConformanceReport> {
  const clock = clockOf(...gateways);
  const recipient = "+50251234567";
  return testConformance({ url, key, isTest: true, sells: true, recipient, clock });
}

function unpassed({ checks }: ConformanceReport) {
  return checks.filter(({ result }) => result !== "passed");
}

describe("the conformance kit", () => {
  it("passes on this gateway, and refers to rules that exist", async () => {
    const report = await run(office.url, office.key("test"), [office]);
    expect(unpassed(report)).toEqual([]);
    expect(report).toMatchObject({ passed: CHECKS.length, failed: 0, skipped: 0 });
    const rules = readFileSync(join(PROGRAM_DIR, "docs/rules.md"), "utf8");
    const clauses = new Set(CHECKS.map(({ clause }) => clause));
    expect([...clauses].filter((clause) => !rules.includes(`id="${clause}"`))).toEqual([]);
  });

  it("passes on a gateway that sells through another gateway", { tags: ["thorough"] }, async () => {
    const shop = await startTestGateway();
    others.push(shop);
    const owner = await openTill(shop);
    const scope = { accountId: "default", environment: "live", staffId: undefined } as const;
    await shop.gateway.context.recharges.recharge(scope, 100_000);
    const there = { baseUrl: office.url, key: office.key("test"), allowPrivate: true };
    expect((await owner.pos("PUT", "/upstream", there)).status).toBe(200);
    await shop.settle();
    const report = await run(`${shop.url}/v1/`, shop.key("live"), [shop, office, shop]);
    const name = "The test environment knows four patterns of numbers";
    expect(unpassed(report)).toMatchObject([{ name, result: "skipped" }]);
  });

  it("names every planted difference of a wrong gateway", { tags: ["thorough"] }, async () => {
    const proxy = await startWrongGateway(office.url);
    others.push(proxy);
    const report = await run(proxy.url, office.key("test"), [office]);
    const failed = report.checks.filter(({ result }) => result === "failed");
    for (const { plant, check, names } of PLANTS) {
      const found = failed.find(({ name }) => name === check);
      const texts = found?.differences.map(({ expected, came }) => `${expected} | ${came}`) ?? [];
      expect([plant, texts.join("\n")]).toEqual([plant, expect.stringMatching(names)]);
    }
    expect(report.failed).toBe(failed.length);
  });
});

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}
interface Answer {
  status: number;
  readonly headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a plant changes any answer.
  body: any;
}
interface Plant {
  readonly plant: string;
  /** Name of the check that must name the difference. */
  readonly check: string;
  readonly names: RegExp;
  /** Changes the request before it is forwarded. */
  request?(exchange: Exchange): string | undefined;
  /** Changes the body before it is forwarded. */
  send?(exchange: Exchange, body: string): string;
  readonly on?: RegExp;
  change?(answer: Answer, exchange: Exchange): void;
}

const PLANTS: readonly Plant[] = [
  {
    plant: "another status",
    check: "GET /balance requires the key",
    names: /401 NOT_AUTHORIZED \| 403/,
    on: /^GET \/v1\/balance$/,
    change: (answer) => {
      if (answer.status === 401) answer.status = 403;
    },
  },
  {
    plant: "another error code",
    check: "An unknown offer is OFFER_NOT_FOUND",
    names: /OFFER_NOT_FOUND \| 400 .*OFFER_UNKNOWN/,
    on: /^POST \/v1\/topups\/purchases$/,
    change: ({ body }) => {
      if (body.errorCode === "OFFER_NOT_FOUND") body.errorCode = "OFFER_UNKNOWN";
    },
  },
  {
    plant: "a missing field",
    check: "GET /topups/offers/{offerId} answers with its record",
    names: /\.notes is missing/,
    on: /^GET \/v1\/topups\/offers\/[A-Z]/,
    change: ({ body }) => {
      delete body.notes;
    },
  },
  {
    plant: "a number as text",
    check: "GET /promos answers with its record",
    names: /minValue is not integer/,
    on: /^GET \/v1\/promos\?/,
    change: ({ body }) => {
      for (const promo of body.list ?? []) promo.minValue = String(promo.minValue);
    },
  },
  {
    plant: "a fraction of a minor unit",
    check: "GET /esim/offers answers with its record",
    names: /cost\.fixed is not integer/,
    on: /^GET \/v1\/esim\/offers\?/,
    change: ({ body }) => {
      for (const offer of body.list ?? []) offer.cost.fixed += 0.5;
    },
  },
  {
    plant: "an id that is not idempotent",
    check: "A repeated purchase of topups is DUPLICATE_TRANSACTION_ID",
    names: /DUPLICATE_TRANSACTION_ID \| 200/,
    on: /^POST \/v1\/topups\/purchases$/,
    change: (answer) => {
      if (answer.body.errorCode !== "DUPLICATE_TRANSACTION_ID") return;
      Object.assign(answer, { status: 200, body: { status: "ACCEPTED", transactionId: "again" } });
    },
  },
  {
    plant: "a list in another order",
    check: "GET /vouchers/offers is newest first, then by id",
    names: /newest first/,
    on: /^GET \/v1\/vouchers\/offers\?/,
    change: ({ body }) => body.list?.reverse(),
  },
  {
    plant: "no request id",
    check: "GET /brands answers with its record",
    names: /x-request-id/,
    on: /^GET \/v1\/brands\?/,
    change: ({ headers }) => {
      delete headers["x-request-id"];
    },
  },
  {
    plant: "no challenge beside 401",
    check: "GET /promos requires the key",
    names: /WWW-Authenticate/,
    on: /^GET \/v1\/promos$/,
    change: ({ headers }) => {
      delete headers["www-authenticate"];
    },
  },
  {
    plant: "an inexact total",
    check: "GET /transactions pages without gaps and has an exact total",
    names: /last place: 1 \| 0/,
    on: /^GET \/v1\/transactions\?/,
    change: ({ body }) => {
      body.total += 1;
    },
  },
  {
    plant: "null instead of an empty list",
    check: "GET /brands/{brand} answers with its record",
    names: /inputMasks is not a list/,
    on: /^GET \/v1\/brands\/AIRALO$/,
    change: ({ body }) => {
      body.inputMasks = null;
    },
  },
  {
    plant: "a time without milliseconds",
    check: "GET /reports/transactions/{reportId} answers with its record",
    names: /createdAt is not time/,
    on: /^GET \/v1\/reports\/transactions\/[^/]+$/,
    change: ({ body }) => {
      if (body.createdAt) body.createdAt = body.createdAt.replace(/\.\d+Z/, "Z");
    },
  },
  {
    plant: "an ignored filter",
    check: "A filtered list of billpay offers has only what fits",
    names: /brand=AYSA/,
    on: /^GET \/v1\/billpay\/offers\?.*brand=AYSA/,
    change: ({ body }) => body.list?.push({ ...body.list[0], offerId: "OTHER", brand: "OTHER" }),
  },
  {
    plant: "a larger page than 1,024",
    check: "GET /esim/offers refuses illegal and missing values by name",
    names: /_limit=1025.* \| 200/,
    request: ({ path }) => path.replace(/(\/esim\/offers\?.*)_limit=1025/, "$1_limit=1024"),
  },
  {
    plant: "another envelope of errors",
    check: "GET /promos/conformance-no-such-id is NOT_FOUND",
    names: /404 NOT_FOUND \| 404 \{"error"/,
    on: /^GET \/v1\/promos\/conformance/,
    change: (answer) => {
      answer.body = { error: { code: "NOT_FOUND" } };
    },
  },
  {
    plant: "a log in another order",
    check: "The log of a purchase of vouchers goes from ACCEPTED to DONE",
    names: /first status: ACCEPTED \| DONE/,
    on: /^GET \/v1\/vouchers\/purchases\/conformance/,
    change: ({ body }) => body.log?.reverse(),
  },
  {
    plant: "a transaction of another amount",
    check: "A purchase of billpay is also a transaction",
    names: /amount, type and status/,
    on: /^GET \/v1\/transactions\/conformance/,
    change: ({ body }) => {
      body.amount += 1;
    },
  },
  {
    plant: "a status in lower case",
    check: "A purchase of esim is DONE with its record",
    names: /DONE.* \| .*done/,
    on: /^GET \/v1\/esim\/purchases\/conformance[^/]*$/,
    change: ({ body }) => {
      if (body.status === "DONE") body.status = "done";
    },
  },
  {
    plant: "a second refund",
    check: "An eSIM is refunded once, as a CREDIT of its cost",
    names: /REFUND_NOT_ALLOWED \| 200/,
    on: /^POST \/v1\/esim\/purchases\/[^/]+\/refund$/,
    change: (answer) => {
      if (answer.body.errorCode !== "REFUND_NOT_ALLOWED") return;
      Object.assign(answer, { status: 200, body: { status: "REQUESTED" } });
    },
  },
  {
    plant: "no 304",
    check: "The offers of topups have a tag, and 304 while nothing changed",
    names: /304 \| 200/,
    request: ({ path, headers }) => {
      if (path.startsWith("/v1/topups/offers?")) delete headers["if-none-match"];
      return undefined;
    },
  },
  {
    plant: "404 for another method",
    check: "Another method is refused and Allow names the right ones",
    names: /405 METHOD_NOT_ALLOWED \| 404/,
    on: /^DELETE /,
    change: (answer) => {
      answer.status = 404;
    },
  },
  {
    plant: "another carrier",
    check: "The test environment knows four patterns of numbers",
    names: /Claro GT \| America Movil GT/,
    on: /phonenumberlookup\/\+50231234567$/,
    change: ({ body }) => {
      body.brand = "America Movil";
    },
  },
  {
    plant: "another code for a wrong value",
    check: "A RANGE offer needs a value within its limits",
    names: /VALUE_OUT_OF_RANGE \| 400 .*INVALID_VALUE/,
    on: /^POST \/v1\/topups\/purchases$/,
    change: ({ body }) => {
      if (body.errorCode === "VALUE_OUT_OF_RANGE") body.errorCode = "INVALID_VALUE";
    },
  },
  {
    plant: "no rate limit headers",
    check: "Answers state the rate limit of the key",
    names: /ratelimit-remaining/,
    on: /^GET \/v1\/balance$/,
    change: ({ headers }) => {
      delete headers["ratelimit-remaining"];
    },
  },
  ...(["send", "price", "priceBase"] as const).map((name) => ({
    plant: `another ${name} in the record of a top-up`,
    check: "A purchase of topups has the amounts of its offer",
    names: new RegExp(`the record: ${name}: \\d+ \\| \\d+`),
    on: /^GET \/v1\/topups\/purchases\/conformance/,
    change: ({ body }: Answer) => {
      body[name] += 1;
    },
  })),
  {
    plant: "another delivered amount in the record of a voucher",
    check: "A purchase of vouchers has the amounts of its offer",
    names: /the record: send: \d+ \| \d+/,
    on: /^GET \/v1\/vouchers\/purchases\/conformance/,
    change: ({ body }) => {
      body.send += 1;
    },
  },
  {
    plant: "another amount in the list of transactions",
    check: "A row of GET /transactions equals its record",
    names: /amount: \d+ \| \d+/,
    on: /^GET \/v1\/transactions\?/,
    change: ({ body }) => {
      // Another plant adds 1 to the records.
      for (const row of body.list ?? []) row.amount += 2;
    },
  },
  {
    plant: "another cost of a retrieved bill",
    check: "A bill has the amounts of its offer",
    names: /the bill: cost: \d+ \| \d+/,
    on: /^GET \/v1\/billpay\/offers\/[^/]+\/bill\?/,
    change: ({ body }) => {
      body.cost += 1;
    },
  },
  {
    plant: "more data than a plan has",
    check: "The plans of an eSIM state the data of its purchase",
    names: /remainingDataGB ≤ initialDataGB/,
    on: /^GET \/v1\/esim\/\d+\/plans/,
    change: ({ body }) => {
      for (const plan of body.list ?? []) plan.remainingDataGB += 1;
    },
  },
  {
    plant: "another amount in a report",
    check: "A report has the amounts of a purchase of esim",
    names: /the row: cost: (\d+) \| 1\1$/m,
    on: /^GET \/v1\/reports\/transactions\/[^/]+\/transactions-/,
    change: (answer) => {
      const text = answer.body.toString().replace(/,(\d+),([A-Z]{3}),(\d+),/g, ",1$1,$2,$3,");
      answer.body = Buffer.from(text);
    },
  },
  {
    plant: "a purchase instead of a quote",
    check: "A quote of vouchers equals its purchase and buys nothing",
    names: /404 NOT_FOUND \| 200/,
    send: ({ path }, body) =>
      path === "/v1/vouchers/purchases" ? body.replace(/,"validateOnly":true/, "") : body,
  },
];

async function startWrongGateway(upstream: string) {
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "GET";
    const exchange = { method, path: request.url ?? "/", headers: { ...request.headers } };
    let path = exchange.path;
    for (const plant of PLANTS) path = plant.request?.({ ...exchange, path }) ?? path;
    const { authorization, "content-type": type, accept } = exchange.headers;
    const tag = exchange.headers["if-none-match"];
    const sent = PLANTS.reduce(
      (body, { send }) => send?.(exchange, body) ?? body,
      (await buffer(request)).toString(),
    );
    const honest = await fetch(upstream + path, {
      method,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(type !== undefined && { "content-type": type }),
        ...(accept !== undefined && { accept }),
        ...(tag !== undefined && { "if-none-match": tag }),
      },
      ...(sent.length > 0 && { body: sent }),
    });
    const bytes = Buffer.from(await honest.arrayBuffer());
    const headers = Object.fromEntries(honest.headers);
    for (const name of ["content-length", "content-encoding", "transfer-encoding", "connection"]) {
      delete headers[name];
    }
    const isJson = headers["content-type"]?.startsWith("application/json") && bytes.length > 0;
    const answer: Answer = {
      status: honest.status,
      headers,
      body: isJson ? JSON.parse(bytes.toString()) : bytes,
    };
    for (const { on, change } of PLANTS) {
      if (on?.test(`${method} ${exchange.path}`)) change?.(answer, exchange);
    }
    response.writeHead(answer.status, answer.headers);
    response.end(isJson ? JSON.stringify(answer.body) : answer.body);
  }

  const server = createServer((request, response) => {
    forward(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe("tillgate conformance", () => {
  it("buys nothing with a live key, and prints results and exit status", async () => {
    const args = ["conformance", office.url, "--key", office.key("live")];
    const { exitCode, stdout, stderr } = await typeCommand(office.dataDir, [...args, "--json"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    const report = JSON.parse(stdout) as ConformanceReport;
    expect(report.failed).toBe(0);
    const bought = report.checks.find(({ name }) => name.endsWith("topups accepts a purchase"));
    const { body } = await office.v1("GET", "/transactions?_limit=1&_offset=0", undefined, "live");
    expect([bought, body.total]).toEqual([undefined, 0]);
    const sells = CHECKS.filter(({ stage }) => stage === "sell").map(({ name }) => name);
    const skipped = report.checks.filter(({ result }) => result === "skipped");
    expect(skipped.map(({ name }) => name)).toEqual(expect.arrayContaining(sells));
  });

  it("exits with 1 and names the differences of another service", async () => {
    const server = createServer((_request, response) => response.end("hello"));
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    others.push({ close: async () => void server.close() });
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const finished = await typeCommand(office.dataDir, ["conformance", url, "--key", "live_x"]);
    expect(finished.exitCode).toBe(1);
    expect(finished.stdout).toContain("expected 401 NOT_AUTHORIZED");
    expect(finished.stdout).toContain("came     200 hello");
    expect(finished.stdout).toMatch(/FAIL {2}\d+ checks for one cause/);
    expect(finished.stdout.match(/came {5}200 hello/g)?.length).toBeLessThan(20);
    expect(finished.stdout).toContain("the key is not a test key");
    const sandbox = await typeCommand(office.dataDir, ["conformance", url, "--key", "sandbox_x"]);
    expect(sandbox.stdout).not.toContain("the key is not a test key");
    expect(finished.stdout).toContain("differs from the contract.");
  });

  it.each([
    ["refuses the key", () => [office.url, "--key", "test_wrong"]],
    ["cannot be reached", () => ["http://127.0.0.1:1", "--key", "test_wrong"]],
  ])("says in one line that the gateway %s", async (message, args) => {
    const finished = await typeCommand(office.dataDir, ["conformance", ...args()]);
    expect([finished.exitCode, finished.stdout]).toEqual([1, ""]);
    expect(finished.stderr.trim().split("\n")).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    [["conformance", "here", "--key", "test_x"], "needs the URL of a gateway"],
    [["conformance", "http://127.0.0.1:1"], "--key is required"],
  ])("refuses %j", async (args, message) => {
    const { exitCode, stdout, stderr } = await typeCommand(office.dataDir, args);
    expect([exitCode, stdout, stderr]).toEqual([1, "", expect.stringContaining(message)]);
  });
});
