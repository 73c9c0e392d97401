import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { CompiledQuery, type KyselyPlugin, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Environment } from "../../../contract/common.ts";
import type { Report } from "../../../contract/v1/reports.ts";
import { DAY, HOUR, MINUTE, SECOND, toTimestamp } from "../../../lib/clock.ts";
import { digestDatabase } from "../../../testing/database-digest.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { onlySqlite, READS_PLANS } from "../../../testing/only-sqlite.ts";
import { openPlace } from "../../../testing/place.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { listFinished, ROWS_AT_ONCE } from "./report-csv.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const PATH = "/reports/transactions";
const COLUMNS =
  `transactionId,productType,type,status,offerId,brand,country,recipient,cost,costCurrency,
costCurrencyDivisor,price,priceCurrency,priceCurrencyDivisor,send,sendCurrency,sendCurrencyDivisor,createdAt,
finishedAt,errorCode,errorMessage,externalReferenceId,refundedTransactionId`.split(/,\s*/);
const TEST = { accountId: "default", environment: "test" } as const;

function today(): { startGte: string; endLt: string } {
  const now = till.clock.now();
  return { startGte: toTimestamp(now - 12 * HOUR), endLt: toTimestamp(now + 12 * HOUR) };
}

async function ask(body: unknown = today(), environment: Environment = "test"): Promise<Report> {
  const answer = await till.v1("POST", PATH, body, environment);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

async function poll(reportId: string, environment: Environment = "test"): Promise<Report> {
  return (await till.v1("GET", `${PATH}/${reportId}`, undefined, environment)).body;
}

async function download(report: Report, environment: Environment = "test") {
  const headers = { authorization: `Bearer ${till.key(environment)}` };
  const response = await fetch(report.file?.downloadUrl ?? "", { headers });
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  const records: string[][] = parse(bytes, { record_delimiter: "\r\n" });
  const [header = [], ...rows] = records;
  expect(header).toEqual(COLUMNS);
  const objects = rows.map((row) => Object.fromEntries(row.map((cell, n) => [header[n], cell])));
  return { headers: response.headers, bytes, rows: objects };
}

async function idsOf(body: unknown, environment: Environment = "test"): Promise<string[]> {
  const { reportId } = await ask(body, environment);
  await till.settle();
  const { rows } = await download(await poll(reportId, environment), environment);
  return rows.map(({ transactionId = "" }) => transactionId);
}

/** Writes finished transactions directly to the tables. */
async function addFinished(
  finishedAt: (n: number) => number,
  count: number,
  environment: Environment = "test",
): Promise<void> {
  const at = till.clock.now();
  const rows = Array.from({ length: count }, (_, n) => {
    const ref = { account_id: "default", environment, transaction_id: idOf(n) };
    return { ref, finished_at: finishedAt(n) };
  });
  await till.gateway.context.transactor.transact("default", async (tx) => {
    for (let from = 0; from < rows.length; from += 1_000) {
      const slice = rows.slice(from, from + 1_000);
      await tx
        .insertInto("transactions")
        .values(
          slice.map(({ ref, finished_at }) => ({
            ...ref,
            type: "CREDIT" as const,
            product_type: "RECHARGE_WITH_CREDIT_CARD" as const,
            status: "DONE" as const,
            amount: 1,
            currency: "USD",
            currency_divisor: 100,
            created_at: at,
            updated_at: finished_at,
            finished_at,
            needs_reconciliation: 0,
          })),
        )
        .execute();
      const log = { position: 0, logged_at: at, status: "DONE" as const, message: "Completed" };
      await tx
        .insertInto("transaction_log")
        .values(slice.map(({ ref }) => ({ ...ref, ...log })))
        .execute();
    }
  });
}

function idOf(n: number): string {
  return `n-${String(n).padStart(6, "0")}`;
}

function filesOf(): string[] {
  const directory = join(till.dataDir, "reports");
  return existsSync(directory) ? readdirSync(directory) : [];
}

function buy(transactionId: string, more: Record<string, unknown> = {}) {
  return till.v1("POST", "/topups/purchases", {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId,
    recipientPhoneNumber: "+50251234567",
    ...more,
  });
}

describe("a transaction report", () => {
  it("becomes REQUESTED, then Ready, and its file can be downloaded with the key", {
    tags: ["thorough"],
  }, async () => {
    await buy("one");
    await till.advance(SECOND);
    const period = today();
    const asked = await ask(period);
    expect(asked).toEqual({
      reportId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "REQUESTED",
      createdAt: toTimestamp(till.clock.now()),
      updatedAt: toTimestamp(till.clock.now()),
      period,
      log: [
        {
          message: "Report requested",
          recordedAt: toTimestamp(till.clock.now()),
          status: "REQUESTED",
        },
      ],
    });
    await till.settle();
    const ready = await poll(asked.reportId);
    const name = `transactions-${asked.reportId}.csv`;
    expect(ready).toEqual({
      ...asked,
      status: "Ready",
      file: { name, downloadUrl: `${till.url}/v1${PATH}/${asked.reportId}/${name}` },
      log: [
        ...asked.log,
        {
          message: "Report is ready: 2 transactions",
          recordedAt: toTimestamp(till.clock.now()),
          status: "Ready",
        },
      ],
    });
    const { headers, bytes, rows } = await download(ready);
    expect(headers.get("content-type")).toBe("application/octet-stream");
    expect(headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
    expect(headers.get("content-length")).toBe(String(bytes.length));
    expect(rows).toHaveLength(2);
    expect(filesOf()).toEqual([name]);
    expect(statSync(join(till.dataDir, "reports", name)).mode & 0o077).toBe(0);
    expect((await till.call("GET", `/v1${PATH}/${asked.reportId}/${name}`)).status).toBe(401);
  });

  it("contains the data of every purchase's record, column by column", async () => {
    await buy("topup");
    await buy("refused", { recipientPhoneNumber: "+50251239001" });
    await buy("range", {
      offerId: "DU_AE_TOPUP_RANGE",
      recipientPhoneNumber: "+971501234567",
      value: { type: "ZEND", value: 5_000 },
    });
    await till.v1("POST", "/vouchers/purchases", {
      offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
      transactionId: "-voucher",
      value: { type: "ZEND", value: 10_000 },
      fields: [
        { key: "meter.number", value: "01234567890" },
        { key: "recipient.msisdn", value: "+27821234567" },
      ],
    });
    await till.v1("POST", "/esim/purchases", {
      offerId: "AIRALO_ES_1GB_7D",
      transactionId: "esim",
    });
    await till.v1("POST", "/billpay/purchases", {
      offerId: "AYSA_AR_BILL_WATER",
      transactionId: "bill",
      value: { type: "ZEND", value: 6_066_500 },
      fields: [
        { key: "accountNumber", value: "30001234567" },
        { key: "billIdentifier", value: "202601" },
      ],
    });
    await till.advance(MINUTE);
    const { reportId } = await ask();
    await till.settle();
    const { rows } = await download(await poll(reportId));

    const families = {
      topups: ["topup", "refused", "range"],
      vouchers: ["-voucher"],
      esim: ["esim"],
      billpay: ["bill"],
    };
    const recipients: Record<string, string> = {
      "-voucher": "+27821234567",
      bill: "30001234567",
    };
    const expected = new Map<string, Record<string, string>>();
    for (const [family, ids] of Object.entries(families)) {
      for (const id of ids) {
        const { body: record } = await till.v1("GET", `/${family}/purchases/${id}`);
        const { body: generic } = await till.v1("GET", `/transactions/${id}`);
        const recipient = record.recipientPhoneNumber ?? recipients[id];
        const values = COLUMNS.map((column) => {
          const special: Record<string, unknown> = {
            type: generic.type,
            recipient,
            finishedAt: record.updatedAt,
            errorCode: record.error?.code,
            errorMessage: record.error?.message,
            externalReferenceId: record.confirmation?.externalReferenceId,
          };
          return [column, String((column in special ? special : record)[column] ?? "")];
        });
        expected.set(id, Object.fromEntries(values));
      }
    }
    expected.get("-voucher")!.transactionId = "'-voucher";
    expect(rows).toHaveLength(7);
    for (const [id, cells] of expected) {
      expect(rows.find(({ transactionId }) => transactionId?.replace("'", "") === id)).toEqual(
        cells,
      );
    }
    expect(expected.get("topup")).toMatchObject({ status: "DONE", cost: "297", errorCode: "" });
    expect(expected.get("topup")?.externalReferenceId).not.toBe("");
    expect(expected.get("refused")).toMatchObject({
      status: "FAILED",
      errorCode: "RECIPIENT_INVALID",
      externalReferenceId: "",
    });
    expect(expected.get("esim")).toMatchObject({ status: "DONE", send: "", recipient: "" });
    const stamps = rows.flatMap(({ createdAt = "", finishedAt = "" }) => [createdAt, finishedAt]);
    for (const stamp of stamps) expect(stamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("contains recharges, and refunds with their purchase, blank in columns that do not apply", async () => {
    await till.gateway.context.recharges.setTestWallet(TEST, 90_000);
    const esim = { offerId: "AIRALO_ES_1GB_7D", transactionId: "esim" };
    await till.v1("POST", "/esim/purchases", esim);
    await till.advance(MINUTE);
    const refund = (await till.v1("POST", "/esim/purchases/esim/refund")).body;
    await till.advance(MINUTE);
    const { reportId } = await ask();
    await till.settle();
    const { rows } = await download(await poll(reportId));
    const known = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== "")),
    );
    const wallet = { costCurrency: "USD", costCurrencyDivisor: "100", status: "DONE" };
    const times = { createdAt: expect.any(String), finishedAt: expect.any(String) };
    const recharge = { ...wallet, ...times, productType: "RECHARGE_SANDBOX" };
    const transactionId = expect.any(String);
    expect(known).toHaveLength(4);
    expect(known).toContainEqual({ ...recharge, transactionId, type: "CREDIT", cost: "100000" });
    expect(known).toContainEqual({ ...recharge, transactionId, type: "DEBIT", cost: "10000" });
    expect(known.at(-1)).toEqual({
      ...wallet,
      ...times,
      productType: "REFUND",
      type: "CREDIT",
      transactionId: refund.transactionId,
      cost: String(refund.amount),
      refundedTransactionId: "esim",
    });
  });

  it("contains only finished transactions, selected by their finish time", {
    tags: ["thorough"],
  }, async () => {
    const begun = till.clock.now();
    await buy("recovers", { recipientPhoneNumber: "+50251239003" });
    await buy("never", { recipientPhoneNumber: "+50251239004" });
    await till.advance(SECOND);
    const period = { startGte: toTimestamp(begun + 1), endLt: toTimestamp(begun + 2 * HOUR) };
    expect(await idsOf(period)).toEqual([]);
    await till.advance(HOUR);
    expect(await idsOf(period)).toEqual(["recovers"]);
    await till.advance(DAY);
    expect(await idsOf({ ...period, endLt: toTimestamp(begun + 2 * DAY) })).toEqual([
      "recovers",
      "never",
    ]);
  });

  it("prefixes customer input that a spreadsheet would interpret as a formula", async () => {
    await till.v1("POST", "/vouchers/purchases", {
      offerId: "ESKOM_ZA_ELECTRICITY_RANGE",
      transactionId: "formula",
      value: { type: "ZEND", value: 10_000 },
      fields: [
        { key: "meter.number", value: "01234567890" },
        { key: "recipient.msisdn", value: '=HYPERLINK("http://x","y")' },
      ],
    });
    await till.advance(MINUTE);
    const { reportId } = await ask();
    await till.settle();
    const { rows } = await download(await poll(reportId));
    const row = rows.find(({ transactionId }) => transactionId === "formula");
    expect(row?.recipient).toBe(`'=HYPERLINK("http://x","y")`);
  });
});

describe("the period of a report", () => {
  it("includes its start and excludes its end, to the microsecond", {
    tags: ["thorough"],
  }, async () => {
    const base = till.clock.now() - 30 * DAY;
    // In some milliseconds two or three transactions finish, in others none.
    const offset_ms = (n: number) => Math.floor(n / 2) + (n % 5 === 0 ? 1 : 0);
    await addFinished((n) => base + offset_ms(n), 24);
    const all = Array.from({ length: 24 }, (_, n) => ({ id: idOf(n), at: offset_ms(n) }));
    all.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    // Bounds in microseconds; half of them are whole milliseconds.
    const bound = fc.oneof(
      fc.integer({ min: 0, max: 14 }).map((ms) => ms * 1_000),
      fc.integer({ min: 0, max: 14_000 }),
    );
    let edges = 0;
    await fc.assert(
      fc.asyncProperty(bound, bound, async (startGte, endLt) => {
        fc.pre(Math.ceil(startGte / 1_000) < Math.ceil(endLt / 1_000));
        const within = all.filter(({ at }) => at * 1_000 >= startGte && at * 1_000 < endLt);
        if (all.some(({ at }) => at * 1_000 === startGte || at * 1_000 === endLt)) edges += 1;
        const ids = await idsOf({ startGte: fine(base, startGte), endLt: fine(base, endLt) });
        expect(ids).toEqual(within.map(({ id }) => id));
      }),
      { numRuns: 15 },
    );
    expect(edges).toBeGreaterThan(0);
  });

  function fine(base: number, micros: number): string {
    const fraction = String(micros % 1_000).padStart(3, "0");
    return toTimestamp(base + Math.floor(micros / 1_000)).replace("Z", `${fraction}Z`);
  }

  const START = "2026-01-01T00:00:00.000Z";
  it("causes an error with the name of an invalid bound, and creates no report", async () => {
    const cases: [string, unknown, string[]][] = [
      ["no body", undefined, ["body"]],
      ["neither bound", {}, ["startGte", "endLt"]],
      ["no end", { startGte: START }, ["endLt"]],
      ["no start", { endLt: START }, ["startGte"]],
      ["a number", { startGte: 1, endLt: START }, ["startGte"]],
      ["a date", { startGte: "2026-01-01", endLt: START }, ["startGte"]],
      ["no zone", { startGte: START, endLt: "2026-02-01T00:00:00" }, ["endLt"]],
      ["another zone", { startGte: START, endLt: "2026-02-01T00:00:00-06:00" }, ["endLt"]],
      ["30 February", { startGte: START, endLt: "2026-02-30T00:00:00Z" }, ["endLt"]],
      ["hour 24", { startGte: "2025-12-31T24:00:00Z", endLt: START }, ["startGte"]],
      [
        "two that do not exist",
        { startGte: "2026-13-01T00:00:00Z", endLt: "2026-02-01T00:60:00Z" },
        ["startGte", "endLt"],
      ],
      ["after all time", { startGte: START, endLt: "9999-12-31T23:59:59.9995Z" }, ["endLt"]],
      ["an end that is the start", { startGte: START, endLt: START }, ["endLt"]],
      [
        "no millisecond between",
        { startGte: "2026-01-01T00:00:00.0001Z", endLt: "2026-01-01T00:00:00.0009Z" },
        ["endLt"],
      ],
      ["an end before the start", { startGte: START, endLt: "2025-12-31T23:59:59Z" }, ["endLt"]],
      [
        "366 days and a millisecond",
        { startGte: START, endLt: "2027-01-02T00:00:00.001Z" },
        ["endLt"],
      ],
      ["a further field", { startGte: START, endLt: "2026-02-01T00:00:00Z", x: 1 }, ["x"]],
    ];
    const before = await digestDatabase(till.gateway.context.db);
    for (const [what, body, fields] of cases) {
      const answer = await till.v1("POST", PATH, body);
      expect(answer.status, what).toBe(400);
      expect(answer.body.errorCode).toBe("INVALID_REQUEST");
      expect(Object.keys(answer.body.fields).sort(), what).toEqual(fields.sort());
      await till.settle();
      expect(await digestDatabase(till.gateway.context.db)).toEqual(before);
      expect(filesOf()).toEqual([]);
    }
  });

  it("may have 366 days, extend into the future, and contain no transactions", async () => {
    expect(await idsOf({ startGte: START, endLt: "2027-01-02T00:00:00Z" })).toHaveLength(1);
    expect(
      await idsOf({ startGte: "2030-01-01T00:00:00Z", endLt: "2030-02-01T00:00:00Z" }),
    ).toEqual([]);
  });
});

describe("access to a report", () => {
  it("requires a key of the same environment and account", async () => {
    await addFinished((n) => till.clock.now() + n, 2, "live");
    const mine = await ask(today(), "live");
    const theirs = await ask(today(), "test");
    await till.settle();
    const live = await poll(mine.reportId, "live");
    const test = await poll(theirs.reportId, "test");
    const { rows } = await download(live, "live");
    expect(rows.map(({ transactionId }) => transactionId)).toEqual([idOf(0), idOf(1)]);
    expect((await download(test)).rows.map(({ productType }) => productType)).toEqual([
      "RECHARGE_SANDBOX",
    ]);

    const { keys, transactor } = till.gateway.context;
    await transactor.transact("default", (tx) =>
      sql`insert into accounts (account_id, wallet_currency, wallet_currency_divisor, created_at)
        select 'other', wallet_currency, wallet_currency_divisor, created_at from accounts`.execute(
        tx,
      ),
    );
    const other = await keys.create({ accountId: "other", environment: "test" }, "other");
    const asked: [Report, string][] = [
      [live, till.key("test")],
      [test, till.key("live")],
      [live, other.key],
      [test, other.key],
    ];
    for (const [{ reportId, file }, key] of asked) {
      for (const path of [reportId, `${reportId}/${file?.name}`]) {
        const headers = { authorization: `Bearer ${key}` };
        const answer = await till.call("GET", `/v1${PATH}/${path}`, { headers });
        expect(answer.status).toBe(404);
        expect(answer.body.errorCode).toBe("NOT_FOUND");
      }
    }
  });

  it("serves only the file of the report, by its exact name", async () => {
    const { reportId } = await ask();
    const early = await till.v1("GET", `${PATH}/${reportId}/transactions-${reportId}.csv`);
    const other = await ask();
    await till.settle();
    const { file } = await poll(reportId);
    // 404 if the report was not Ready yet.
    expect([200, 404]).toContain(early.status);
    writeFileSync(join(till.dataDir, "reports", "secret.csv"), "secret");
    for (const name of [
      "x",
      "secret.csv",
      `${file?.name}.part`,
      `transactions-${other.reportId}.csv`,
      "..%2f..%2ftillgate.db",
      "..%5c..%5ctillgate.db",
      "../../tillgate.db",
      "%2e%2e/tillgate.db",
      `.%2f${file?.name}`,
      `${file?.name}%00`,
      "%2Fetc%2Fpasswd",
    ]) {
      expect([name, await rawStatus(`/v1${PATH}/${reportId}/${name}`)]).toEqual([name, 404]);
    }
    expect(await rawStatus(`/v1${PATH}/${reportId}/${file?.name}`)).toBe(200);
    expect((await till.v1("GET", `${PATH}/none`)).status).toBe(404);
  });

  /** Requests the exact path, which `fetch` would normalize. */
  function rawStatus(path: string): Promise<number> {
    const { hostname, port } = new URL(till.url);
    const headers = { authorization: `Bearer ${till.key("test")}` };
    return new Promise((resolve, reject) => {
      request({ hostname, port, path, headers }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      })
        .on("error", reject)
        .end();
    });
  }

  it("a download of a report completes despite a stop of the gateway, which waits for the download", {
    tags: ["thorough"],
  }, async () => {
    const { reportId } = await ask();
    await till.settle();
    const { file } = await poll(reportId);
    // More bytes than the connection can buffer, so that the download is unfinished when the
    // gateway stops.
    const large = Buffer.alloc(64 * 1024 * 1024, "a line of a long report\r\n");
    writeFileSync(join(till.dataDir, "reports", file?.name ?? ""), large);
    const headers = { authorization: `Bearer ${till.key("test")}` };
    const response = await fetch(file?.downloadUrl ?? "", { headers });
    const closed = till.gateway.close();
    const read = Buffer.from(await response.arrayBuffer());
    expect(read.equals(large)).toBe(true);
    await closed;
    await till.restart();
  });

  it(
    "fails with an explanation after the file was removed, and the report can be requested again",
    onlySqlite("the file of a report is in the database of a server too"),
    async () => {
      const period = today();
      const { reportId } = await ask(period);
      await till.settle();
      const { file } = await poll(reportId);
      rmSync(join(till.dataDir, "reports"), { recursive: true });
      const gone = await till.v1("GET", `${PATH}/${reportId}/${file?.name}`);
      expect(gone.status).toBe(404);
      expect(gone.body.message).toBe("The file is not kept any more. Request the report again.");
      expect(await idsOf(period)).toHaveLength(1);
    },
  );
});

describe("a long report", () => {
  /** Rows that take about a second to write. */
  const MANY = 30_007;

  async function untilBegun(reportId: string): Promise<void> {
    while (!filesOf().includes(`transactions-${reportId}.csv.part`)) {
      await new Promise(setImmediate);
    }
  }

  it("restarts after a stop of the gateway interrupts it, and leaves no partial file", {
    tags: ["thorough"],
  }, async () => {
    await addFinished((n) => till.clock.now() + Math.floor(n / 3), MANY);
    const { reportId } = await ask();
    await untilBegun(reportId);
    await till.gateway.close();

    const part = join(till.dataDir, "reports", `transactions-${reportId}.csv.part`);
    const db = await openPlace(till);
    const [row] = await db.selectFrom("reports").select("status").execute();
    expect(row?.status).toBe("REQUESTED");
    expect(filesOf()).toEqual([]);
    writeFileSync(part, "half a file,".repeat(1_000_000));
    await db.destroy();

    await till.restart();
    await till.settle();
    const ready = await poll(reportId);
    expect(ready.status).toBe("Ready");
    expect(filesOf()).toEqual([`transactions-${reportId}.csv`]);
    const { rows } = await download(ready);
    const [recharge, ...many] = rows.map(({ transactionId }) => transactionId);
    expect(recharge).toMatch(/^[0-9a-f-]{36}$/);
    expect(many).toEqual(Array.from({ length: MANY }, (_, n) => idOf(n)));
  });

  it("does not include transactions that finish while it is written", {
    tags: ["thorough"],
  }, async () => {
    await addFinished((n) => till.clock.now() - MANY + n, MANY);
    const { reportId } = await ask();
    await untilBegun(reportId);
    await buy("meanwhile");
    await till.advance(SECOND);
    const { status } = (await till.v1("GET", "/topups/purchases/meanwhile")).body;
    expect(status).toBe("DONE");
    const { rows } = await download(await poll(reportId));
    const ids = rows.map(({ transactionId = "" }) => transactionId);
    expect(ids.filter((id) => id.startsWith("n-"))).toEqual(
      Array.from({ length: MANY }, (_, n) => idOf(n)),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  async function readInParts(): Promise<{ parts: number[]; queries: CompiledQuery[] }> {
    const { db } = till.gateway.context;
    const queries: CompiledQuery[] = [];
    const watch: KyselyPlugin = {
      transformQuery: ({ node }) => {
        queries.push(db.getExecutor().compileQuery(node, { queryId: "watched" }));
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const period = { startGte: till.clock.now() - DAY, endLt: till.clock.now() + DAY };
    const parts: number[] = [];
    for await (const rows of listFinished(db.withPlugin(watch), TEST, period)) {
      parts.push(rows.length);
    }
    return { parts, queries };
  }

  it("reads its rows in groups, with a single statement", async () => {
    await addFinished(() => till.clock.now(), ROWS_AT_ONCE * 3);
    const { parts, queries } = await readInParts();
    expect(parts).toEqual([ROWS_AT_ONCE, ROWS_AT_ONCE, ROWS_AT_ONCE, 1]);
    expect(queries).toHaveLength(1);
  });

  it("uses a statement that needs no sort and no full scan", onlySqlite(READS_PLANS), async () => {
    const [query] = (await readInParts()).queries;
    const plan = await till.gateway.context.db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${query?.sql}`, [...(query?.parameters ?? [])]),
    );
    const details = plan.rows.map(({ detail }) => detail).join("\n");
    expect(details).toContain("transactions_by_finish");
    expect(details).not.toMatch(/SCAN|TEMP B-TREE/);
  });

  it("waits for other reports, but delays no sale", {
    tags: ["thorough"],
  }, async () => {
    await addFinished((n) => till.clock.now() - 1_000 + n, 1_000);
    const reports: Report[] = [];
    for (let n = 0; n < 5; n++) reports.push(await ask());
    let most = 0;
    let watching = true;
    const watch = (async () => {
      while (watching) {
        most = Math.max(most, filesOf().filter((name) => name.endsWith(".part")).length);
        await new Promise(setImmediate);
      }
    })();
    await buy("sale");
    await till.advance(SECOND);
    watching = false;
    await watch;
    expect(most).toBeLessThanOrEqual(1);
    expect((await till.v1("GET", "/topups/purchases/sale")).body.status).toBe("DONE");
    for (const { reportId } of reports) expect((await poll(reportId)).status).toBe("Ready");
  });
});

describe("a report that cannot be written", () => {
  it("becomes FAILED with the reason and leaves no file; after the error is fixed, the next report becomes Ready", async () => {
    const directory = join(till.dataDir, "reports");
    writeFileSync(directory, "in the way");
    const { reportId } = await ask();
    await till.settle();
    const failed = await poll(reportId);
    expect(failed).toMatchObject({
      status: "FAILED",
      error: {
        code: "REPORT_NOT_WRITTEN",
        description: expect.any(String),
        message: "The file could not be written: a file is where the directory should be.",
      },
      log: [
        { status: "REQUESTED" },
        {
          status: "FAILED",
          message: expect.stringMatching(
            /^The file could not be written: a file .* \(ENOTDIR, open\)$/,
          ),
        },
      ],
    });
    expect(failed).not.toHaveProperty("file");
    expect(JSON.stringify(failed)).not.toContain(till.dataDir);
    const path = `${PATH}/${reportId}/transactions-${reportId}.csv`;
    expect((await till.v1("GET", path)).status).toBe(404);
    rmSync(directory);
    await till.advance(DAY);
    expect((await poll(reportId)).status).toBe("FAILED");
    expect(
      await idsOf({ ...today(), startGte: toTimestamp(till.clock.now() - 2 * DAY) }),
    ).toHaveLength(1);
  });

  it("a report is retried after an error other than a disk error, and becomes FAILED after a day", {
    tags: ["thorough"],
  }, async () => {
    await buy("odd");
    await till.advance(SECOND);
    async function setFulfilment(json: string): Promise<void> {
      await writerOf(till.gateway.context.db)
        .updateTable("purchases")
        .set({ fulfilment_json: json })
        .execute();
    }
    const [{ fulfilment_json: sound }] = (await till.gateway.context.db
      .selectFrom("purchases")
      .select("fulfilment_json")
      .execute()) as [{ fulfilment_json: string }];

    await setFulfilment("{");
    const first = await ask();
    await till.advance(10 * SECOND);
    expect((await poll(first.reportId)).status).toBe("REQUESTED");
    expect(filesOf()).toEqual([]);
    await setFulfilment(sound);
    await till.advance(10 * SECOND);
    expect((await poll(first.reportId)).status).toBe("Ready");

    await setFulfilment("{");
    const second = await ask();
    // Skips 23 hours of attempts, each of which would start a thread.
    till.clock.set(till.clock.now() + 23 * HOUR);
    await till.settle();
    expect((await poll(second.reportId)).status).toBe("REQUESTED");
    till.clock.set(till.clock.now() + 2 * HOUR);
    await till.settle();
    const given = await poll(second.reportId);
    expect(given.error?.code).toBe("REPORT_NOT_GENERATED");
    expect(given.log.at(-1)?.status).toBe("FAILED");
    await setFulfilment(sound);
  });
});
