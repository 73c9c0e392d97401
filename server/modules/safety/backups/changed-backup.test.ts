import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabaseFile } from "../../../db/database.ts";
import { databaseFile } from "../../../db/database-files.ts";
import { readSealKey } from "../../../lib/sealer.ts";
import { decryptBackupIn, verifyBackupIn } from "../../../testing/backup-files.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill } from "../../../testing/test-till.ts";
import { planCopy, writeCopy } from "./backup-chain.ts";
import { readSealedBackup, unlockBackup } from "./backup-format.ts";
import { restoreBackup } from "./restore.ts";

let shop: TestGateway;
let dir: string;
let file: string;
let phrase: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "tillgate-changed-"));
  shop = await startTestGateway();
  const owner = await openTill(shop);
  phrase = (await owner.pos("POST", "/backups/kit", { pin: OWNER_PIN })).body.phrase;
  await owner.pos("POST", "/staff", { name: "Ana", role: "clerk", pin: "2583" });
  await owner.sell([{ offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" }]);
  ({ file } = await shop.gateway.context.backups.make());
  await shop.gateway.close();
});
afterAll(async () => {
  await shop.close();
  rmSync(dir, { recursive: true });
});

function restore(of: string) {
  const { dataDir, clock } = shop;
  const request = { dataDir, accountId: "default", file: of, now: clock.now() };
  return restoreBackup({ ...request, acceptUnsigned: true });
}

const MAKES_OWNER = `begin update staff set role = 'owner' where name = 'Ana'; end`;
const CHANGES: Record<string, [statements: string[], finding: RegExp]> = {
  "a trigger that was added": [
    [`create trigger aid after insert on staff_sessions ${MAKES_OWNER}`],
    /the trigger aid was added/,
  ],
  "a table that was added": [["create table notes (text)"], /the table notes was added/],
  "a view that was added": [
    ["create view all_staff as select * from staff"],
    /the view all_staff was added/,
  ],
  "an index that was added": [
    ["create unique index one_role on staff (role, name)"],
    /the index one_role was added/,
  ],
  "a trigger of Tillgate that was dropped": [
    ["drop trigger audit_trail_no_delete"],
    /the trigger audit_trail_no_delete is missing/,
  ],
  "a trigger of Tillgate that was changed": [
    [
      "drop trigger audit_trail_no_delete",
      "create trigger audit_trail_no_delete before delete on audit_trail begin select 1; end",
    ],
    /the trigger audit_trail_no_delete was changed/,
  ],
  "an entry of the audit trail that was removed": [
    [
      "drop trigger audit_trail_no_delete",
      "delete from audit_trail where action = 'staff.add'",
      `create trigger audit_trail_no_delete before delete on audit_trail
        begin select raise(abort, 'audit_trail is append-only'); end`,
    ],
    /no entry of the audit trail was removed: the audit trail of default has \d+ entries/,
  ],
};

/**
 * Executes statements on the backup's decrypted database.
 * @returns its path
 */
async function change(statements: readonly string[]): Promise<string> {
  const changed = join(dir, "changed.db");
  rmSync(changed, { force: true });
  await decryptBackupIn(shop.dataDir, file, changed);
  const db = openDatabaseFile(changed, "write");
  for (const statement of statements) await sql.raw(statement).execute(writerOf(db));
  await db.destroy();
  return changed;
}

describe("a restore from a changed backup", () => {
  it.each(Object.entries(CHANGES))("fails for %s", async (what, [statements, finding]) => {
    const plain = await change(statements);
    // A thief of the key file could sign the changed backup.
    const key = readSealKey(shop.dataDir);
    if (!key) throw new Error("there is no key file");
    const signed = join(dir, "changed.backup");
    const { facts } = unlockBackup(readSealedBackup(file), key);
    const copy = planCopy(plain, { dir, dataDir: dir, facts, key });
    writeCopy(copy, { target: signed, hashesTo: join(dir, "changed.pages"), kits: [] });
    const before = readFileSync(databaseFile(shop.dataDir));
    for (const changed of [plain, signed]) {
      const { problems, fault } = await verifyBackupIn(shop.dataDir, changed);
      expect(problems.join("; ")).toMatch(finding);
      expect(fault?.kind).toBe(what.includes("audit trail") ? "BOOKS" : "DAMAGED");
      await expect(restore(changed)).rejects.toThrow(/is not good: .*Nothing was done/);
    }
    expect(readFileSync(databaseFile(shop.dataDir)).equals(before)).toBe(true);
  });

  it("succeeds for an unchanged backup", async () => {
    expect(await verifyBackupIn(shop.dataDir, await change([]))).toMatchObject({ problems: [] });
    expect((await verifyBackupIn(shop.dataDir, file)).problems).toEqual([]);
  });

  it("fails if any single byte has changed", async () => {
    const whole = readFileSync(file);
    const copy = join(dir, "flipped.backup");
    cpSync(file, copy);
    const headerEnd = 13 + whole.readUInt32BE(9) + 32;
    const offset = fc.oneof(
      fc.integer({ min: 0, max: headerEnd - 1 }),
      fc.integer({ min: headerEnd, max: whole.length - 1 }),
    );
    await fc.assert(
      fc.asyncProperty(offset, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        write(copy, at, Buffer.from([(whole[at] ?? 0) ^ mask]));
        const { problems } = await verifyBackupIn(shop.dataDir, copy);
        write(copy, at, Buffer.from([whole[at] ?? 0]));
        expect(problems).not.toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it("fails if the file is cut off or has trailing bytes", async () => {
    const whole = readFileSync(file);
    const copy = join(dir, "cut.backup");
    for (const length of [1, 8, 12, 100, whole.length - 1]) {
      writeFileSync(copy, whole.subarray(0, length));
      expect((await verifyBackupIn(shop.dataDir, copy)).problems, `${length}`).not.toEqual([]);
    }
    writeFileSync(copy, Buffer.concat([whole, Buffer.from("x")]));
    expect((await verifyBackupIn(shop.dataDir, copy)).problems).toEqual([
      "something was added behind its end; flipped.backup is the same copy, and is whole",
    ]);
  });
});

it("the commands verify, look and restore refuse an empty file", async () => {
  const empty = join(dir, "tillgate-20260101T000000Z.backup");
  writeFileSync(empty, "");
  expect(await verifyBackupIn(shop.dataDir, empty)).toMatchObject({
    problems: ["it is empty"],
    fault: { kind: "DAMAGED" },
  });
  await expect(restore(empty)).rejects.toThrow(/is not good: it is empty. Nothing was done/);
});

it("a backup reveals neither names nor phone numbers without its key", () => {
  const bytes = readFileSync(file).toString("latin1");
  expect(bytes).toContain("Corner Shop");
  for (const secret of ["50251234567", "SQLite format", phrase]) {
    expect(bytes).not.toContain(secret);
  }
});

function write(path: string, at: number, bytes: Buffer): void {
  const handle = openSync(path, "r+");
  writeSync(handle, bytes, 0, bytes.length, at);
  closeSync(handle);
}
