import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { typeCommand } from "../testing/run-program.ts";
import { startServerProcess } from "../testing/server-process.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "tillgate-backup-"));
});
afterAll(() => rmSync(root, { recursive: true }));

function tillgate(dataDir: string, ...args: string[]) {
  return typeCommand(dataDir, args);
}

async function run(dataDir: string, ...args: string[]): Promise<string> {
  const finished = await tillgate(dataDir, ...args);
  expect(finished.stderr).toBe("");
  expect(finished.exitCode).toBe(0);
  return finished.stdout.trimEnd();
}

async function walletOf(dataDir: string): Promise<number> {
  const shown = await run(dataDir, "wallet", "show", "--env", "test", "--json");
  return JSON.parse(shown).available;
}

it("the command `backup now` works beside a running gateway, and `backup restore` after the gateway has stopped", {
  tags: ["thorough"],
}, async () => {
  const dataDir = mkdtempSync(join(root, "data-"));
  expect(await run(dataDir, "backup", "list")).toBe(
    `There are no backups in ${join(dataDir, "backups")}.`,
  );
  await run(dataDir, "wallet", "set", "--env", "test", "--amount", "4200");
  const server = await startServerProcess(dataDir);
  const made = JSON.parse(await run(dataDir, "backup", "now", "--json"));
  expect(statSync(made.file).mode & 0o777).toBe(0o600);
  const name = readdirSync(join(dataDir, "backups"))[0] ?? "";
  expect(made.file).toBe(join(dataDir, "backups", name));
  expect(await run(dataDir, "backup", "list")).toContain(name);
  expect(await run(dataDir, "backup", "verify", name)).toMatch(/^The backup is good/);
  await run(dataDir, "wallet", "set", "--env", "test", "--amount", "9900");

  const refused = await tillgate(dataDir, "backup", "restore", name);
  expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^Tillgate is running on .*: stop it, then restore/);
  expect(await server.kill("SIGTERM")).toBe(0);
  expect(await walletOf(dataDir)).toBe(9_900);

  const text = await run(dataDir, "backup", "restore", name);
  expect(text).toContain(`Restored ${name}, taken at ${made.takenAt.slice(0, 19)}`);
  expect(text).toContain("Sales, payments and changes after that moment are not in the books");
  const kept = /is kept in (\S+)\.$/m.exec(text)?.[1] ?? "";
  expect(readdirSync(kept)).toContain("tillgate.db");
  expect(await walletOf(dataDir)).toBe(4_200);
  await run(dataDir, "audit");
  const again = await startServerProcess(dataDir);
  expect(await again.kill("SIGTERM")).toBe(0);
});

it("tillgate backup restore restores a backup from another disk into an empty directory", {
  tags: ["thorough"],
}, async () => {
  const dataDir = mkdtempSync(join(root, "data-"));
  const disk = join(root, "disk");
  await run(dataDir, "wallet", "set", "--env", "test", "--amount", "4200");
  const missing = await tillgate(dataDir, "backup", "now", "--backups", disk);
  expect(missing.exitCode).toBe(1);
  expect(missing.stderr).toMatch(/No backup could be made in .*disk: /);
  mkdirSync(disk);
  const { phrase } = JSON.parse(await run(dataDir, "recovery", "kit", "--json"));
  const words = join(root, "words.txt");
  writeFileSync(words, `${phrase}\n`);
  await run(dataDir, "backup", "now", "--backups", disk);
  const fresh = join(root, "fresh");
  mkdirSync(fresh);
  const closed = await tillgate(fresh, "restore", disk);
  expect(closed.exitCode).toBe(1);
  expect(closed.stderr).toContain("its recovery phrase opens it");
  expect(await run(fresh, "restore", disk, "--phrase", words)).toContain(
    "There was no database before.",
  );
  expect(await walletOf(fresh)).toBe(4_200);
});

