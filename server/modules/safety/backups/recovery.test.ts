import { randomUUID } from "node:crypto";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, MINUTE, SECOND } from "../../../lib/clock.ts";
import { decryptBackupIn } from "../../../testing/backup-files.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { FakeClock } from "../../../testing/fake-clock.ts";
import { startFakeReloadly } from "../../../testing/fake-reloadly.ts";
import { startFakeUpstream } from "../../../testing/fake-upstream.ts";
import { giveLiveCatalog } from "../../../testing/live-catalog.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { cookieOf, OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";
import { startReceiver } from "../../../testing/webhook-receiver.ts";
import { restoreBackup } from "./restore.ts";

const SOLD = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const BEGAN = Date.UTC(2026, 0, 10, 9, 30);

/** The clock of the shop's gateway, used instead of `shop.clock`. */
let clock: FakeClock;
let shop: TestGateway;
let owner: TestTill;
let stick: string;
const others: TestGateway[] = [];

beforeEach(async () => {
  stick = mkdtempSync(join(tmpdir(), "tillgate-stick-"));
  clock = new FakeClock(BEGAN);
  shop = await startTestGateway({ clock });
  owner = await openTill(shop, { shopName: "Tienda Sol" });
});
afterEach(async () => {
  for (const gateway of [shop, ...others.splice(0)]) await gateway.close();
  rmSync(stick, { recursive: true });
});

async function startMachine(began = BEGAN + DAY): Promise<TestGateway> {
  const machine = await startTestGateway({ clock: new FakeClock(began) });
  others.push(machine);
  return machine;
}

async function passTime(milliseconds: number): Promise<void> {
  clock.set(clock.now() + milliseconds);
  await shop.settle();
}

async function makeDraft(): Promise<{ kitId: string; phrase: string }> {
  const made = await owner.pos("POST", "/backups/kit", { pin: OWNER_PIN });
  expect(made.status).toBe(200);
  return made.body;
}

function confirm(kitId: string) {
  return owner.pos("POST", "/backups/kit/confirm", { kitId });
}

async function makeKit(): Promise<string> {
  const { kitId, phrase } = await makeDraft();
  expect((await confirm(kitId)).status).toBe(200);
  return phrase;
}

async function backUp(): Promise<string> {
  await passTime(SECOND);
  const { file, name } = await shop.gateway.context.backups.make();
  cpSync(file, join(stick, name));
  return join(stick, name);
}

async function signInAgain(machine: TestGateway): Promise<TestTill["pos"]> {
  await expect
    .poll(async () => {
      const status = await machine.call("GET", "/pos/status").catch(() => undefined);
      return status?.body.setUp;
    })
    .toBe(true);
  const body = { staffId: owner.staffId, pin: OWNER_PIN };
  const session = await machine.call("POST", "/pos/session", { body });
  expect(session.status).toBe(200);
  const headers = { cookie: cookieOf(session) };
  return (method, path, body) =>
    machine.call(method, `/pos${path}`, { headers, ...(body !== undefined && { body }) });
}

