import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGateway } from "../../../index.ts";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import { TEST_OVERRIDES, testConfig } from "../../../testing/first-day.ts";
import { asNewer } from "../../../testing/newer-version.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";
import { loadRestore } from "../backups/index.ts";
import { adviceAfterFailure, findWayBack } from "./index.ts";

let till: TestGateway;
let owner: TestTill;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" }]);
  await till.advance(MINUTE);
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const NEWER = { ...TEST_OVERRIDES, version: "9.0.0" };
const places = () => ({ dataDir: till.dataDir, backupDir: join(till.dataDir, "backups") });
const newer = (overrides: object = {}) =>
  asNewer(() =>
    createGateway(testConfig(till.dataDir), { clock: till.clock, ...NEWER, ...overrides }),
  );

async function failNewer(): Promise<void> {
  const sealer = () => {
    throw new Error("a fault of the new version");
  };
  await expect(newer({ sealer })).rejects.toThrow("a fault of the new version");
}

const sales = async () => (await owner.pos("GET", "/sales?limit=50&offset=0")).body.list;
const auditedUpdates = async () =>
  (await owner.pos("GET", "/audit-trail?limit=50")).body.list.filter(
    ({ action }: { action: string }) => action.startsWith("program."),
  );
const signInAgain = async () => {
  owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
};

describe("an update that changed the tables and did not start", () => {
  it("can be undone by the previous version without losing data, and the undo is recorded once", {
    tags: ["thorough"],
  }, async () => {
    const before = await sales();
    await till.gateway.close();
    await failNewer();
    expect(await findWayBack(places(), "9.0.0")).toEqual({ way: "BACKUP", before: "0.1.0" });
    await till.restart();
    await signInAgain();
    expect(await sales()).toEqual(before);
    expect(await auditedUpdates()).toMatchObject([{ action: "program.go-back", subject: "9.0.0" }]);
    await till.gateway.context.alertRounds.look();
    const { open } = (await owner.pos("GET", "/alerts")).body;
    expect(open).toMatchObject([{ cause: "UPDATE_UNDONE", facts: { name: "9.0.0" } }]);
    const kept = readdirSync(till.dataDir).filter((name) => name.startsWith("before-restore-"));
    expect(kept).toHaveLength(1);
    await till.restart();
    await signInAgain();
    expect(await auditedUpdates()).toHaveLength(1);
  });

  it("can be undone even if the newer version listened and made automatic writes before it failed", {
    tags: ["thorough"],
  }, async () => {
    const before = await sales();
    await till.gateway.close();
    till.clock.jump(2 * DAY);
    // Starts twice, because the power fails after the first start.
    for (let count = 0; count < 2; count++) {
      const gateway = await newer({ automaticBackups: true, automaticAlerts: true });
      const { url } = await gateway.listen();
      gateway.readAhead();
      await gateway.whenChecked();
      await gateway.context.jobs.idle();
      await gateway.context.alertRounds.look();
      for (const path of ["/pos/status", "/pos/staff/names", "/pos/session", "/pos/alerts"]) {
        await (await fetch(url + path)).text();
      }
      await gateway.close();
      expect(await findWayBack(places(), "9.0.0")).toEqual({ way: "BACKUP", before: "0.1.0" });
    }
    await till.restart();
    await signInAgain();
    expect(await sales()).toEqual(before);
    expect(await auditedUpdates()).toMatchObject([{ action: "program.go-back", subject: "9.0.0" }]);
  });

  it("changes nothing if its migration fails, so that the previous version works", async () => {
    const before = await sales();
    await till.gateway.close();
    const fault = new Error("this shop has what it did not expect");
    const failed = asNewer(
      () => createGateway(testConfig(till.dataDir), { clock: till.clock, ...NEWER }),
      fault,
    );
    await expect(failed).rejects.toThrow(fault.message);
    expect(await findWayBack(places(), "9.0.0")).toMatchObject({ way: "SAME" });
    await till.restart();
    expect(await sales()).toEqual(before);
    expect(await auditedUpdates()).toEqual([]);
  });
});

