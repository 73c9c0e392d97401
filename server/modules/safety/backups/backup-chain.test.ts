import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BackupFault } from "../../../contract/pos/backups.ts";
import { openDatabaseFile } from "../../../db/database.ts";
import { copyDatabase, databaseFile } from "../../../db/database-files.ts";
import { DAY, HOUR, MINUTE } from "../../../lib/clock.ts";
import { readSealKey } from "../../../lib/sealer.ts";
import { PROGRAM_DIR } from "../../../program.ts";
import { decryptBackupIn, verifyBackupIn, writeOldBackup } from "../../../testing/backup-files.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { FakeClock } from "../../../testing/fake-clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";
import { until } from "../../../testing/until.ts";
import { planCopy, writeCopy } from "./backup-chain.ts";
import { readSealedBackup, unlockBackup } from "./backup-format.ts";
import { restoreBackup } from "./restore.ts";

const SOLD = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const CHANGED = "tillgate-20260110T113000Z.increment";

/** The shop has a full copy and four increments. Each increment adds a sale. */
let shop: TestGateway;
let owner: TestTill;
let phrase: string;
let clock: FakeClock;
let disk: string;
let points: Point[];

interface Point {
  file: string;
  name: string;
  takenAt: number;
  plain: string;
}

beforeAll(async () => {
  disk = mkdtempSync(join(tmpdir(), "tillgate-chain-"));
  clock = new FakeClock(Date.UTC(2026, 0, 10, 9, 30));
  shop = await startTestGateway({ clock });
  owner = await openTill(shop, { shopName: "Tienda Sol" });
  phrase = (await owner.pos("POST", "/backups/kit", { pin: OWNER_PIN })).body.phrase;
  points = [];
  for (let number = 0; number < 5; number++) {
    await owner.sell([SOLD]);
    await passTime(HOUR);
    points.push(await makePoint());
  }
}, 60_000);
afterAll(async () => {
  await shop.close();
  rmSync(disk, { recursive: true, force: true });
});

async function passTime(milliseconds: number): Promise<void> {
  clock.set(clock.now() + milliseconds);
  await shop.settle();
}

async function makePoint(): Promise<Point> {
  const plain = join(disk, `plain-${clock.now()}.db`);
  await copyDatabase(databaseFile(shop.dataDir), plain);
  return { ...(await make()), plain };
}

async function make() {
  await passTime(MINUTE);
  return shop.gateway.context.backups.make();
}

function copyChain(): string {
  const dir = mkdtempSync(join(disk, "stick-"));
  for (const { file, name } of points) copyFileSync(file, join(dir, name));
  return dir;
}

function createDataDir(): string {
  const dataDir = mkdtempSync(join(disk, "data-"));
  cpSync(join(shop.dataDir, "secrets.key"), join(dataDir, "secrets.key"));
  return dataDir;
}

function restore(file: string, dataDir = createDataDir()) {
  const request = { dataDir, accountId: "default", file, now: clock.now() };
  return restoreBackup(request);
}

async function problemsOf(file: string): Promise<string> {
  return (await verifyBackupIn(createDataDir(), file)).problems.join("\n");
}

async function faultOf(file: string): Promise<BackupFault | undefined> {
  return (await verifyBackupIn(createDataDir(), file)).fault;
}

function momentOf(number: number): string {
  return new Date(points[number]?.takenAt ?? 0).toISOString();
}

async function bytesOf(file: string): Promise<Buffer> {
  await openDatabaseFile(file, "write").destroy();
  return readFileSync(file);
}

