import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../../../db/database.ts";
import { createGateway } from "../../../index.ts";
import { MINUTE } from "../../../lib/clock.ts";
import { copyDataDir } from "../../../testing/copy-data-dir.ts";
import { TEST_OVERRIDES, testConfig } from "../../../testing/first-day.ts";
import { asNewer } from "../../../testing/newer-version.ts";
import { typeCommand } from "../../../testing/run-program.ts";
import {
  countStartSteps,
  startAndKillAtStep,
  startServerProcess,
} from "../../../testing/server-process.ts";
import { startTestGateway } from "../../../testing/test-gateway.ts";
import { openTill } from "../../../testing/test-till.ts";

/** Number of kills, spread evenly over the SQL statements and file changes of a start: 4 in CI. */
const KILLS = Number(process.env.KILLS ?? 4);
let root: string;
/** Data directory of a shop whose tables a newer version changed before it failed to start. */
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

const isBack = () => readdirSync(dataDir).some((name) => name.startsWith("before-restore-"));

it("if the process is killed while it undoes an update, the next start completes the undo", async () => {
  copyDataDir(template, dataDir);
  const steps = await countStartSteps(dataDir);
  const kills = { before: 0, after: 0 };
  for (let kill = 0; kill < KILLS; kill++) {
    const step = 1 + Math.floor((kill * (steps - 1)) / (KILLS - 1));
    copyDataDir(template, dataDir);
    const isKilled = await startAndKillAtStep(dataDir, step);
    kills[isBack() ? "after" : "before"] += 1;
    if (isKilled) await startAndKillAtStep(dataDir, Math.ceil(step / 2));
    const server = await startServerProcess(dataDir);
    expect(await server.kill("SIGTERM")).toBe(0);
    expect(await look(dataDir)).toEqual({ ...before, goneBack: 1 });
  }
  expect(kills.before).toBeGreaterThan(0);
  expect(kills.after).toBeGreaterThan(0);
  const audit = await typeCommand(dataDir, ["audit"]);
  expect(audit.exitCode, audit.stdout).toBe(0);
});