describe("an update that cannot be undone", () => {
  const REFUSED = /was made by a newer Tillgate/;
  /**
   * Expects that the previous version refuses the database, and that the newer version still has
   * all data.
   */
  async function expectRefused(way: string, said: RegExp): Promise<void> {
    expect(await findWayBack(places(), "9.0.0")).toMatchObject({ way });
    expect(await adviceAfterFailure(places(), "9.0.0")).toMatch(said);
    await expect(till.restart()).rejects.toThrow(REFUSED);
    const names = readdirSync(till.dataDir);
    expect(names.filter((name) => name.startsWith("before-restore-"))).toEqual([]);
  }
  /**
   * Restores the backup from before the update, so that the previous version can open the database.
   */
  async function undo(): Promise<void> {
    const backup = readdirSync(join(till.dataDir, "backups"))[0] ?? "";
    const { restoreBackup } = await loadRestore();
    const { dataDir, clock } = till;
    const file = join(dataDir, "backups", backup);
    await restoreBackup({ dataDir, now: clock.now(), file, accountId: "default" });
    await till.restart();
  }

  it("keeps every write of the newer version, even a single commit", async () => {
    await till.gateway.close();
    const gateway = await newer();
    const { url } = await gateway.listen();
    const signIn = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ staffId: owner.staffId, pin: OWNER_PIN }),
    };
    expect((await fetch(`${url}/pos/session`, signIn)).status).toBe(200);
    await gateway.close();
    await expectRefused("WRITTEN", /Nothing was sold .* Install a later version/);
    await undo();
  });

  it("keeps every sale of the newer version", { tags: ["thorough"] }, async () => {
    await till.gateway.close();
    const gateway = await newer();
    const { url } = await gateway.listen();
    const answer = await fetch(`${url}/v1/topups/purchases`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${till.key("test")}`,
      },
      body: JSON.stringify({
        transactionId: "since-the-update",
        offerId: "TIGO_GT_TOPUP_25",
        recipientPhoneNumber: "+50251234567",
      }),
    });
    expect(answer.status, await answer.text()).toBeLessThan(300);
    await gateway.close();
    await expectRefused(
      "SOLD",
      /Restore no backup: what was sold or recharged since would be missing/,
    );
    await undo();
  });

  it("stays in place if the newer version works and was only stopped", async () => {
    await till.gateway.close();
    const gateway = await newer();
    await gateway.listen();
    await gateway.noteWorks();
    await gateway.close();
    expect(await findWayBack(places(), "9.0.0")).toMatchObject({ way: "WRITTEN" });
    await expect(till.restart()).rejects.toThrow(REFUSED);
    await undo();
  });

  it("keeps the database if the last writes are missing from the write-ahead log", async () => {
    await till.gateway.close();
    await failNewer();
    const { CommitWitness, readWitness } = await import("../../../db/commit-witness.ts");
    const known = readWitness(till.dataDir);
    const witness = new CommitWitness(till.dataDir);
    witness.note({ ...known!, commits: known!.commits + 1 });
    witness.close();
    await expectRefused("WRITTEN", /Nothing was sold/);
    await undo();
  });

  it("keeps the database if the earlier backup is missing or was replaced by another backup", {
    tags: ["thorough"],
  }, async () => {
    await till.gateway.context.backups.make();
    await signInAgain();
    await till.gateway.close();
    await failNewer();
    const dir = join(till.dataDir, "backups");
    const [older = "", made = ""] = readdirSync(dir).toSorted();
    rmSync(join(dir, made));
    expect(older).not.toBe("");
    await expectRefused("NO_BACKUP", /nothing was sold .* the backup .* is not where it was made/);
    await undo();
  });
});

it("a successful update is recorded once, with the previous version", async () => {
  await till.gateway.close();
  const next = await createGateway(testConfig(till.dataDir), {
    ...TEST_OVERRIDES,
    clock: till.clock,
    version: "0.2.0",
  });
  await next.listen();
  await next.noteWorks();
  await next.close();
  await till.restart();
  await signInAgain();
  expect(await auditedUpdates()).toMatchObject([
    { action: "program.update", subject: "0.1.0", detail: { before: "0.2.0" } },
    { action: "program.update", subject: "0.2.0", detail: { before: "0.1.0" } },
  ]);
});