describe("the recovery of a shop on a clean machine", () => {
  it("needs only the twelve words and a folder of backups on the first screen", {
    tags: ["thorough"],
  }, async () => {
    const phrase = await makeKit();
    await owner.sell([SOLD]);
    const file = await backUp();
    const machine = await startMachine();
    const ask = (path: string, body: object) => machine.call("POST", `/pos${path}`, { body });

    const found = await ask("/restore/find", { path: stick });
    expect(found.body.list).toMatchObject([{ file }]);
    const sealed = await ask("/restore/look", { file });
    expect(sealed.body.problems).toEqual([expect.stringContaining("its recovery phrase opens it")]);
    expect(sealed.body.phraseFault).toEqual({ kind: "MISSING" });
    const wrong = await ask("/restore/look", { file, phrase: phrase.replace(/^\w+/, "notaword") });
    expect(wrong.body.problems).toEqual([expect.stringContaining("Word 1 of the recovery phrase")]);
    expect(wrong.body.phraseFault).toEqual({ kind: "WORD", number: 1 });
    const looked = await ask("/restore/look", { file, phrase: phrase.toUpperCase() });
    expect(looked.body).toMatchObject({
      shopName: "Tienda Sol",
      isUnsigned: false,
      problems: [],
      about: { shopName: "Tienda Sol", environment: "test", engine: "sqlite" },
      view: { sales: 1 },
    });
    const refused = await ask("/restore", { file });
    expect(refused.body.fields).toEqual({ phrase: "is required" });
    expect((await machine.call("GET", "/pos/status")).body.setUp).toBe(false);

    const restored = await ask("/restore", { file, phrase });
    expect(restored.body).toMatchObject({ shopName: "Tienda Sol" });
    const pos = await signInAgain(machine);
    expect((await pos("GET", "/sales?limit=9&offset=0")).body.list).toHaveLength(1);
    // The same sheet decrypts the new machine's backups.
    expect((await pos("GET", "/backups")).body.kit).toBeDefined();
    expect(readFileSync(join(machine.dataDir, "secrets.key"))).toEqual(
      readFileSync(join(shop.dataDir, "secrets.key")),
    );
    expect(statSync(join(machine.dataDir, "secrets.key")).mode & 0o777).toBe(0o600);
    expect(readdirSync(machine.dataDir).filter((name) => /restored|part/.test(name))).toEqual([]);
    await machine.expectCleanBooks();
    expect((await ask("/restore/find", { path: stick })).body.errorCode).toBe("ALREADY_SET_UP");
  });

  it("accepts a backup that the browser uploads in parts, and names a missing part", {
    tags: ["thorough"],
  }, async () => {
    const phrase = await makeKit();
    const content = readFileSync(await backUp());
    const machine = await startMachine();
    const ask = (path: string, body: object) => machine.call("POST", `/pos${path}`, { body });
    const half = Math.floor(content.length / 2 / 3) * 3;
    const part = (at: number, end?: number) =>
      ask("/restore/upload", { at, content: content.subarray(at, end).toString("base64") });
    const sendAll = async () => {
      for (let at = 0; at < content.length; at += 90_000) {
        expect((await part(at, at + 90_000)).status).toBe(200);
      }
    };
    expect((await part(0, 90_000)).status).toBe(200);
    expect((await part(half + 3, half + 6)).body.fields).toEqual({ at: "must be 90000" });
    await sendAll();
    const { file } = (await part(content.length)).body;
    const looked = await ask("/restore/look", { file, phrase });
    expect(looked.body).toMatchObject({ shopName: "Tienda Sol", problems: [] });
    expect((await ask("/restore", { file, phrase })).status).toBe(200);
    await signInAgain(machine);
    expect(readdirSync(machine.dataDir).filter((name) => /part/.test(name))).toEqual([]);
  });

  it("states the reason for each file that it refuses", { tags: ["thorough"] }, async () => {
    const locked = await backUp();
    const phrase = await makeKit();
    const file = await backUp();
    const machine = await startMachine();
    const whole = readFileSync(file);
    const lookAt = (content: Buffer) => {
      const changed = join(stick, "changed.backup");
      writeFileSync(changed, content);
      return machine.call("POST", "/pos/restore/look", { body: { file: changed, phrase } });
    };
    const faultOf = async (content: Buffer) => (await lookAt(content)).body.fault;
    expect((await lookAt(whole)).body.problems).toEqual([]);
    expect(await faultOf(Buffer.from("A list for the market"))).toEqual({ kind: "NOT_A_BACKUP" });
    expect(await faultOf(whole.subarray(0, whole.length - 1))).toMatchObject({ kind: "DAMAGED" });
    const later = Buffer.from(whole);
    later[8] = 3;
    expect(await faultOf(later)).toEqual({ kind: "NEWER" });
    expect(await faultOf(readFileSync(locked))).toEqual({ kind: "OTHER_KEY" });
    rmSync(file);
    for (const path of ["/restore/look", "/restore"]) {
      const gone = await machine.call("POST", `/pos${path}`, { body: { file, phrase } });
      expect(gone).toMatchObject({ status: 404, body: { fields: { kind: "UNREADABLE" } } });
    }
  });

  it("asks the owner to confirm access, and revokes people and keys that the owner does not tick", {
    tags: ["thorough"],
  }, async () => {
    const phrase = await makeKit();
    const clerk = { name: "Ana", role: "clerk", pin: "2583" };
    const ana = (await owner.pos("POST", "/staff", clerk)).body.staffId;
    const file = await backUp();
    const machine = await startMachine();
    const body = { file, phrase };
    expect((await machine.call("POST", "/pos/restore", { body })).status).toBe(200);
    const pos = await signInAgain(machine);
    const { review } = (await pos("GET", "/backups")).body;
    expect(review.people).toEqual([{ id: ana, name: "Ana" }]);
    await machine.gateway.context.alertRounds.look();
    const alerts = (await pos("GET", "/alerts")).body.open;
    expect(alerts.map(({ cause }: { cause: string }) => cause)).toContain("RESTORED_ACCESS");

    const answer = { pin: OWNER_PIN, people: [ana], devices: [], keys: [] };
    expect((await pos("POST", "/backups/review", { ...answer, pin: "860257" })).status).not.toBe(
      200,
    );
    expect((await pos("POST", "/backups/review", answer)).body.review).toBeUndefined();
    const signIn = { staffId: ana, pin: "2583" };
    expect((await machine.call("POST", "/pos/session", { body: signIn })).status).not.toBe(200);
  });

  it("asks for no confirmation if the owner works alone", async () => {
    const phrase = await makeKit();
    const keys = (await owner.pos("GET", "/keys")).body.list;
    expect(keys.length).toBeGreaterThan(0);
    for (const { keyId } of keys) await owner.pos("DELETE", `/keys/${keyId}`);
    const body = { file: await backUp(), phrase };
    const machine = await startMachine();
    expect((await machine.call("POST", "/pos/restore", { body })).status).toBe(200);
    const pos = await signInAgain(machine);
    expect((await pos("GET", "/backups")).body.review).toBeUndefined();
    await machine.gateway.context.alertRounds.look();
    const alerts = (await pos("GET", "/alerts")).body.open;
    expect(alerts.map(({ cause }: { cause: string }) => cause)).not.toContain("RESTORED_ACCESS");
  });

  it("decrypts an older backup with its older sheet after a newer sheet was made", {
    tags: ["thorough"],
  }, async () => {
    const [first, old] = [await makeKit(), await backUp()];
    const [second, later] = [await makeKit(), await backUp()];
    const machine = await startMachine();
    const look = async (file: string, phrase: string) =>
      (await machine.call("POST", "/pos/restore/look", { body: { file, phrase } })).body;
    expect((await look(old, first)).problems).toEqual([]);
    expect((await look(later, second)).problems).toEqual([]);
    expect(await look(later, first)).toMatchObject({
      problems: [expect.stringContaining("does not open this backup")],
      phraseFault: { kind: "OTHER_BACKUP" },
    });
  });
});

