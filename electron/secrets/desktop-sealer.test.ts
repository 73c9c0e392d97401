import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DAY } from "../../server/lib/clock.ts";
import { createFileSealer } from "../../server/lib/sealer.ts";
import { FakeClock } from "../../server/testing/fake-clock.ts";
import { type FakeUpstream, startFakeUpstream } from "../../server/testing/fake-upstream.ts";
import { runProgram } from "../../server/testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../../server/testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../server/testing/test-till.ts";
import { type Receiver, startReceiver } from "../../server/testing/webhook-receiver.ts";
import { hostGateway } from "../gateway-host.ts";
import { ElectronStandIn } from "../testing/electron-stand-in.ts";
import { SafeStorageStandIn } from "../testing/system-stand-ins.ts";
import { createDesktopSealer } from "./desktop-sealer.ts";

const KEY = "live_upstream-key-of-the-shop";
const HEADER = "Bearer very-secret";

/** Reads the database with its write-ahead log, as a thief of the disk could. */
function readDatabase(dataDir: string): string {
  return readdirSync(dataDir)
    .filter((name) => name.startsWith("tillgate.db"))
    .map((name) => readFileSync(join(dataDir, name), "latin1"))
    .join("");
}

function hasKeyFile(dataDir: string): boolean {
  return existsSync(join(dataDir, "secrets.key"));
}

