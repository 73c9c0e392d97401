import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, expect, inject, it } from "vitest";
import { SECOND } from "../lib/clock.ts";
import { createTestDatabase, dropTestDatabase } from "../testing/postgres-database.ts";
import { startPostgresProxy } from "../testing/postgres-proxy.ts";
import { startGatewayOn, type TestGateway } from "../testing/test-gateway.ts";

let till: TestGateway | undefined;
const undo: (() => unknown)[] = [];
afterEach(async () => {
  await till?.close();
  till = undefined;
  for (const step of undo.splice(0).reverse()) await step();
});

function buy(gateway: TestGateway, transactionId: string) {
  return gateway.v1("POST", "/topups/purchases", {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId,
    recipientPhoneNumber: "+50251234567",
  });
}

it("readyz responds within five seconds while PostgreSQL hangs, and reports ready once PostgreSQL responds again", async () => {
  const address = await createTestDatabase();
  undo.push(() => dropTestDatabase(address));
  const proxy = await startPostgresProxy(address);
  undo.push(() => proxy.close());
  till = await startGatewayOn(proxy.address);
  const ready = await till.call("GET", "/readyz");
  expect(ready.status, JSON.stringify(ready.body)).toBe(200);
  proxy.losePower({ isBack: false });
  till.clock.set(till.clock.now() + 30 * SECOND);
  const began = performance.now();
  const hung = await till.call("GET", "/readyz");
  const took_ms = performance.now() - began;
  expect([hung.status, hung.body.message]).toEqual([
    503,
    expect.stringMatching(/database (does not answer|server cannot be reached)/),
  ]);
  expect(took_ms).toBeLessThan(5_000);
  const life = await till.call("GET", "/healthz");
  expect(life.status).toBe(200);
  proxy.letThrough();
  await expect
    .poll(async () => (await till?.call("GET", "/readyz"))?.status, { timeout: 30_000 })
    .toBe(200);
}, 60_000);

let smallDisk = "";

async function createOnSmallDisk(skip: (why: string) => void): Promise<string> {
  const disk = mkdtempSync(join(tmpdir(), "tillgate-small-"));
  undo.push(() => rmSync(disk, { recursive: true, force: true }));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=80m", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    skip("this user may not mount a small file system");
  }
  undo.push(() => execFileSync("umount", ["-l", disk]));
  const admin = new Client({ connectionString: inject("postgres") });
  await admin.connect();
  const { rows } = await admin.query("show data_directory");
  const { uid, gid } = statSync(rows[0].data_directory);
  const place = join(disk, "tables");
  mkdirSync(place);
  chownSync(place, uid, gid);
  execFileSync("chmod", ["755", disk]);
  await admin.query(`create tablespace small location '${place}'`);
  await admin.query("create database on_small tablespace small");
  await admin.end();
  undo.push(async () => {
    const client = new Client({ connectionString: inject("postgres") });
    await client.connect();
    await client.query("drop database on_small with (force)");
    await client.query("drop tablespace small");
    await client.end();
  });
  const address = new URL(inject("postgres"));
  address.pathname = "/on_small";
  smallDisk = disk;
  return address.href;
}

it("a gateway whose sales fail on PostgreSQL's full disk is not ready, even if small writes succeed", async (test) => {
  const address = await createOnSmallDisk((why) => test.skip(why));
  till = await startGatewayOn(address);
  expect((await buy(till, "before")).status).toBe(200);
  const filler = join(smallDisk, "filler");
  for (let size = 1 << 20; size >= 8_192; ) {
    try {
      writeFileSync(filler, Buffer.alloc(size, 1), { flag: "a" });
    } catch {
      size /= 2;
    }
  }
  let refused = 0;
  for (let n = 0; n < 3_000 && refused === 0; n++) {
    const { status } = await buy(till, `until-full-${n}`);
    if (status === 503) refused = n;
  }
  expect(refused).toBeGreaterThan(0);
  const { transactor } = till.gateway.context;
  for (let n = 0; n < 5; n++) {
    // An update in place needs no space.
    await transactor
      .transact("default", (tx) =>
        tx.updateTable("environment_settings").set({ numbers_erased_until: 0 }).execute(),
      )
      .catch(() => {});
    const ready = await till.call("GET", "/readyz");
    expect([ready.status, ready.body.message]).toEqual([
      503,
      expect.stringMatching(/disk of the database server is full/),
    ]);
  }
  rmSync(filler);
  await expect.poll(async () => (await till?.call("GET", "/readyz"))?.status).toBe(200);
  expect((await buy(till, "after")).status).toBe(200);
  await till.settle();
  await till.expectCleanBooks();
}, 120_000);