describe("a new recovery sheet", () => {
  async function tryPhrases(file: string, phrases: readonly string[]): Promise<boolean[]> {
    const machine = await startMachine();
    const looked = phrases.map((phrase) =>
      machine.call("POST", "/pos/restore/look", { body: { file, phrase } }),
    );
    const answers = await Promise.all(looked);
    return answers.map(({ body }) => body.problems.length === 0);
  }

  it("leaves the earlier sheet valid for new backups until a person confirms the new sheet", async () => {
    const first = await makeKit();
    const { kitId, phrase: second } = await makeDraft();
    const unconfirmed = await backUp();
    // After a restart, the draft's words can no longer be printed.
    await shop.restart();
    owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
    const { kit, draftKit } = (await owner.pos("GET", "/backups")).body;
    expect([kit, draftKit]).toMatchObject([{ madeAt: expect.any(String) }, { kitId }]);
    expect(await tryPhrases(unconfirmed, [first, second])).toEqual([true, true]);

    const confirmed = await confirm(kitId);
    expect(confirmed.body.kit).toEqual({ madeAt: draftKit.madeAt });
    expect(confirmed.body.draftKit).toBeUndefined();
    expect((await confirm(kitId)).status).toBe(200);
    expect(await tryPhrases(await backUp(), [first, second])).toEqual([false, true]);
    const trail = (await owner.pos("GET", "/audit-trail?limit=50")).body.list;
    const actions = trail.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action === "recovery.confirm")).toHaveLength(2);
  });

  it("cannot be confirmed after another draft replaced it, and the earlier sheet stays valid", {
    tags: ["thorough"],
  }, async () => {
    const first = await makeKit();
    const lost = await makeDraft();
    const last = await makeDraft();
    const refused = await confirm(lost.kitId);
    expect([refused.status, refused.body.errorCode]).toEqual([404, "NOT_FOUND"]);
    const phrases = [first, lost.phrase, last.phrase];
    expect(await tryPhrases(await backUp(), phrases)).toEqual([true, false, true]);
  });

  it("can be confirmed only by owners", async () => {
    const { kitId } = await makeDraft();
    const clerk = { name: "Ana", role: "clerk", pin: "2583" };
    const ana = (await owner.pos("POST", "/staff", clerk)).body.staffId;
    const till = await owner.signIn(ana, clerk.pin);
    expect((await till.pos("POST", "/backups/kit/confirm", { kitId })).status).toBe(403);
  });
});