it("the command `recovery key` recreates the missing key file from the recovery phrase", {
  tags: ["thorough"],
}, async () => {
  const dataDir = mkdtempSync(join(root, "data-"));
  await run(dataDir, "wallet", "set", "--env", "test", "--amount", "4200");
  const { phrase } = JSON.parse(await run(dataDir, "recovery", "kit", "--json"));
  const words = join(root, "words-of-key.txt");
  writeFileSync(words, phrase);
  const key = join(dataDir, "secrets.key");
  const before = readFileSync(key);
  rmSync(key);
  expect(await run(dataDir, "recovery", "key", "--phrase", words)).toBe(
    `Wrote ${key}. Start Tillgate.`,
  );
  expect(readFileSync(key)).toEqual(before);
  expect(statSync(key).mode & 0o777).toBe(0o600);

  writeFileSync(key, "x".repeat(32), { mode: 0o600 });
  const refused = await tillgate(dataDir, "recovery", "key", "--phrase", words);
  expect(refused.stderr).toContain("is the key of other secrets. Move it away first");
  writeFileSync(words, phrase.replace(/ \w+$/, ""));
  const short = await tillgate(dataDir, "recovery", "key", "--phrase", words);
  expect(short.stderr).toContain("has 12 words; this one has 11");
  expect(readFileSync(key, "utf8")).toBe("x".repeat(32));
});

it("tillgate backup restore refuses a file that is not a backup", async () => {
  const dataDir = mkdtempSync(join(root, "data-"));
  const file = join(root, "words.db");
  writeFileSync(file, "This is no database. ".repeat(500));
  const verified = await tillgate(dataDir, "backup", "verify", file);
  expect(verified.exitCode).toBe(1);
  expect(verified.stdout).toMatch(/is NOT good:\nit is not a backup of Tillgate/);
  const restored = await tillgate(dataDir, "backup", "restore", file);
  expect(restored.exitCode).toBe(1);
  expect(restored.stderr).toMatch(/is not good: it is not a backup of Tillgate. Nothing was done/);
  const unnamed = await tillgate(dataDir, "backup", "verify");
  expect(unnamed.stderr).toMatch(/A FILE is required/);
});

it("tillgate status prints transactions, wallets and backups, as text and as JSON", {
  tags: ["thorough"],
}, async () => {
  const dataDir = mkdtempSync(join(root, "data-"));
  await run(dataDir, "wallet", "set", "--env", "test", "--amount", "4200");
  const text = await run(dataDir, "status");
  expect(text).toContain("Nothing is under way.");
  expect(text).toContain("test: 42.00 USD available, 0.00 USD held");
  expect(text).toContain("There are no backups.");
  const server = await startServerProcess(dataDir);
  const created = await run(dataDir, "keys", "create", "--env", "test", "--name", "t");
  await fetch(`${server.url}/v1/topups/purchases`, {
    method: "POST",
    headers: { authorization: `Bearer ${created}`, "content-type": "application/json" },
    body: JSON.stringify({
      offerId: "TIGO_GT_TOPUP_25",
      transactionId: "t-1",
      recipientPhoneNumber: "+50251239004",
    }),
  });
  const token = await run(dataDir, "metrics", "token");
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${server.url}/metrics`, { headers })).status).toBe(200);
  const data = JSON.parse(await run(dataDir, "status", "--json"));
  expect(data.unfinished).toMatchObject([{ environment: "test", count: 1 }]);
  expect(data.unfinished[0].oldestAge_s).toBeLessThan(600);
  expect(data.jobs.map(({ kind }: { kind: string }) => kind)).toEqual([
    "backup.make",
    "figures.close",
    "live.check",
    "purchase.advance",
  ]);
  expect(await run(dataDir, "metrics", "revoke")).toBe("Revoked.");
  expect((await fetch(`${server.url}/metrics`, { headers })).status).toBe(401);
  expect(await server.kill("SIGTERM")).toBe(0);
});
