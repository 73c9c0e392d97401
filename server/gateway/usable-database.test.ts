import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabaseFile } from "../db/database.ts";
import { MINUTE, SECOND } from "../lib/clock.ts";
import { writerOf } from "../testing/direct-writes.ts";
import { runProgram, typeCommand } from "../testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

/** A closed shop with a sale and one backup. */
let shop: string;
let root: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "tillgate-start-"));
  shop = join(root, "shop");
  const till = await startTestGateway();
  await till.gateway.context.backups.make();
  await till.gateway.close();
  mkdirSync(join(shop, "backups"), { recursive: true });
  for (const name of ["tillgate.db", "secrets.key"]) {
    copyFileSync(join(till.dataDir, name), join(shop, name));
  }
  copyFileSync(join(till.dataDir, "backups", BACKUP), join(shop, "backups", BACKUP));
  await till.close();
});
afterAll(() => rmSync(root, { recursive: true }));

const BACKUP = "tillgate-20260115T093000Z.backup";

function copyShop(): string {
  const dataDir = mkdtempSync(join(root, "data-"));
  mkdirSync(join(dataDir, "backups"));
  for (const name of ["tillgate.db", "secrets.key"]) {
    copyFileSync(join(shop, name), join(dataDir, name));
  }
  copyFileSync(join(shop, "backups", BACKUP), join(dataDir, "backups", BACKUP));
  return dataDir;
}

describe("a start with an unusable database", () => {
  const file = (dataDir: string) => join(dataDir, "tillgate.db");

  function scribble(dataDir: string): void {
    const bytes = readFileSync(file(dataDir));
    bytes.fill(0xa5, 4_096, bytes.length / 2);
    writeFileSync(file(dataDir), bytes);
  }

  type Damage = [string, (dataDir: string) => void, RegExp];

  it.each<Damage>([
    ["empty", (dir) => truncateSync(file(dir), 0), /it is empty/],
    ["no database", (dir) => writeFileSync(file(dir), "Words. ".repeat(999)), /not a database/],
  ])("fails without changes if the file is %s", refuseAndRestore);

  it.each<Damage>([
    ["cut short", (dir) => truncateSync(file(dir), 40_960), /malformed|it is damaged/],
    ["cut to its first page", (dir) => truncateSync(file(dir), 4_096), /malformed|it is damaged/],
    ["written over", scribble, /it is damaged|malformed/],
  ])("fails without changes if the file is %s", { tags: ["thorough"] }, refuseAndRestore);

  async function refuseAndRestore(...[_case, damage, words]: Damage): Promise<void> {
    const dataDir = copyShop();
    damage(dataDir);
    const before = readFileSync(file(dataDir));
    const refused = await runProgram("main.ts", ["--data", dataDir, "--port", "0"]);
    // The exit code shows that every further start would fail in the same way.
    expect(refused).toMatchObject({ exitCode: 70, stdout: "" });
    expect(refused.stderr).toMatch(words);
    expect(refused.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(readFileSync(file(dataDir)).equals(before)).toBe(true);

    const command = /npm run -s tillgate -- (backup restore \S+) --data "(.+)"$/m.exec(
      refused.stderr,
    );
    expect(command?.[2]).toBe(dataDir);
    const args = [...(command?.[1] ?? "").split(" "), "--data", dataDir];
    const restored = await typeCommand(dataDir, args);
    expect(restored).toMatchObject({ exitCode: 0, stderr: "" });
    const audit = await typeCommand(dataDir, ["audit"]);
    expect(audit.exitCode).toBe(0);
  }

  it("fails if the database is missing while backups or other files of it exist", {
    tags: ["thorough"],
  }, async () => {
    const withBackups = copyShop();
    rmSync(file(withBackups));
    const withLog = copyShop();
    renameSync(file(withLog), `${file(withLog)}-wal`);
    rmSync(join(withLog, "backups"), { recursive: true });
    for (const [dataDir, words] of [
      [withBackups, /is missing, but there are backups\. Restore the newest backup with: npm/],
      [withLog, /is missing, but what was last written to it is there.*There is no backup/],
    ] as const) {
      const refused = await runProgram("main.ts", ["--data", dataDir, "--port", "0"]);
      expect(refused.exitCode).toBe(70);
      expect(refused.stderr).toMatch(words);
      expect(readdirSync(dataDir)).not.toContain("tillgate.db");
    }
  });

  it("fails if a newer Tillgate made the database; a restore of its backup fails too", async () => {
    const dataDir = copyShop();
    const db = openDatabaseFile(file(dataDir), "write");
    await sql`insert into kysely_migration values ('999-flying-tills', '2030')`.execute(
      writerOf(db),
    );
    await db.destroy();
    const before = readFileSync(file(dataDir));
    for (const [program, exitCode] of [
      // After this exit code, systemd does not restart the service.
      [runProgram("main.ts", ["--data", dataDir, "--port", "0"]), 70],
      [typeCommand(dataDir, ["audit"]), 1],
    ] as const) {
      const refused = await program;
      expect(refused.exitCode).toBe(exitCode);
      expect(refused.stderr).toMatch(/was made by a newer Tillgate \(999-flying-tills\)/);
    }
    const copy = join(dataDir, "backups", "tillgate-20300101T000000Z.backup");
    copyFileSync(file(dataDir), copy);
    const restored = await typeCommand(dataDir, ["backup", "restore", copy]);
    expect(restored.stderr).toMatch(/is not good: it was made by a newer Tillgate/);
    expect(readFileSync(file(dataDir)).subarray(100).equals(before.subarray(100))).toBe(true);
  });
});

describe("the loss of a data directory under a running gateway", () => {
  let till: TestGateway;
  beforeEach(async () => {
    till = await startTestGateway();
  });
  afterEach(() => till.close());

  function buy(transactionId: string) {
    return till.v1("POST", "/topups/purchases", {
      offerId: "TIGO_GT_TOPUP_25",
      transactionId,
      recipientPhoneNumber: "+50251239007",
    });
  }

  async function expectRefusals(): Promise<void> {
    for (const answer of [
      await buy("lost"),
      await till.v1("GET", "/balance"),
      await till.call("GET", "/pos/status"),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({
        errorCode: "SYSTEM_UNAVAILABLE",
        message: expect.stringContaining("deleted or replaced while Tillgate ran"),
      });
    }
  }

  it("stops work until the directory is back", async () => {
    await buy("before");
    await till.settle();
    const aside = `${till.dataDir}-aside`;
    renameSync(till.dataDir, aside);
    await expectRefusals();
    await till.advance(MINUTE);
    renameSync(aside, till.dataDir);
    await till.advance(MINUTE);
    expect((await till.v1("GET", "/topups/purchases/before")).body.status).toBe("DONE");
    expect((await till.v1("GET", "/topups/purchases/lost")).status).toBe(404);
    await till.expectCleanBooks();
  });

  it("stops work even if another directory replaces it; nothing is written to the new directory", async () => {
    await buy("before");
    await till.settle();
    const aside = `${till.dataDir}-aside`;
    renameSync(till.dataDir, aside);
    mkdirSync(till.dataDir);
    writeFileSync(join(till.dataDir, "tillgate.db"), "another");
    await expectRefusals();
    await till.advance(20 * SECOND);
    expect(readFileSync(join(till.dataDir, "tillgate.db"), "utf8")).toBe("another");
    expect(readdirSync(till.dataDir)).toEqual(["tillgate.db"]);
    rmSync(aside, { recursive: true });
  });
});