describe("a backup of another shop", () => {
  it("replaces the present shop only if the name of the backup's shop is typed", async () => {
    const phrase = await makeKit();
    const file = await backUp();
    const machine = await startMachine();
    const there = await openTill(machine, { shopName: "Kiosk Luna" });
    const before = await machine.call("GET", "/pos/status");
    await machine.gateway.close();
    const { dataDir } = machine;
    const request = { dataDir, accountId: "default", file, now: clock.now() };

    await expect(restoreBackup(request)).rejects.toMatchObject({
      fields: { phrase: "is required" },
    });
    await expect(restoreBackup({ ...request, phrase })).rejects.toMatchObject({
      message: expect.stringMatching(
        /is of another shop, "Tienda Sol"\. It would take the place of "Kiosk Luna"\. Nothing was done/,
      ),
      fields: { adopt: "is required" },
    });
    await expect(restoreBackup({ ...request, phrase, adopt: "Kiosk Luna" })).rejects.toMatchObject({
      fields: { adopt: "is required" },
    });
    await machine.restart();
    expect((await machine.call("GET", "/pos/status")).body.shopName).toBe(before.body.shopName);
    expect((await there.pos("GET", "/backups")).status).toBe(200);
    await machine.gateway.close();

    const restored = await restoreBackup({ ...request, phrase, adopt: "Tienda Sol" });
    expect(readdirSync(restored.kept ?? "")).toEqual(
      expect.arrayContaining(["secrets.key", "tillgate.db"]),
    );
    await machine.restart();
    const pos = await signInAgain(machine);
    const trail = (await pos("GET", "/audit-trail?limit=9&action=backup.restore")).body;
    expect(trail.list[0].detail).toMatchObject({ replaced: "Kiosk Luna" });
    await machine.expectCleanBooks();
  });

  it("appears as foreign in the command verify and in the back office", async () => {
    // Both shops have the same key file, and differ only in their creation times.
    const { file } = await shop.gateway.context.backups.make();
    const machine = await startMachine();
    cpSync(join(shop.dataDir, "secrets.key"), join(machine.dataDir, "secrets.key"));
    await machine.restart();
    const there = await openTill(machine, { shopName: "Kiosk Luna" });
    const { name } = await machine.gateway.context.backups.make();
    cpSync(file, join(machine.dataDir, "backups", name));
    for (const kind of ["VERIFY", "LOOK"]) {
      await there.pos("POST", "/backups/work", { kind, name });
      const work = async () => (await there.pos("GET", "/backups")).body.work;
      await expect.poll(async () => (await work()).state).toBe("DONE");
      expect((await work()).problems).toContain(
        'it is of another shop, "Tienda Sol"; the shop here is "Kiosk Luna"',
      );
      expect((await work()).fault).toEqual({ kind: "OTHER_SHOP", shop: "Tienda Sol" });
      expect((await work()).about).toMatchObject({ shopName: "Tienda Sol" });
    }
  });
});

