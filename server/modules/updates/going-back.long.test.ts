import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../../db/database.ts";
import { createGateway } from "../../index.ts";
import { MINUTE } from "../../lib/clock.ts";
import { TEST_OVERRIDES, testConfig } from "../../testing/first-day.ts";
import { asNewer } from "../../testing/newer-version.ts";
import { copyDataDir } from "../../testing/older-database.ts";
import { typeCommand } from "../../testing/run-program.ts";
import { startServerProcess } from "../../testing/server-process.ts";
import { startTestGateway } from "../../testing/test-gateway.ts";
import { openTill } from "../../testing/test-till.ts";

/** Kills over the time that a whole start takes. */
const STEPS = 25;
let root: string;
/** As a newer version left it that changed the tables and did not start. */
let template: string;
let dataDir: string;
let before: Figures;

interface Figures {
  sales: number;
  entries: number;
  balances: unknown[];
  goneBack: number;
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "tillgate-going-back-"));
  template = join(root, "template");
  dataDir = join(root, "data");
  const till = await startTestGateway();
  const owner = await openTill(till);
  for (let count = 0; count < 5; count++) {
    await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" }]);
    await till.advance(MINUTE);
  }
  await till.gateway.close();
  before = await look(till.dataDir);
  const sealer = () => {
    throw new Error("a fault of the new version");
  };
  const overrides = { ...TEST_OVERRIDES, clock: till.clock, version: "9.0.0", sealer };
  await asNewer(async () => {
    await expect(createGateway(testConfig(till.dataDir), overrides)).rejects.toThrow("a fault");
  });
  copyDataDir(till.dataDir, template);
  await till.restart();
  await till.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function look(dir: string): Promise<Figures> {
  const db = openDatabase(dir);
  try {
    const count = async (table: "sales" | "ledger_entries") =>
      (await db.selectFrom(table).select("account_id").execute()).length;
    const trail = await db
      .selectFrom("audit_trail")
      .select("entry_id")
      .where("action", "=", "program.go-back")
      .execute();
    return {
      sales: await count("sales"),
      entries: await count("ledger_entries"),
      balances: await db.selectFrom("ledger_accounts").selectAll().execute(),
      goneBack: trail.length,
    };
  } finally {
    await db.destroy();
  }
}

/** @returns whether it was killed before it listened */
async function killAfter(delay_ms: number): Promise<boolean> {
  let kill: () => void = () => {};
  let isOver = false;
  const started = startServerProcess(dataDir, "0", {}, (child) => {
    kill = () => child.kill("SIGKILL");
  }).then(
    ({ child }) => child,
    () => undefined,
  );
  void started.then(() => {
    isOver = true;
  });
  await Promise.race([sleep(delay_ms), started]);
  const wasStarted = isOver;
  kill();
  const child = await started;
  if (child && child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once("exit", resolve));
  }
  return !wasStarted;
}

const isBack = () => readdirSync(dataDir).some((name) => name.startsWith("before-restore-"));

it("killed at any moment of going back, the next start completes it", async () => {
  copyDataDir(template, dataDir);
  const begun = performance.now();
  await (await startServerProcess(dataDir)).kill("SIGTERM");
  const step_ms = (performance.now() - begun) / STEPS;
  const kills = { before: 0, after: 0 };
  for (let delay_ms = 0, more = true; more; delay_ms += step_ms) {
    copyDataDir(template, dataDir);
    more = await killAfter(delay_ms);
    kills[isBack() ? "after" : "before"] += 1;
    // And once more in the middle, as a person who is impatient does.
    await killAfter(delay_ms / 2);
    const server = await startServerProcess(dataDir);
    expect(await server.kill("SIGTERM")).toBe(0);
    expect(await look(dataDir)).toEqual({ ...before, goneBack: 1 });
  }
  expect(kills.before).toBeGreaterThan(0);
  expect(kills.after).toBeGreaterThan(0);
  const audit = await typeCommand(dataDir, ["audit"]);
  expect(audit.exitCode, audit.stdout).toBe(0);
});
