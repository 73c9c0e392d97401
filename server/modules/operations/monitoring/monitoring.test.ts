import { readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { enqueueJob } from "../../../jobs/job-store.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { diskFullIn, setDiskFull, setWritable, writerOf } from "../../../testing/direct-writes.ts";
import {
  COUNTS_STATEMENTS,
  isOnPostgres,
  LETS_A_DAY_PASS,
  onlySqlite,
  TOUCHES_THE_FILE,
} from "../../../testing/only-sqlite.ts";
import { typeCommand } from "../../../testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill } from "../../../testing/test-till.ts";
import { VERSION } from "../../../version.ts";
import { createMetricsToken, revokeMetricsToken } from "./index.ts";

let till: TestGateway;
beforeEach(async () => {
  till = await startTestGateway();
});
afterEach(() => till.close());

async function buy(transactionId: string, recipientPhoneNumber: string): Promise<void> {
  const body = { offerId: "TIGO_GT_TOPUP_25", transactionId, recipientPhoneNumber };
  expect((await till.v1("POST", "/topups/purchases", body)).status).toBe(200);
  await till.settle();
}

function read(token: string) {
  return till.call("GET", "/metrics", { headers: { authorization: `Bearer ${token}` } });
}

function makeToken(): Promise<string> {
  return createMetricsToken(till.dataDir, till.gateway.context.ids);
}

describe("health and readiness endpoints", () => {
  it("need no sign-in", async () => {
    const alive = await till.call("GET", "/healthz");
    expect(alive).toMatchObject({ status: 200, body: { status: "alive" } });
    const ready = await till.call("GET", "/readyz");
    expect(ready).toMatchObject({ status: 200, body: { status: "ready", version: VERSION } });
  });

  it("return the program's version and the version that last started", async () => {
    const status = async () => (await typeCommand(till, ["status"])).stdout;
    expect(await status()).toContain(`This is Tillgate ${VERSION}.\n`);
    const { db } = till.gateway.context;
    await writerOf(db)
      .insertInto("program_versions")
      .values({ kind: "STARTED", version: "0.2.0", recorded_at: 1, backup: null, commits: null })
      .execute();
    expect(await status()).toContain(
      `This is Tillgate ${VERSION}. The last started gateway is 0.2.0.\n`,
    );
  });

  it("report a read-only database as alive, but not ready until it is writable", async () => {
    const { db } = till.gateway.context;
    // Without this delay, the last write would prove that the database is writable, and no probe
    // would run.
    await till.advance(10 * SECOND);
    await setWritable(db, false);
    expect((await till.call("GET", "/healthz")).status).toBe(200);
    const answer = await till.call("GET", "/readyz");
    expect(answer.status).toBe(503);
    expect(answer.body.message).toBe("Tillgate cannot sell: the database cannot be written.");
    await setWritable(db, true);
    expect((await till.call("GET", "/readyz")).status).toBe(200);
  });

  it("report a full disk before a sale fails, in readiness, metrics and status", async () => {
    const token = await makeToken();
    const { db } = till.gateway.context;
    await setDiskFull(db, true);
    await till.advance(10 * SECOND);
    const answer = await till.call("GET", "/readyz");
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({
      errorCode: "SYSTEM_UNAVAILABLE",
      message: `Tillgate cannot sell: ${diskFullIn(db)}.`,
    });
    expect(String((await read(token)).body)).toContain("\ntillgate_database_writable 0\n");
    const { fault } = (await till.gateway.context.monitoring.getFigures()).storage;
    expect(fault).toBe(diskFullIn(db));
    await setDiskFull(db, false);
    expect((await till.call("GET", "/readyz")).status).toBe(200);
    expect(String((await read(token)).body)).toContain("\ntillgate_database_writable 1\n");
  });

  it("report not ready after a sale that could not be written", async () => {
    const { db } = till.gateway.context;
    await till.call("GET", "/readyz");
    // Finishes the pending writes, which would otherwise find the error first.
    await till.settle();
    await setWritable(db, false);
    // The last write succeeded, so the error is not known yet.
    expect((await till.call("GET", "/readyz")).status).toBe(200);
    const body = { offerId: "TIGO_GT_TOPUP_25", transactionId: "refused" };
    const sale = { ...body, recipientPhoneNumber: "+50251234567" };
    expect((await till.v1("POST", "/topups/purchases", sale)).status).toBe(503);
    expect((await till.call("GET", "/readyz")).status).toBe(503);
    await setWritable(db, true);
  });

  it(
    "share one probe among many simultaneous requests",
    onlySqlite(COUNTS_STATEMENTS),
    async () => {
      let tries = 0;
      till.gateway.context.transactor.onCommit((written) => {
        if (written.has("shared_memory")) tries += 1;
      });
      await till.advance(10 * SECOND);
      await Promise.all(Array.from({ length: 20 }, () => till.call("GET", "/readyz")));
      expect(tries).toBe(1);
    },
  );

  it(
    "report a missing data directory as alive but not ready",
    onlySqlite(TOUCHES_THE_FILE),
    async () => {
      const aside = `${till.dataDir}-aside`;
      renameSync(till.dataDir, aside);
      expect((await till.call("GET", "/healthz")).status).toBe(200);
      expect((await till.call("GET", "/readyz")).status).toBe(503);
      renameSync(aside, till.dataDir);
      expect((await till.call("GET", "/readyz")).status).toBe(200);
    },
  );

  it("report stopped jobs as alive but not ready", async () => {
    await till.gateway.context.jobs.stop();
    expect((await till.call("GET", "/healthz")).status).toBe(200);
    expect((await till.call("GET", "/readyz")).status).toBe(503);
  });
});

describe("access to the metrics", () => {
  it("needs the token: an integrator's key or an owner's session does not suffice", async () => {
    const { cookie } = await openTill(till);
    await makeToken();
    const callers: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${till.key("test")}` },
      { authorization: `Bearer ${till.key("live")}` },
      { authorization: "Bearer metrics_wrong" },
      { authorization: "Basic bWV0cmljczo=" },
      { cookie },
    ];
    for (const headers of callers) {
      const answer = await till.call("GET", "/metrics", { headers });
      expect(answer.status).toBe(401);
      expect(JSON.stringify(answer.body)).not.toContain("tillgate_");
    }
  });

  it("works with the latest token until its revocation; the token opens nothing else", async () => {
    const first = await makeToken();
    expect((await read(first)).status).toBe(200);
    const second = await makeToken();
    expect((await read(first)).status).toBe(401);
    expect((await read(second)).status).toBe(200);
    const headers = { authorization: `Bearer ${second}` };
    expect((await till.call("GET", "/v1/balance", { headers })).status).toBe(401);

    const file = join(till.dataDir, "metrics-token.sha256");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).not.toContain(second);
    expect(readdirSync(till.dataDir).filter((name) => name.startsWith("metrics"))).toHaveLength(1);
    expect(await revokeMetricsToken(till.dataDir)).toBe(true);
    expect((await read(second)).status).toBe(401);
    expect(await revokeMetricsToken(till.dataDir)).toBe(false);
  });
});

it("the audit trail has the creation and the revocation of a metrics token, without the token", async () => {
  const owner = await openTill(till);
  const made = await typeCommand(till, ["metrics", "token"]);
  expect((await read(made.stdout.trim())).status).toBe(200);
  expect((await typeCommand(till, ["metrics", "revoke"])).exitCode).toBe(0);
  const trail = (await owner.pos("GET", "/audit-trail?limit=9")).body.list;
  const actions = trail.map(({ action }: { action: string }) => action);
  expect(actions.slice(0, 2)).toEqual(["metrics.revoke", "metrics.token"]);
  expect(JSON.stringify(trail)).not.toContain(made.stdout.trim());
});

describe("the metrics", () => {
  it("match the books, the queue, the backups and the requests", async () => {
    const token = await makeToken();
    await buy("done", "+50251234567");
    await till.advance(SECOND);
    await buy("waiting", "+50251239004");
    await till.advance(10 * MINUTE);
    const before = String((await read(token)).body);
    expect(before).not.toContain("tillgate_backup_age_seconds{");
    for (const none of [
      'tillgate_transactions_unfinished{environment="live",status="PENDING"} 0',
      'tillgate_transactions_unfinished_oldest_seconds{environment="live",status="PENDING"} 0',
      'tillgate_transactions_finished_24h{environment="test",status="FAILED"} 0',
      'tillgate_jobs{kind="webhook.deliver"} 0',
      'tillgate_jobs_due{kind="webhook.deliver"} 0',
      'tillgate_jobs_due_oldest_seconds{kind="webhook.deliver"} 0',
    ]) {
      expect(before.split("\n")).toContain(none);
    }
    if (!isOnPostgres()) await till.gateway.context.backups.make();
    await till.advance(2 * MINUTE);
    const { transactor, clock } = till.gateway.context;
    await till.gateway.context.jobs.stop();
    const runAt = clock.now() - 90 * SECOND;
    await transactor.transact("default", (tx) =>
      enqueueJob(tx, { kind: "test.late", subject: "", runAt }),
    );

    const answer = await read(token);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = String(answer.body).split("\n");
    for (const line of [
      'tillgate_transactions_unfinished{environment="test",status="IN_PROGRESS"} 1',
      'tillgate_transactions_unfinished_oldest_seconds{environment="test",status="IN_PROGRESS"} 720',
      'tillgate_transactions_finished_24h{environment="test",status="DONE"} 2',
      'tillgate_jobs{kind="purchase.advance"} 1',
      'tillgate_jobs_due{kind="test.late"} 1',
      'tillgate_jobs_due_oldest_seconds{kind="test.late"} 90',
      'tillgate_wallet_available_minor{environment="test",currency="USD"} 99406',
      'tillgate_wallet_held_minor{environment="test",currency="USD"} 297',
      "tillgate_backup_failed 0",
      ...(isOnPostgres()
        ? ["tillgate_backups 0"]
        : ["tillgate_backups 1", 'tillgate_backup_age_seconds{which="newest"} 120']),
    ]) {
      expect(lines).toContain(line);
    }
    const durations = lines.filter((line) =>
      line.startsWith("http_request_duration_seconds_count"),
    );
    expect(durations).toContain(
      'http_request_duration_seconds_count{method="POST",route="/v1/topups/purchases",status_code="200"} 2',
    );
    const lag = lines.find((line) => line.startsWith("tillgate_event_loop_lag_max_seconds "));
    expect(Number(lag?.split(" ")[1])).toBeGreaterThanOrEqual(0);
    // Different addresses of a route share a series.
    expect(String(answer.body)).not.toContain("waiting");
  });

  const options = onlySqlite(LETS_A_DAY_PASS);
  it("drop outdated values, and show a failed backup", options, async () => {
    const token = await makeToken();
    await buy("waiting", "+50251239004");
    expect((await read(token)).body).toContain('status="IN_PROGRESS"} 1');
    await till.advance(25 * HOUR);
    const text = String((await read(token)).body);
    expect(text).toContain(
      'tillgate_transactions_unfinished{environment="test",status="IN_PROGRESS"} 0\n',
    );
    const { backups, transactor, config } = till.gateway.context;
    config.backupDir = join(till.dataDir, "no", "disk");
    await transactor.transact("default", (tx) => backups.request(tx, "shift"));
    await till.settle();
    expect((await read(token)).body).toContain("tillgate_backup_failed 1");
  });
});
