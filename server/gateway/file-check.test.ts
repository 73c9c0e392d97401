import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompiledQuery, sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Errand } from "../background/background.ts";
import { noteCleanEnd } from "../db/clean-end.ts";
import { openDatabaseFile } from "../db/database.ts";
import { databaseFile } from "../db/database-files.ts";
import { createGateway, type Gateway } from "../index.ts";
import { SECOND } from "../lib/clock.ts";
import { writerOf } from "../testing/direct-writes.ts";
import { FakeClock } from "../testing/fake-clock.ts";
import { TEST_OVERRIDES, testConfig } from "../testing/first-day.ts";
import { startOnKeptThread } from "../testing/kept-threads.ts";
import { repeatPurchase } from "../testing/many-sales.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

/** Makes every database count as too large to be read before the gateway listens. */
const LARGE = { smallFileBytes: 0 };
let till: TestGateway;
let statements: string[];
let logged: string;
beforeEach(async () => {
  statements = [];
  logged = "";
  till = await startTestGateway({
    ...LARGE,
    onStatement: (statement) => statements.push(statement),
    logStream: {
      write(line) {
        logged += line;
      },
    },
  });
  await till.gateway.whenChecked();
});
afterEach(() => till.close());

function buy(transactionId: string) {
  return till.v1("POST", "/topups/purchases", {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId,
    recipientPhoneNumber: "+50251234567",
  });
}

const noteFile = () => `${databaseFile(till.dataDir)}-clean`;

async function damage(): Promise<Buffer> {
  const file = databaseFile(till.dataDir);
  const db = openDatabaseFile(file, "read");
  const { rows } = await sql<{ at: number }>`select (pageno - 1) * 4096 as at from dbstat
    where name = 'transaction_log' order by pageno desc limit 1`.execute(db);
  await db.destroy();
  const bytes = readFileSync(file);
  bytes.fill(0xa5, rows[0]!.at, rows[0]!.at + 4_096);
  writeFileSync(file, bytes);
  return bytes;
}

