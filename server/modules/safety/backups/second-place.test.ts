import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MINUTE } from "../../../lib/clock.ts";
import { verifyBackupIn } from "../../../testing/backup-files.ts";
import { FakeClock } from "../../../testing/fake-clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";
import { copyBackups } from "./second-place-copy.ts";

let gateway: TestGateway;
let owner: TestTill;
let disk: string;
let stick: string;
beforeAll(async () => {
  disk = mkdtempSync(join(tmpdir(), "tillgate-second-"));
  stick = join(disk, "stick");
  mkdirSync(stick);
  gateway = await startTestGateway();
  owner = await openTill(gateway);
});
afterAll(async () => {
  await gateway.close();
  rmSync(disk, { recursive: true, force: true });
});

const backups = () => join(gateway.dataDir, "backups");
const namesIn = (dir: string) =>
  readdirSync(dir).filter((name) => /\.(backup|increment)$/.test(name));
const view = async () => (await owner.pos("GET", "/backups")).body.second;
const choose = (dir: string) => owner.pos("PUT", "/backups/second", { dir });

async function make(): Promise<void> {
  await gateway.advance(MINUTE);
  await gateway.gateway.context.backups.make();
  await gateway.settle();
}

it("the second place receives a verified copy of every backup, and missed copies when it returns", async () => {
  await make();
  expect((await choose(stick)).status).toBe(200);
  await gateway.settle();
  expect(namesIn(stick)).toEqual(namesIn(backups()));
  await make();
  expect(namesIn(stick)).toEqual(namesIn(backups()));
  for (const name of namesIn(stick)) {
    expect(readFileSync(join(stick, name)).equals(readFileSync(join(backups(), name)))).toBe(true);
  }
  expect(await view()).toMatchObject({ dir: stick, missing: 0, copiedAt: expect.any(String) });

  renameSync(stick, join(disk, "pulled"));
  // The empty mount point remains after the disk was pulled. Nothing may be written to it.
  mkdirSync(stick);
  await make();
  expect(await view()).toMatchObject({ missing: 3, problem: { kind: "AWAY" } });
  expect(readdirSync(stick)).toEqual([]);
  rmSync(stick, { recursive: true });
  renameSync(join(disk, "pulled"), stick);
  await gateway.advance(11 * MINUTE);
  await gateway.settle();
  expect(namesIn(stick)).toEqual(namesIn(backups()));
  expect((await view()).problem).toBeUndefined();

  const trail = (await owner.pos("GET", "/audit-trail?limit=50&action=backup.second-place")).body;
  expect(trail.list[0]).toMatchObject({ subject: stick });
  await owner.pos("DELETE", "/backups/second");
  expect(await view()).toBeUndefined();
  await make();
  expect(namesIn(backups()).length).toBeGreaterThan(namesIn(stick).length);
});

it("the second place receives each increment after its predecessors", async () => {
  await make();
  const owner = readFileSync(join(stick, ".tillgate-backups"), "utf8").split("\n")[1] ?? "";
  for (const name of namesIn(stick)) rmSync(join(stick, name));
  const order = { from: backups(), to: stick, owner, now: gateway.clock.now() };
  const outcome = copyBackups(order, () => namesIn(stick).length >= 3);
  expect(outcome).toMatchObject({ copied: 3 });
  for (const name of namesIn(stick)) {
    const dataDir = mkdtempSync(join(disk, "data-"));
    copyFileSync(join(gateway.dataDir, "secrets.key"), join(dataDir, "secrets.key"));
    expect((await verifyBackupIn(dataDir, join(stick, name))).problems).toEqual([]);
  }
  expect(copyBackups(order)).toMatchObject({ missing: 0 });
});

it("a second place must be an existing folder other than the backup folder", async () => {
  for (const dir of ["stick", join(disk, "nowhere"), gateway.dataDir, backups()]) {
    const refused = await choose(dir);
    expect([refused.status, refused.body.errorCode], dir).toEqual([400, "INVALID_REQUEST"]);
    expect(refused.body.fields).toHaveProperty("dir");
  }
  expect(await view()).toBeUndefined();
});

it("copying to the second place leaves some space free", async () => {
  await make();
  const owner = readFileSync(join(stick, ".tillgate-backups"), "utf8").split("\n")[1] ?? "";
  const order = { from: backups(), to: stick, owner, now: Date.now() };
  const before = namesIn(stick);
  const full = copyBackups(
    order,
    () => false,
    () => 1_000_000,
  );
  expect(full.problem).toMatchObject({
    kind: "FULL",
    message: expect.stringContaining("1 MB left"),
  });
  expect(full.missing).toBeGreaterThan(0);
  expect(namesIn(stick)).toEqual(before);
});

it("the second place keeps no copy that differs from its backup", async () => {
  await make();
  const owner = readFileSync(join(stick, ".tillgate-backups"), "utf8").split("\n")[1] ?? "";
  for (const name of namesIn(stick)) rmSync(join(stick, name));
  const part = join(stick, ".tillgate-copy.part");
  const damageCopy = () => {
    if (existsSync(part) && statSync(part).size > 0) {
      const file = openSync(part, "r+");
      writeSync(file, "x", 0);
      closeSync(file);
    }
    return false;
  };
  const order = { from: backups(), to: stick, owner, now: gateway.clock.now() };
  expect(copyBackups(order, damageCopy)).toMatchObject({
    copied: 0,
    problem: { kind: "FAILED", message: "a copy is not what was written" },
  });
  expect(readdirSync(stick)).toEqual([".tillgate-backups"]);
});

it("the second place belongs to one shop, and no other shop can choose it or copy to it", {
  tags: ["thorough"],
}, async () => {
  await make();
  expect((await choose(stick)).status).toBe(200);
  await gateway.settle();
  const others = await startTestGateway({
    clock: new FakeClock(Date.UTC(2026, 7, 1, 10, 0, 0, 123)),
  });
  try {
    const other = await openTill(others);
    const refused = await other.pos("PUT", "/backups/second", { dir: stick });
    expect(refused.body.fields).toEqual({ dir: expect.stringContaining("another Tillgate") });
  } finally {
    await others.close();
  }
  // Another shop has formatted, chosen and marked the stick.
  writeFileSync(
    join(stick, ".tillgate-backups"),
    "Tillgate copies its backups here.\nof another\n",
  );
  const before = namesIn(stick);
  await make();
  expect(namesIn(stick)).toEqual(before);
  expect(await view()).toMatchObject({ problem: { kind: "AWAY" } });
  // The mark of an early version contains no owner. The gateway replaces it.
  writeFileSync(join(stick, ".tillgate-backups"), "Tillgate copies its backups here.\n");
  await gateway.advance(11 * MINUTE);
  await gateway.settle();
  expect(namesIn(stick)).toEqual(namesIn(backups()));
  expect(readFileSync(join(stick, ".tillgate-backups"), "utf8")).toContain(
    "of the shop that began",
  );
});