describe("a gateway with the user's keyring", () => {
  let keyring: SafeStorageStandIn;
  let host: "desktop" | "headless";
  let log: string[];
  let till: TestGateway;
  let owner: TestTill;
  let upstream: FakeUpstream;
  let receiver: Receiver;

  beforeEach(async () => {
    keyring = new SafeStorageStandIn();
    host = "desktop";
    log = [];
    till = await startTestGateway({
      sealer: (parts) =>
        host === "desktop" ? createDesktopSealer(keyring, parts, "linux") : parts.keyFile,
      logStream: { write: (line) => log.push(line) },
    });
    owner = await openTill(till);
    upstream = await startFakeUpstream(till.clock);
    receiver = await startReceiver(till);
  });
  afterEach(async () => {
    await till.close();
    await upstream.close();
    await receiver.close();
  });

  async function enterSecrets() {
    const body = { baseUrl: `${upstream.url}/v1`, key: KEY, allowPrivate: true };
    expect((await owner.pos("PUT", "/upstream", body)).status).toBe(200);
    const header = { headerName: "Authorization", headerValue: HEADER };
    const url = `${receiver.url}/hook`;
    const webhook = { environment: "test", kind: "TOPUP", url, allowPrivate: true, ...header };
    const added = await owner.pos("POST", "/webhooks", webhook);
    expect(added.status).toBe(200);
    return added.body;
  }

  async function restartAs(next: "desktop" | "headless"): Promise<void> {
    host = next;
    await till.restart();
  }

  async function deliver(transactionId: string): Promise<string | undefined> {
    const before = receiver.received.length;
    const offer = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
    await till.v1("POST", "/topups/purchases", { ...offer, transactionId });
    await till.advance(1000);
    const sent = receiver.received[before]?.headers.authorization;
    if (sent !== undefined) return sent;
    const newest = await owner.pos("GET", "/webhooks/deliveries?_limit=1&_offset=0");
    return newest.body.list[0].attempts[0].error;
  }

  function testUpstream() {
    return owner.pos("POST", "/upstream/test");
  }

  test("seals secrets with the keyring, so that even a database without a key file is unreadable", async () => {
    const { secret } = await enterSecrets();

    expect((await testUpstream()).status).toBe(200);
    expect(await deliver("one")).toBe(HEADER);
    // The key file also hashes staff PINs, which every host must be able to check.
    expect(hasKeyFile(till.dataDir)).toBe(true);
    rmSync(join(till.dataDir, "secrets.key"));
    await till.restart();
    expect((await testUpstream()).status).toBe(200);
    expect(await deliver("two")).toBe(HEADER);
    const bytes = readDatabase(till.dataDir);
    expect(bytes).toContain("keyring.");
    for (const readable of [KEY, HEADER, secret.slice("whsec_".length)]) {
      expect(bytes).not.toContain(readable);
      expect(bytes).not.toContain(Buffer.from(readable).toString("base64"));
    }
    expect(log.join("")).not.toMatch(/keyring/);
  });

  test("opens secrets that a headless gateway sealed with the key file", async () => {
    await restartAs("headless");
    await enterSecrets();
    expect(hasKeyFile(till.dataDir)).toBe(true);

    await restartAs("desktop");
    expect((await testUpstream()).status).toBe(200);
    expect(await deliver("one")).toBe(HEADER);
    rmSync(join(till.dataDir, "secrets.key"));
    expect((await testUpstream()).body.message).toMatch(/secrets\.key is missing/);
  });

  test("opens secrets sealed by the command line, although the command line cannot open secrets of the keyring", {
    tags: ["thorough"],
  }, async () => {
    await enterSecrets();
    const env = { TILLGATE_DATA: till.dataDir };
    const run = (line: string, input = "") =>
      runProgram("admin/tillgate.ts", line.split(" "), { env, input });

    const tested = await run("upstream test --env live");
    expect(tested.exitCode).toBe(1);
    expect(tested.stderr).toMatch(/sealed by the desktop app of this machine's user/);
    const url = `--url ${upstream.url} --allow-private yes`;
    expect((await run(`upstream connect --env live ${url}`, `${KEY}\n`)).exitCode).toBe(0);
    expect((await run("upstream test --env live")).exitCode).toBe(0);
    expect((await testUpstream()).status).toBe(200);
  });

  test("shows which app sealed the secrets if the keyring is missing, and works after the secrets are entered again", async () => {
    const { webhook } = await enterSecrets();
    await restartAs("headless");

    const words = /sealed by the desktop app of this machine's user, .* enter it again\.$/;
    expect(await testUpstream()).toMatchObject({
      status: 503,
      body: { errorCode: "SYSTEM_UNAVAILABLE", message: expect.stringMatching(words) },
    });
    expect(await deliver("one")).toMatch(words);
    await owner.pos("DELETE", `/webhooks/${webhook.webhookId}`);
    await enterSecrets();
    expect((await testUpstream()).status).toBe(200);
    expect(await deliver("two")).toBe(HEADER);
  });

  test.each<[string, Partial<SafeStorageStandIn>]>([
    ["is not there", { available: false }],
    ["is none but a password that everybody knows", { backend: "basic_text" }],
  ])("uses the key file and logs this if the keyring %s", async (_, state) => {
    await enterSecrets();
    Object.assign(keyring, state);
    await till.restart();

    expect(log.join("")).toMatch(/secrets are sealed with a key file/);
    expect((await testUpstream()).body.message).toMatch(/keyring, which cannot be reached/);
    const body = { baseUrl: `${upstream.url}/v1`, key: KEY, allowPrivate: true };
    expect((await owner.pos("PUT", "/upstream", body)).status).toBe(200);
    expect((await testUpstream()).status).toBe(200);
    expect(hasKeyFile(till.dataDir)).toBe(true);
  });

  test("reports a locked or foreign keyring, and neither seals nor opens secrets", async () => {
    const body = { baseUrl: `${upstream.url}/v1`, key: "another-key", allowPrivate: true };
    keyring.locked = true;
    expect((await owner.pos("PUT", "/upstream", body)).body.message).toMatch(
      /stored no secret: unlock it/,
    );
    keyring.locked = false;
    await enterSecrets();
    keyring.locked = true;
    expect((await testUpstream()).body.message).toMatch(/unlock the keyring and try again/);
    expect((await owner.pos("PUT", "/upstream", body)).body.message).toMatch(
      /unlock the keyring and try again/,
    );
    keyring.locked = false;
    expect((await testUpstream()).status).toBe(200);
    keyring.user = "pedro";
    expect((await testUpstream()).body.message).toMatch(/another user .* must be entered again/);
  });
});

describe("secrets of the user's keyring", () => {
  let upstream: FakeUpstream | undefined;
  const gateways: TestGateway[] = [];

  afterEach(async () => {
    for (const gateway of gateways.splice(0)) await gateway.close();
    await upstream?.close();
  });

  /** @param user owner of the keyring; undefined for a server without a keyring */
  async function startAs(user: string | undefined, began: number): Promise<TestGateway> {
    const keyring = Object.assign(new SafeStorageStandIn(), { user });
    const gateway = await startTestGateway({
      clock: new FakeClock(began),
      ...(user !== undefined && {
        sealer: (parts) => createDesktopSealer(keyring, parts, "linux"),
      }),
    });
    gateways.push(gateway);
    return gateway;
  }

  async function restoreOn(machine: TestGateway, body: { file: string; phrase: string }) {
    expect((await machine.call("POST", "/pos/restore", { body })).status).toBe(200);
    const status = async () =>
      (await machine.call("GET", "/pos/status").catch(() => undefined))?.body.setUp;
    await expect.poll(status).toBe(true);
    const { db, sealer } = machine.gateway.context;
    const row = await db.selectFrom("upstreams").select("key_sealed").executeTakeFirstOrThrow();
    return { key: sealer.open(row.key_sealed ?? ""), sealed: row.key_sealed ?? "" };
  }

  test("survive a restore with the recovery sheet on another machine, and are then sealed by its keyring", {
    tags: ["thorough"],
  }, async () => {
    const began = Date.UTC(2026, 0, 10, 9, 30);
    const shop = await startAs("olga", began);
    const owner = await openTill(shop);
    upstream = await startFakeUpstream(shop.clock);
    const body = { baseUrl: `${upstream.url}/v1`, key: KEY, allowPrivate: true };
    expect((await owner.pos("PUT", "/upstream", body)).status).toBe(200);
    // Earlier versions sealed with the keyring itself.
    const olgas = new SafeStorageStandIn();
    const { db, transactor, backups } = shop.gateway.context;
    const key_sealed = `desktop.${olgas.encryptString(KEY).toString("base64")}`;
    await transactor.transact("default", (tx) =>
      tx.updateTable("upstreams").set({ key_sealed }).execute(),
    );
    const { kitId, phrase } = (await owner.pos("POST", "/backups/kit", { pin: OWNER_PIN })).body;
    await owner.pos("POST", "/backups/kit/confirm", { kitId });
    const row = await db.selectFrom("upstreams").select("key_sealed").executeTakeFirstOrThrow();
    expect(row.key_sealed).toMatch(/^keyring\./);
    expect((await owner.pos("GET", "/backups")).body.kit).toBeDefined();
    const { file } = await backups.make();

    const next = await startAs("pedro", began + DAY);
    const keyringFile = (gateway: TestGateway) =>
      readFileSync(join(gateway.dataDir, "keyring.key"), "utf8");
    const restored = await restoreOn(next, { file, phrase });
    expect(restored).toEqual({ key: KEY, sealed: row.key_sealed });
    expect(keyringFile(next)).toMatch(/^desktop\./);
    expect(keyringFile(next)).not.toBe(keyringFile(shop));

    const server = await startAs(undefined, began + 2 * DAY);
    expect((await restoreOn(server, { file, phrase })).key).toBe(KEY);
    expect(keyringFile(server)).toMatch(/^1\./);
  });
});

test("the desktop sealer uses the system's keyring outside Linux, whatever its backend", () => {
  const keyring = new SafeStorageStandIn();
  keyring.backend = "basic_text";
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-keyring-"));
  const keyFile = { ...createFileSealer(dataDir), seal: () => "by the key file" };
  const nowhere = { debug() {}, info() {}, warn() {}, error() {} };
  const sealWith = (platform: NodeJS.Platform) =>
    createDesktopSealer(keyring, { keyFile, log: nowhere }, platform).seal("a");

  expect(sealWith("darwin")).toMatch(/^keyring\./);
  expect(sealWith("win32")).toMatch(/^keyring\./);
  expect(sealWith("linux")).toBe("by the key file");
  rmSync(dataDir, { recursive: true });
});

test("the desktop sealer opens a restored keyring key without a keyring, and moves it to the keyring once there is one", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-keyring-"));
  const keyFile = createFileSealer(dataDir);
  const nowhere = { debug() {}, info() {}, warn() {}, error() {} };
  const startWith = (keyring: Partial<SafeStorageStandIn>) => {
    const standIn = Object.assign(new SafeStorageStandIn(), keyring);
    return createDesktopSealer(standIn, { keyFile, log: nowhere }, "linux");
  };
  const first = startWith({ user: "olga" });
  const sealed = first.seal(KEY);
  const key = first.findKeyringKey?.();
  expect(startWith({ available: false }).findKeyringKey?.()).toBeUndefined();
  // A restore seals the key with the key file of the new machine.
  keyFile.keyring.replace(keyFile.seal(key!.bytes.toString("base64")));

  const without = startWith({ available: false });
  expect([without.open(sealed), without.findKeyringKey?.()]).toEqual([KEY, key]);
  expect(keyFile.keyring.read()).toMatch(/^1\./);
  expect(startWith({ user: "pedro" }).open(sealed)).toBe(KEY);
  expect(keyFile.keyring.read()).toMatch(/^desktop\./);
  expect(() => startWith({ user: "olga" }).open(sealed)).toThrow(/keyring does not open/);
  rmSync(dataDir, { recursive: true });
});