describe("after the previous gateway ended normally", () => {
  it("a gateway sells at once, and checks the file at the same time", async () => {
    await till.restart();
    expect(till.gateway.context.check.when).toBe("beside work");
    expect(existsSync(noteFile())).toBe(false);
    expect((await buy("at-once")).status).toBe(200);
    await till.gateway.whenChecked();
    expect((await buy("afterwards")).status).toBe(200);
  });

  it("a small file is also checked, but only after the gateway listens and the till is ready", {
    tags: ["thorough"],
  }, async () => {
    await till.gateway.close();
    const gateway = await createGateway(testConfig(till.dataDir), {
      clock: till.clock,
      ...TEST_OVERRIDES,
    });
    const { check, modules } = gateway.context;
    const steps: string[] = [];
    const serve = modules.serve.bind(modules);
    vi.spyOn(modules, "serve").mockImplementation(async (door, app) => {
      await serve(door, app);
      steps.push(door);
    });
    const run = check.run.bind(check);
    vi.spyOn(check, "run").mockImplementation(async () => {
      steps.push("check");
      return run();
    });
    expect(check.when).toBe("beside work");
    await gateway.listen();
    steps.length = 0;
    gateway.readAhead();
    await gateway.whenChecked();
    expect(steps).toEqual(["everywhere", "pages", "pos", "check"]);
    await gateway.close();
  });

  it("the check finds damage and stops sales", async () => {
    await buy("before");
    await till.settle();
    await till.gateway.close();
    await damage();
    // The disk corrupted data without reporting an error.
    noteCleanEnd(till.dataDir);
    await till.restart();
    expect(till.gateway.context.check.when).toBe("beside work");
    await expect(till.gateway.whenChecked()).rejects.toThrow(
      /cannot be used: it is damaged \(.*\)\. There is no backup in/,
    );
    const refused = await buy("after");
    expect(refused.status).toBe(503);
    expect(refused.body.message).toMatch(/^Nothing was done: the database is damaged/);
    // The log entry is one line without a stack, because many tills repeat their requests.
    const line = logged.split("\n").find((one) => one.includes("request refused")) ?? "{}";
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      reqId: refused.headers.get("x-request-id"),
      errorCode: "SYSTEM_UNAVAILABLE",
    });
    expect(logged).not.toContain("request failed");
    expect((await till.call("GET", "/readyz")).status).toBe(503);
    expect((await till.call("GET", "/pos/status")).status).toBe(503);
    expect((await till.call("GET", "/healthz")).status).toBe(200);
    await till.gateway.close();
    expect(existsSync(noteFile())).toBe(false);
  });

  it("a start reads no more in a shop with more sales", { tags: ["thorough"] }, async () => {
    async function ofStart(): Promise<string[]> {
      await till.gateway.close();
      statements.length = 0;
      await till.restart();
      const executed = statements.map((text) => text.replaceAll(/'[^']*'|\b\d+(\.\d+)?\b/g, "?"));
      await till.gateway.whenChecked();
      return [...new Set(executed)].toSorted();
    }
    await buy("sold");
    await till.advance(SECOND);
    const few = await ofStart();
    const { transactor, recharges } = till.gateway.context;
    const scope = { accountId: "default", environment: "test" } as const;
    await transactor.transact("default", (tx) => recharges.rechargeSandbox(tx, scope, 1e12));
    await transactor.transact("default", (tx) => repeatPurchase(tx, "sold", 2_000));
    expect(await ofStart()).toEqual(few);

    const GROWING = /^SCAN (transactions|purchases|transaction_log|ledger_\w+|sales|sale_\w+)\b/;
    for (const statement of new Set(statements)) {
      if (!/^\s*(select|with|insert|update|delete)\b/i.test(statement)) continue;
      const { rows } = await till.gateway.context.db.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${statement}`),
      );
      for (const { detail } of rows) expect(`${detail}: ${statement}`).not.toMatch(GROWING);
    }
  });
});

describe("after a power cut", () => {
  let elsewhere: string;
  let gateway: Gateway;
  let url: string;
  const clock = new FakeClock();
  const executed: string[] = [];
  const errands: Errand[] = [];
  beforeEach(() => {
    errands.length = 0;
    elsewhere = mkdtempSync(join(tmpdir(), "tillgate-power-"));
  });
  afterEach(async () => {
    await gateway.close();
    rmSync(elsewhere, { recursive: true });
  });

  /**
   * Starts on a copy of the running till's files, as after a power cut.
   * @param until delays the reading of the file until it resolves
   */
  async function startAfterPowerCut(
    until = Promise.resolve(),
    overrides: { smallFileBytes?: number } = LARGE,
  ): Promise<void> {
    for (const name of ["tillgate.db", "tillgate.db-wal", "secrets.key"]) {
      const file = join(till.dataDir, name);
      if (existsSync(file)) copyFileSync(file, join(elsewhere, name));
    }
    executed.length = 0;
    gateway = await createGateway(testConfig(elsewhere), {
      clock,
      ...TEST_OVERRIDES,
      ...overrides,
      startErrand(errand) {
        errands.push(errand);
        const outcome = until.then(() => startOnKeptThread(errand).outcome);
        return { outcome, gone: outcome.catch(() => undefined) };
      },
      onStatement: (statement) => executed.push(statement),
    });
    ({ url } = await gateway.listen());
  }

  async function sell(transactionId: string) {
    const response = await fetch(`${url}/v1/topups/purchases`, {
      method: "POST",
      headers: { authorization: `Bearer ${till.key("test")}`, "content-type": "application/json" },
      body: JSON.stringify({
        offerId: "TIGO_GT_TOPUP_25",
        transactionId,
        recipientPhoneNumber: "+50251234567",
      }),
    });
    return { status: response.status, message: (await response.json()).message };
  }

  const WORDS = /^Nothing was done: Tillgate did not end in order and checks its database/;

  it("a gateway reports the running check, and neither writes nor sells before its end", async () => {
    await buy("before");
    const { promise: until, resolve: letRead } = Promise.withResolvers<void>();
    await startAfterPowerCut(until);
    const whenChecked = gateway.whenChecked();
    expect(await sell("early")).toMatchObject({
      status: 503,
      message: expect.stringMatching(WORDS),
    });
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect((await ready.json()).message).toMatch(/: \d+ MB, for \d+ s so far\.$/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(executed.filter((statement) => /^commit/i.test(statement))).toEqual([]);
    letRead();
    await whenChecked;
    expect(await sell("late")).toMatchObject({ status: 200 });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it("the thread of the check has the gateway's priority, because sales wait for the check", async () => {
    await startAfterPowerCut();
    await gateway.whenChecked();
    expect(errands.map(({ name, isUrgent }) => ({ name, isUrgent }))).toEqual([
      { name: "findDamage", isUrgent: true },
    ]);
  });

  it("a gateway with a file of 38 MB sells from the first request on, and starts no thread", {
    tags: ["thorough"],
    timeout: 60_000,
  }, async () => {
    await buy("sold");
    await till.advance(SECOND);
    const { transactor, recharges } = till.gateway.context;
    const scope = { accountId: "default", environment: "test" } as const;
    await transactor.transact("default", (tx) => recharges.rechargeSandbox(tx, scope, 1e12));
    const size = () => statSync(databaseFile(till.dataDir)).size;
    for (let n = 0; size() < 38_000_000; n++) {
      await buy(`sold${n}`);
      await till.advance(SECOND);
      await transactor.transact("default", (tx) => repeatPurchase(tx, `sold${n}`, 2_000));
      await sql`pragma wal_checkpoint(truncate)`.execute(writerOf(till.gateway.context.db));
    }
    expect(size()).toBeLessThan(64_000_000);
    await startAfterPowerCut(undefined, {});
    expect(gateway.context.check.when).toBe("at opening");
    expect(await sell("first")).toMatchObject({ status: 200 });
    expect(errands).toEqual([]);
  });

  it("a gateway that is closed during the check starts no work, and ends after the check", async () => {
    await startAfterPowerCut();
    await gateway.close();
    await gateway.whenChecked();
    expect(executed.filter((statement) => /^commit/i.test(statement))).toEqual([]);
    expect(existsSync(join(elsewhere, "tillgate.db-clean"))).toBe(true);
  });

  it("a file whose last write failed is checked again at the next start", async () => {
    await startAfterPowerCut();
    await gateway.whenChecked();
    gateway.context.health.failed(Object.assign(new Error("disk"), { code: "SQLITE_IOERR" }));
    await gateway.close();
    expect(existsSync(join(elsewhere, "tillgate.db-clean"))).toBe(false);
  });

  it("a damaged file is refused with a message, and not changed", async () => {
    await buy("before");
    await till.settle();
    await till.gateway.close();
    const bytes = await damage();
    await startAfterPowerCut();
    await expect(gateway.whenChecked()).rejects.toThrow(
      /cannot be used: it is damaged \(.*\)\. Nothing was changed\. There is no backup in/,
    );
    expect((await sell("never")).status).toBe(503);
    await gateway.close();
    expect(readFileSync(databaseFile(elsewhere)).equals(bytes)).toBe(true);
  });
});