describe("a backup of an earlier version, which has no signature", () => {
  it("can be restored only after the owner accepts it", async () => {
    await owner.sell([SOLD]);
    const signed = await backUp();
    await owner.sell([SOLD]);
    const name = "tillgate-20260110T080000Z.db";
    const file = join(shop.dataDir, "backups", name);
    await decryptBackupIn(shop.dataDir, signed, file);
    const { list } = (await owner.pos("GET", "/backups")).body;
    expect(list.find((one: { name: string }) => one.name === name)).toMatchObject({
      isUnsigned: true,
    });
    await owner.pos("POST", "/backups/work", { kind: "LOOK", name });
    const work = async () => (await owner.pos("GET", "/backups")).body.work;
    await expect.poll(async () => (await work()).state).toBe("DONE");
    expect(await work()).toMatchObject({ isUnsigned: true, problems: [], view: { sales: 1 } });

    const ask = { name, pin: OWNER_PIN };
    await owner.pos("PUT", "/backups/restore", ask);
    await shop.restart();
    const { restore } = (await owner.pos("GET", "/backups")).body;
    expect(restore.failure).toMatch(/is not signed: .* nobody can tell whether it was changed/);
    expect(restore.fault).toMatchObject({ kind: "UNSIGNED" });
    expect((await owner.pos("GET", "/sales?limit=9&offset=0")).body.list).toHaveLength(2);

    await owner.pos("PUT", "/backups/restore", { ...ask, acceptUnsigned: true });
    await shop.restart();
    const pos = await signInAgain(shop);
    expect((await pos("GET", "/sales?limit=9&offset=0")).body.list).toHaveLength(1);
    await shop.expectCleanBooks();
  });
});