test("the gateway seals secrets with the keyring that the desktop app passes to it", {
  tags: ["thorough"],
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "tillgate-keyring-"));
  const upstream = await startFakeUpstream(new FakeClock());
  const electron = new ElectronStandIn();
  const gateway = await hostGateway(electron.asElectron(), {
    dataDir,
    port: 0,
    logLevel: "silent",
    rendererDir: dataDir,
    resourcesDir: join(import.meta.dirname, "../../resources"),
  });
  const pos = (method: string, path: string, body: object, cookie = "") =>
    fetch(`${gateway?.origin}/pos${path}`, {
      method,
      headers: { "content-type": "application/json", cookie, "tillgate-pin": "471183" },
      body: JSON.stringify(body),
    });
  const setUp = await pos("POST", "/setup", {
    shopName: "Corner Shop",
    currency: "USD",
    language: "en",
    ownerName: "Olga",
    ownerPin: "471183",
  });
  const cookie = setUp.headers.getSetCookie()[0]!.split(";", 1)[0]!;
  const input = { baseUrl: `${upstream.url}/v1`, key: KEY, allowPrivate: true };

  expect((await pos("PUT", "/upstream", input, cookie)).status).toBe(200);
  expect(readDatabase(dataDir)).toContain("keyring.");
  expect(readDatabase(dataDir)).not.toContain(KEY);
  await gateway?.close();
  await upstream.close();
  rmSync(dataDir, { recursive: true });
});