async function countSales(file: string): Promise<number> {
  const db = openDatabaseFile(file, "read");
  const { rows } = await sql<{ sales: number }>`select count(*) as sales from sales`.execute(db);
  await db.destroy();
  return rows[0]?.sales ?? 0;
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

const endOf = (file: string) => readFileSync(file).length - 1;

describe("a chain of copies", () => {
  it("starts with a full copy, and continues with smaller increments", () => {
    const kinds = points.map(({ name }) => name.replace(/^.*\./, ""));
    expect(kinds).toEqual(["backup", "increment", "increment", "increment", "increment"]);
    const [full, ...increments] = points.map(({ file }) => readFileSync(file).length);
    for (const size of increments) expect(size).toBeLessThan((full ?? 0) / 3);
    expect(full).toBeLessThan(readFileSync(databaseFile(shop.dataDir)).length / 3);
  });

  it("restores the database of every copy byte for byte", async () => {
    for (const { file, plain } of points) {
      const target = join(disk, "opened.db");
      rmSync(target, { force: true });
      writeFileSync(target, "");
      await decryptBackupIn(shop.dataDir, file, target);
      expect((await bytesOf(target)).equals(await bytesOf(plain)), file).toBe(true);
    }
  });

  it("restores the shop from an increment in the middle after the folder was moved", async () => {
    const dir = copyChain();
    const dataDir = createDataDir();
    const point = points[2]!;
    const restored = await restore(join(dir, point.name), dataDir);
    expect(restored).toMatchObject({ shopName: "Tienda Sol", takenAt: point.takenAt });
    expect(await countSales(databaseFile(dataDir))).toBe(3);
  });

  it("shows in the back office which copies need other copies", async () => {
    const { list } = (await owner.pos("GET", "/backups")).body;
    const found = list.filter(({ name }: Point) => points.some((point) => point.name === name));
    expect(found.map(({ isIncrement = false }) => isIncrement)).toEqual([
      ...Array.from({ length: 4 }, () => true),
      false,
    ]);
  });
});

describe("a broken chain of copies", () => {
  const [FULL, FIRST, SECOND, THIRD, LAST] = [0, 1, 2, 3, 4];
  const nameOf = (number: number) => points[number]?.name ?? "";

  it.each([
    ["content", (file: string) => flip(file, endOf(file)), /is not good: its content is damaged/],
    ["beginning", (file: string) => flip(file, 30), /and the file of that name is damaged or/],
    ["end", (file: string) => truncateSync(file, endOf(file)), /is not good: it is cut short/],
  ])(
    "names the increment whose %s is damaged, and the newest intact copy",
    async (_, damage, why) => {
      const dir = copyChain();
      damage(join(dir, nameOf(SECOND)));
      const found = await problemsOf(join(dir, nameOf(LAST)));
      expect(found).toContain(`it needs the copy ${nameOf(SECOND)}`);
      expect(found).toMatch(why);
      expect(await faultOf(join(dir, nameOf(LAST)))).toEqual({
        kind: "COPY_DAMAGED",
        copy: nameOf(SECOND),
        copyAt: momentOf(SECOND),
        whole: nameOf(FIRST),
        wholeAt: momentOf(FIRST),
      });
      expect(found).toContain(
        `; the newest whole copy before it is ${nameOf(FIRST)}, taken at 2026`,
      );
      await expect(restore(join(dir, nameOf(LAST)))).rejects.toThrow(
        /is not good: it needs the copy .*; the newest whole copy .*Nothing was done/,
      );
      const dataDir = createDataDir();
      await restore(join(dir, nameOf(FIRST)), dataDir);
      expect(await countSales(databaseFile(dataDir))).toBe(2);
    },
  );

  it("names the missing copy", async () => {
    const dir = copyChain();
    rmSync(join(dir, nameOf(THIRD)));
    const found = await problemsOf(join(dir, nameOf(LAST)));
    expect(found).toContain(`it needs the copy ${nameOf(THIRD)}, taken at `);
    expect(found).toContain(
      `which is missing; the newest whole copy before it is ${nameOf(SECOND)}`,
    );
    expect(await faultOf(join(dir, nameOf(LAST)))).toEqual({
      kind: "COPY_MISSING",
      copy: nameOf(THIRD),
      copyAt: momentOf(THIRD),
      whole: nameOf(SECOND),
      wholeAt: momentOf(SECOND),
    });
    rmSync(join(dir, nameOf(FULL)));
    expect(await problemsOf(join(dir, nameOf(FIRST)))).toMatch(
      /which is missing; there is no whole copy beside it$/,
    );
  });

  it("names the newest intact copy if the chosen copy itself is damaged", async () => {
    const dir = copyChain();
    flip(join(dir, nameOf(LAST)), endOf(join(dir, nameOf(LAST))));
    expect(await problemsOf(join(dir, nameOf(LAST)))).toBe(
      `its content is damaged or was changed; the newest whole copy before it is ${nameOf(THIRD)}, taken at 2026-01-10T13:34:00.000Z`,
    );
  });

  it("does not accept a copy of another shop as part of the chain", async () => {
    const other = await startTestGateway({ clock: new FakeClock(clock.now() - DAY) });
    try {
      await openTill(other, { shopName: "Kiosk Luna" });
      await other.gateway.context.backups.make();
      const { file } = await other.gateway.context.backups.make();
      const dir = copyChain();
      copyFileSync(file, join(dir, nameOf(SECOND)));
      expect(await problemsOf(join(dir, nameOf(LAST)))).toMatch(
        /and the file of that name is damaged or is another copy; the newest whole copy before/,
      );
    } finally {
      await other.close();
    }
  });

  it("restores the content of each copy even if two file names were exchanged", async () => {
    const dir = copyChain();
    const [second, third] = [join(dir, nameOf(SECOND)), join(dir, nameOf(THIRD))];
    renameSync(second, `${second}.tmp`);
    renameSync(third, second);
    renameSync(`${second}.tmp`, third);
    const dataDir = createDataDir();
    const restored = await restore(third, dataDir);
    expect(restored.takenAt).toBe(points[SECOND]?.takenAt);
    expect(await countSales(databaseFile(dataDir))).toBe(3);
    expect(await problemsOf(join(dir, nameOf(LAST)))).toBe("");
  });

  it("refuses an increment whose signed header names the wrong predecessor", async () => {
    const key = readSealKey(shop.dataDir);
    if (!key) throw new Error("there is no key file");
    const dir = copyChain();
    const dataDir = createDataDir();
    const open = (number: number) => unlockBackup(readSealedBackup(join(dir, nameOf(number))), key);
    const { facts } = open(LAST);
    const planned = planCopy(points[LAST]?.plain ?? "", { dir, dataDir, facts, key });
    // The key's holder can sign a forged increment: it contains the changes since the third copy,
    // but names the first as its predecessor.
    const plan = (number: number) => ({
      ...planned,
      increment: { base: { copy: open(number), hashes: hashesOf(number) }, changed: [1] },
    });
    const target = join(dir, CHANGED);
    const write = () => writeCopy(plan(FIRST), { target, hashesTo: join(dir, "x"), kits: [] });
    expect(write).toThrow(/its content and its beginning do not belong together/);
    expect(await problemsOf(target)).toMatch(
      /its content and its beginning do not belong together/,
    );
  });

  function hashesOf(number: number): Buffer {
    const key = readSealKey(shop.dataDir);
    const file = points[number]?.file ?? "";
    if (!key) throw new Error("there is no key file");
    const { facts } = unlockBackup(readSealedBackup(file), key);
    const place = { dir: disk, dataDir: disk, facts, key };
    return planCopy(points[number]?.plain ?? "", place).hashes;
  }
});

describe("a folder that contains other files besides the chain", () => {
  it("restores from renamed copies, and ignores incomplete copies and foreign files", async () => {
    const dir = copyChain();
    for (const { name } of points) {
      const content = readFileSync(join(dir, name));
      writeFileSync(join(dir, `${name}.part`), content.subarray(0, content.length / 2));
      renameSync(join(dir, name), join(dir, `Copy of ${name.replace(".", " (1).")}`));
    }
    for (const name of ["photo.jpg", "tillgate.txt", "holiday.backup", "x.increment"]) {
      writeFileSync(join(dir, name), "not a backup");
    }
    const half = join(dir, `${points[4]?.name}.part`);
    expect(await problemsOf(half)).toMatch(
      /^it is cut short; Copy of tillgate\S+ \(1\)\.increment is the same copy, and is whole$/,
    );
    const last = readdirSync(dir).find((name) => name.includes("Copy of") && name.includes("T143"));
    const dataDir = createDataDir();
    await restore(join(dir, last ?? ""), dataDir);
    expect(await countSales(databaseFile(dataDir))).toBe(5);
  });
});

describe("the next copy after a chain", () => {
  const kindOf = ({ name }: { name: string }) => (name.endsWith(".backup") ? "full" : "increment");

  it("starts a new chain on the next day, or if its predecessor's page hashes are missing", async () => {
    const hashes = join(shop.dataDir, "backup.pages");
    expect(kindOf(await make())).toBe("increment");
    rmSync(hashes);
    expect(kindOf(await make())).toBe("full");
    flip(hashes, endOf(hashes));
    expect(kindOf(await make())).toBe("full");
    expect(kindOf(await make())).toBe("increment");
    await passTime(DAY);
    expect(kindOf(await make())).toBe("full");
  });

  it("starts a new chain if a copy of the previous chain is missing or damaged", async () => {
    await make();
    const { file } = await make();
    flip(file, endOf(file));
    expect(kindOf(await make())).toBe("full");
    const { file: last } = await make();
    rmSync(last);
    expect(kindOf(await make())).toBe("full");
  });

  it("follows the second-last copy if the last copy was interrupted before writing its page hashes", async () => {
    const hashes = join(shop.dataDir, "backup.pages");
    await make();
    const before = readFileSync(hashes);
    await owner.sell([SOLD]);
    await make();
    writeFileSync(hashes, before);
    await owner.sell([SOLD]);
    const { file } = await make();
    expect(kindOf({ name: file })).toBe("increment");
    expect(await verifyBackupIn(shop.dataDir, file)).toMatchObject({ problems: [] });
  });

  it("restores the exact database after VACUUM, after a new page size and after a restore", async () => {
    const { file } = await make();
    const change = async (...statements: string[]) => {
      await shop.gateway.close();
      const db = openDatabaseFile(databaseFile(shop.dataDir), "write");
      for (const statement of statements) await sql.raw(statement).execute(writerOf(db));
      await db.destroy();
      await shop.restart();
    };
    await change("vacuum");
    await expectExact();
    await change("pragma page_size = 8192", "vacuum");
    expect(kindOf(await expectExact())).toBe("full");
    await owner.sell([SOLD]);
    expect(kindOf(await expectExact())).toBe("increment");
    await shop.gateway.close();
    await restore(file, shop.dataDir);
    await shop.restart();
    await expectExact();
    await shop.expectCleanBooks();
  });

  async function expectExact() {
    await shop.settle();
    const { plain, ...backup } = await makePoint();
    const target = join(disk, "exact.db");
    rmSync(target, { force: true });
    writeFileSync(target, "");
    await decryptBackupIn(shop.dataDir, backup.file, target);
    expect((await bytesOf(target)).equals(await bytesOf(plain))).toBe(true);
    return backup;
  }
});

it("a full copy without compression, as in earlier versions, can be restored", async () => {
  const key = readSealKey(shop.dataDir);
  const [first] = points;
  if (!key || !first) throw new Error("there is no shop");
  const file = join(disk, "tillgate-20250101T000000Z.backup");
  const { facts } = unlockBackup(readSealedBackup(first.file), key);
  writeOldBackup(file, { plain: first.plain, facts, key });
  const dataDir = createDataDir();
  expect(await restore(file, dataDir)).toMatchObject({ takenAt: facts.takenAt });
  expect(await countSales(databaseFile(dataDir))).toBe(1);
});

describe("a chain of copies on a new machine", () => {
  it("restores from chain files that the browser uploads, and names a missing file", {
    tags: ["thorough"],
  }, async () => {
    const machine = await startTestGateway({ clock: new FakeClock(clock.now() + DAY) });
    try {
      const ask = (path: string, body: object) => machine.call("POST", `/pos${path}`, { body });
      const send = async (files: Point[]) => {
        let stored = "";
        for (const [number, { file }] of files.entries()) {
          const content = readFileSync(file).toString("base64");
          stored = (await ask("/restore/upload", { number, at: 0, content })).body.file;
        }
        return stored;
      };
      const alone = await send(points.slice(2, 3));
      const refused = await ask("/restore/look", { file: alone, phrase });
      expect(refused.body.problems.join()).toContain(`it needs the copy ${points[1]?.name}`);
      expect(refused.body.fault).toMatchObject({ kind: "COPY_MISSING", copy: points[1]?.name });
      const refusedRestore = await ask("/restore", { file: alone, phrase });
      expect(refusedRestore.body.fields).toMatchObject(refused.body.fault);
      const file = await send(points.slice(0, 3));
      const looked = await ask("/restore/look", { file, phrase });
      expect(looked.body).toMatchObject({ problems: [], view: { sales: 3 } });
      expect((await ask("/restore", { file, phrase })).status).toBe(200);
      await expect
        .poll(async () => (await machine.call("GET", "/pos/status")).body?.setUp)
        .toBe(true);
      expect(readdirSync(machine.dataDir).filter((name) => /part/.test(name))).toEqual([]);
    } finally {
      await machine.close();
    }
  });
});

describe("a power failure during the writing of an increment", () => {
  it("leaves the chain intact, so that the next copy can follow it", {
    tags: ["thorough"],
    timeout: 120_000,
  }, async () => {
    await make();
    const backups = join(shop.dataDir, "backups");
    const before = readdirSync(backups);
    const isBegun = (dir: string, ending: RegExp) =>
      readdirSync(dir).some((name) => ending.test(name) && sizeOf(join(dir, name)) > 0);
    const moments = [
      () => isBegun(shop.dataDir, /^\.tillgate.*\.part$/),
      () => isBegun(backups, /\.part$/),
      () => isBegun(shop.dataDir, /\.part\.pages$/),
    ];
    for (const isReached of moments) {
      const args = ["server/admin/tillgate.ts", "backup", "now", "--data", shop.dataDir];
      const command = spawn(process.execPath, args, { cwd: PROGRAM_DIR, stdio: "ignore" });
      const isOver = () => command.exitCode !== null;
      // If the command has ended before this moment, the copy is complete.
      await until(() => isReached() || isOver());
      command.kill("SIGKILL");
      if (!isOver() && command.signalCode === null) await once(command, "exit");
      for (const dir of [shop.dataDir, backups]) {
        for (const name of readdirSync(dir)) {
          if (/\.part/.test(name)) rmSync(join(dir, name), { force: true });
        }
      }
    }
    await owner.sell([SOLD]);
    const { file } = await make();
    expect(await verifyBackupIn(shop.dataDir, file)).toMatchObject({ problems: [] });
    for (const name of readdirSync(backups).filter((one) => !before.includes(one))) {
      expect(await problemsOf(join(backups, basename(name)))).toBe("");
    }
  });
});