describe("a restore over a shop that revoked access after the backup", () => {
  async function addDevice(name: string): Promise<string> {
    const device_id = randomUUID();
    const row = { account_id: "default", device_id, name, key_hash: name, address: "" };
    const at = clock.now();
    await writerOf(shop.gateway.context.db)
      .insertInto("devices")
      .values({ ...row, enrolled_at: at, seen_at: at })
      .execute();
    return device_id;
  }

  async function hire(name: string, pin: string): Promise<string> {
    const { status, body } = await owner.pos("POST", "/staff", { name, role: "clerk", pin });
    expect(status, body.message).toBe(200);
    return body.staffId;
  }

  it("keeps devices, API keys and dismissed staff revoked, and lists the access that the restore brought back", async () => {
    const device = await addDevice("stolen tablet");
    const key = await owner.pos("POST", "/keys", { name: "website", environment: "test" });
    const {
      key: { keyId },
      secret,
    } = key.body;
    const ana = await hire("Ana", "2583");
    const changed = await hire("Berta", "7319");
    const file = await backUp();
    await passTime(SECOND);
    expect((await owner.pos("DELETE", `/devices/${device}`)).status).toBeLessThan(300);
    expect((await owner.pos("DELETE", `/keys/${keyId}`)).status).toBeLessThan(300);
    expect((await owner.pos("PATCH", `/staff/${ana}`, { active: false })).status).toBe(200);
    expect((await owner.pos("PATCH", `/staff/${changed}`, { pin: "9417" })).status).toBe(200);

    await shop.gateway.close();
    const { dataDir } = shop;
    const request = { dataDir, accountId: "default", file, now: clock.now() };
    const restored = await restoreBackup(request);
    expect(restored.carried.toSorted()).toEqual([
      '"Ana" dismissed',
      'API key "website" revoked',
      'PIN of "Berta"',
      'device "stolen tablet" revoked',
    ]);
    expect(restored.needsReview).toBe(false);
    await shop.restart();

    const call = await shop.call("GET", "/v1/balance", {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(call.status).toBe(401);
    const signIn = async (staffId: string, pin: string) =>
      (await shop.call("POST", "/pos/session", { body: { staffId, pin } })).status;
    expect(await signIn(ana, "2583")).not.toBe(200);
    expect(await signIn(changed, "7319")).not.toBe(200);
    expect(await signIn(changed, "9417")).toBe(200);
    const pos = await signInAgain(shop);
    const devices = (await pos("GET", "/devices")).body.list;
    expect(devices).toMatchObject([{ deviceId: device, revokedAt: expect.any(String) }]);
    const trail = (await pos("GET", "/audit-trail?limit=9&action=staff.deactivate")).body;
    expect(trail.list[0]).toMatchObject({ subject: ana, detail: { carriedOver: true } });
    expect((await pos("GET", "/backups")).body.review).toBeUndefined();
    await shop.expectCleanBooks();
  });

  it("keeps reduced roles and permissions, and a webhook's newer secret", async () => {
    const receiver = await startReceiver(shop);
    const url = `${receiver.url}/hooks`;
    const hook = { environment: "test", kind: "TOPUP", url, allowPrivate: true };
    const { webhookId } = (await owner.pos("POST", "/webhooks", hook)).body.webhook;
    const { staffId: eva } = (
      await owner.pos("POST", "/staff", { name: "Eva", role: "owner", pin: "629318" })
    ).body;
    const ana = await hire("Ana", "2583");
    await owner.pos("PATCH", `/staff/${ana}`, { ownRights: { customerRefund: true } });
    const file = await backUp();
    await passTime(SECOND);
    const rotated = await owner.pos("POST", `/webhooks/${webhookId}/secret`);
    expect(rotated.status, JSON.stringify(rotated.body)).toBe(200);
    expect((await owner.pos("PATCH", `/staff/${eva}`, { role: "clerk" })).status).toBe(200);
    const lowered = await owner.pos("PATCH", `/staff/${ana}`, {
      ownRights: { customerRefund: false },
    });
    expect(lowered.status, JSON.stringify(lowered.body)).toBe(200);
    const readSecret = async () => {
      const { db } = shop.gateway.context;
      const row = await db
        .selectFrom("webhook_endpoints")
        .select("secret_sealed")
        .executeTakeFirst();
      return row?.secret_sealed;
    };
    const newer = await readSecret();
    await shop.gateway.close();
    const { dataDir } = shop;
    const restored = await restoreBackup({
      dataDir,
      accountId: "default",
      file,
      now: clock.now(),
    });
    expect(restored.carried.toSorted()).toEqual([
      "1 webhooks with their newer secret",
      'permissions of "Ana"',
      'permissions of "Eva"',
    ]);
    await shop.restart();
    expect(await readSecret()).toBe(newer);
    const pos = await signInAgain(shop);
    const { list } = (await pos("GET", "/staff")).body;
    const roles = list.map(({ name, role }: { name: string; role: string }) => [name, role]);
    expect(roles).toContainEqual(["Eva", "clerk"]);
    await receiver.close();
    await shop.expectCleanBooks();
  });

  it.each([
    { sameKey: true, path: "/second" },
    { sameKey: false, path: "/first" },
  ])(
    "verifies purchases at $path after the verifier was replaced, same key: $sameKey",
    async ({ sameKey, path }) => {
      const receiver = await startReceiver(shop);
      const phrase = await makeKit();
      const hook = { environment: "test", kinds: ["TRANSACTION", "TOPUP"], allowPrivate: true };
      const add = async (input: object) => {
        const added = await owner.pos("POST", "/webhooks", { ...hook, ...input });
        expect(added.status, JSON.stringify(added.body)).toBe(200);
        return added.body.webhook.webhookId as string;
      };
      const buy = async (transactionId: string) => {
        await shop.v1("POST", "/topups/purchases", { ...SOLD, transactionId });
        await passTime(2 * SECOND);
      };
      const first = await add({ url: `${receiver.url}/first` });
      expect((await owner.pos("POST", `/webhooks/${first}/secret`)).status).toBe(200);
      receiver.behave(200, 500);
      await buy("before");
      const file = await backUp();
      await passTime(SECOND);
      await add({ url: `${receiver.url}/second`, replaces: first });
      await shop.gateway.close();
      if (!sameKey) rmSync(join(shop.dataDir, "secrets.key"));
      const request = { dataDir: shop.dataDir, accountId: "default", file, now: clock.now() };
      const { carried } = await restoreBackup({ ...request, phrase });
      const kept = ["1 webhooks removed", "1 webhooks registered after the backup"];
      expect(carried).toEqual(sameKey ? kept : []);
      receiver.behave(200);
      await shop.restart();
      await buy("after");
      const asked = receiver.received.filter(({ body }) => body.includes('"after"'));
      expect(asked[0]).toMatchObject({ path, headers: { "webhook-kind": "TRANSACTION" } });
      const { db } = shop.gateway.context;
      const removed = await db
        .selectFrom("webhook_endpoints")
        .select(["endpoint_id", "secret_sealed", "old_secret_sealed", "old_secret_until"])
        .where("removed_at", "is not", null)
        .execute();
      const erased = { secret_sealed: null, old_secret_sealed: null, old_secret_until: null };
      expect(removed).toEqual(sameKey ? [{ endpoint_id: first, ...erased }] : []);
      const waiting = await db
        .selectFrom("webhook_deliveries")
        .select("state")
        .where("endpoint_id", "=", first)
        .where("subject", "=", "before")
        .where("kind", "=", "TOPUP")
        .execute();
      expect(waiting).toEqual([{ state: sameKey ? "CANCELLED" : "DELIVERED" }]);
      await receiver.close();
      await shop.expectCleanBooks();
    },
  );

  it("disconnects the newer provider if purchases are under way at the backup's provider", async () => {
    const author = { accountId: "default", environment: "live", staffId: undefined } as const;
    const [first, reloadly] = [await startFakeUpstream(clock), await startFakeReloadly(clock)];
    const key = "live_a-secret-of-the-upstream-0123456789";
    const { recharges, upstream, engine } = shop.gateway.context;
    await giveLiveCatalog(shop, [SOLD.offerId]);
    await recharges.recharge(author, 5000);
    await upstream.connect(author, { baseUrl: first.url, key, allowPrivate: true });
    const { ask } = first;
    first.ask = ({ body: { transactionId }, reply }) =>
      reply(200, { transactionId, status: "IN_PROGRESS" });
    await shop.v1("POST", "/topups/purchases", { ...SOLD, transactionId: "sale-1" }, "live");
    await shop.settle();
    await engine.idle();
    const file = await backUp();
    first.ask = ask;
    await passTime(16 * MINUTE);
    await engine.idle();
    await upstream.connect(author, {
      kind: "reloadly",
      baseUrl: reloadly.url,
      clientId: reloadly.clientId,
      key: reloadly.secret,
      allowPrivate: true,
    });
    await shop.gateway.close();
    const request = { dataDir: shop.dataDir, accountId: "default", file, now: clock.now() };
    const restored = await restoreBackup(request);
    expect(restored.carried).toEqual([
      `no connection to a provider: ${first.url} has unfinished purchases`,
    ]);
    await shop.restart();
    await passTime(MINUTE);
    const status = await shop.gateway.context.upstream.getStatus(author);
    expect([status.connected, status.stored?.baseUrl]).toEqual([false, first.url]);
    expect(reloadly.submissions).toEqual([]);
    await shop.gateway.context.upstream.connect(author, {
      baseUrl: first.url,
      key,
      allowPrivate: true,
    });
    await passTime(16 * MINUTE);
    await shop.gateway.context.engine.idle();
    const path = "/topups/purchases/sale-1";
    expect((await shop.v1("GET", path, undefined, "live")).body.status).toBe("DONE");
    expect(first.submissions.get("sale-1")).toBe(1);
    await Promise.all([first.close(), reloadly.close()]);
  });

  it("sells no offer of a replaced company until the waiting catalog is accepted", async () => {
    const author = { accountId: "default", environment: "live", staffId: undefined } as const;
    const ref = { ...author, providerId: "first" };
    const [old, next] = [await startFakeReloadly(clock), await startFakeReloadly(clock)];
    next.operators = next.operators.map((one) => ({ ...one, internationalDiscount: 9 }));
    const connect = async ({ url: baseUrl, clientId, secret: key }: typeof old, waits: boolean) => {
      const typed = { kind: "reloadly", baseUrl, clientId, key, allowPrivate: true } as const;
      await shop.gateway.context.upstream.connect(author, { ...typed, approvesCatalog: waits });
      await shop.settle();
    };
    const buy = async (transactionId: string) => {
      const input = { ...SOLD, offerId: "RLD-88-5.00-USD", transactionId };
      const { body } = await shop.v1("POST", "/topups/purchases", input, "live");
      await shop.settle();
      await shop.gateway.context.engine.idle();
      return body.errorCode ?? body.status;
    };
    await shop.gateway.context.recharges.recharge(author, 5000);
    await connect(old, false);
    expect(await buy("before")).toBe("ACCEPTED");
    await connect(next, true);
    expect(await buy("replaced")).toBe("OFFER_DISABLED");
    const file = await backUp();
    await shop.gateway.close();
    await restoreBackup({ dataDir: shop.dataDir, accountId: "default", file, now: clock.now() });
    await shop.restart();
    await passTime(MINUTE);
    expect(await buy("restored")).toBe("OFFER_DISABLED");
    const { upstreamSync } = shop.gateway.context;
    const { waiting } = await upstreamSync.findWaiting(ref);
    await upstreamSync.accept(ref, Date.parse(waiting?.fetchedAt ?? ""));
    expect(await buy("accepted")).toBe("ACCEPTED");
    expect([[...old.books.keys()], [...next.books.keys()]]).toEqual([["before"], ["accepted"]]);
    await Promise.all([old.close(), next.close()]);
  });

  it("lists a device that is unknown to the replaced shop", async () => {
    const before = await backUp();
    const device = await addDevice("till 2");
    const file = await backUp();
    await shop.gateway.close();
    const { dataDir } = shop;
    const request = { dataDir, accountId: "default", now: clock.now() };
    await restoreBackup({ ...request, file: before });
    const restored = await restoreBackup({ ...request, file });
    expect(restored.needsReview).toBe(true);
    await shop.restart();
    const pos = await signInAgain(shop);
    expect((await pos("GET", "/backups")).body.review).toMatchObject({
      people: [],
      devices: [{ id: device, name: "till 2" }],
      keys: [],
    });
  });
});

describe("the reminder of the recovery sheet", () => {
  const causes = async () => {
    owner = await owner.signIn(owner.staffId, OWNER_PIN, { shift: false });
    await shop.gateway.context.alertRounds.look();
    const { open } = (await owner.pos("GET", "/alerts")).body;
    return open.map(({ cause }: { cause: string }) => cause);
  };

  it("appears after three days without a sheet, and disappears when a sheet is confirmed", async () => {
    await backUp();
    await passTime(DAY);
    expect(await causes()).not.toContain("RECOVERY_KIT");
    await passTime(3 * DAY);
    expect(await causes()).toContain("RECOVERY_KIT");
    const { kitId } = await makeDraft();
    await passTime(DAY);
    expect(await causes()).toContain("RECOVERY_KIT");
    await confirm(kitId);
    await passTime(DAY);
    expect(await causes()).not.toContain("RECOVERY_KIT");
  });
});
