import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pause } from "../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { keepChecksums } from "./checksums.ts";
import { CommitCache } from "./commit-cache.ts";
import { type Db, openDatabase } from "./database.ts";
import { type CommitWatch, watchReference } from "./reference-watch.ts";

let till: TestGateway;
let other: Db;
beforeAll(async () => {
  till = await startTestGateway();
  other = openDatabase(till.dataDir);
  keepChecksums(other);
});
afterAll(async () => {
  await other.destroy();
  await till.close();
});

describe("gateway with another process on the same database", () => {
  it("refuses a key as soon as the other process revokes or restricts it", async () => {
    const scope = { accountId: "default", environment: "test" } as const;
    const { keyId, key } = await till.gateway.context.keys.create(scope, "short-lived");
    const headers = { authorization: `Bearer ${key}` };
    const status = async () => (await till.call("GET", "/v1/balance", { headers })).status;
    for (let n = 0; n < 3; n++) expect(await status()).toBe(200);
    await other
      .updateTable("api_keys")
      .set({ revoked_at: 1 })
      .where("key_id", "=", keyId)
      .execute();
    expect(await status()).toBe(401);
    await other
      .updateTable("api_keys")
      .set({ revoked_at: null })
      .where("key_id", "=", keyId)
      .execute();
    expect(await status()).toBe(200);
    const allowed = JSON.stringify(["10.0.0.1"]);
    await other
      .updateTable("api_keys")
      .set({ allowed_addresses_json: allowed })
      .where("key_id", "=", keyId)
      .execute();
    expect(await status()).toBe(403);
    await till.gateway.context.keys.revoke({ accountId: "default" }, keyId);
    expect(await status()).toBe(401);
  });

  it("accepts a new key of the other process at once, even after refusing it as unknown", async () => {
    const key = `test_${"x".repeat(43)}`;
    const headers = { authorization: `Bearer ${key}` };
    const status = async () => (await till.call("GET", "/v1/balance", { headers })).status;
    expect(await status()).toBe(401);
    const hash = (await import("node:crypto")).createHash("sha256").update(key).digest("hex");
    await other
      .insertInto("api_keys")
      .values({
        key_id: "k",
        account_id: "default",
        environment: "test",
        name: "n",
        hash,
        hint: "h",
        created_at: 1,
      })
      .execute();
    expect(await status()).toBe(200);
  });

  it("serves a catalog change of the other process from the next request on", async () => {
    const path = "/topups/offers/TIGO_GT_TOPUP_25";
    expect((await till.v1("GET", path)).body.enabled).toBe(true);
    await other.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom("offers")
        .select("offer_json")
        .where("offer_id", "=", "TIGO_GT_TOPUP_25")
        .executeTakeFirstOrThrow();
      const offer = { ...JSON.parse(row.offer_json), enabled: false };
      await tx
        .updateTable("offers")
        .set({ offer_json: JSON.stringify(offer) })
        .where("offer_id", "=", "TIGO_GT_TOPUP_25")
        .execute();
      await tx
        .updateTable("catalogs")
        .set((eb) => ({ version: eb("version", "+", 1) }))
        .execute();
    });
    expect((await till.v1("GET", path)).body.enabled).toBe(false);
  });

  it("reads no table again for a repeated request if nothing was committed", async () => {
    const statements: string[] = [];
    const quiet = await startTestGateway({ onStatement: (sql) => statements.push(sql) });
    try {
      const list = "/topups/offers?_limit=50&_offset=0&country=GT";
      const first = await quiet.v1("GET", list);
      // The first request stores the time of the key's use, which is a commit.
      await quiet.v1("GET", list);
      statements.length = 0;
      expect((await quiet.v1("GET", list)).body).toEqual(first.body);
      // The only query asks whether another process has committed.
      expect(new Set(statements)).toEqual(new Set(["pragma data_version"]));
    } finally {
      await quiet.close();
    }
  });
});

describe("cached value", () => {
  let watch: CommitWatch;
  beforeAll(() => {
    const { db, transactor } = till.gateway.context;
    watch = watchReference(db, transactor);
  });

  /** Makes each name different: SQLite does not write an unchanged value. */
  let commits = 0;
  async function commit(): Promise<void> {
    await other
      .updateTable("api_keys")
      .set({ name: `name ${++commits}` })
      .execute();
  }

  it("needs one read after each commit, regardless of the number of requests", async () => {
    const cache = new CommitCache<string>(watch, 10);
    let reads = 0;
    const get = () => cache.get("a", async () => `read ${++reads}`);
    expect([await get(), await get()]).toEqual(["read 1", "read 1"]);
    await commit();
    expect([await get(), await get()]).toEqual(["read 2", "read 2"]);
  });

  it("does not stay in the cache if a commit happens during its read", async () => {
    const cache = new CommitCache<string>(watch, 10);
    const during = await cache.get("a", async () => {
      await commit();
      return "old or new";
    });
    expect(during).toBe("old or new");
    expect(await cache.get("a", async () => "new")).toBe("new");
  });

  it("stays valid until the turn of the event loop ends, even after a commit", async () => {
    const first = watch.stampOfTurn();
    await commit();
    expect(watch.stampOfTurn()).toBe(first);
    await pause();
    const next = watch.stampOfTurn();
    expect(next).not.toBe(first);
    expect(watch.stamp()).toBe(next);
  });

  it("stays in the cache only if it is defined and the limit is not reached", async () => {
    const cache = new CommitCache<string>(watch, 2);
    let reads = 0;
    const get = (key: string) => cache.get(key, async () => `${++reads}`);
    for (const key of ["a", "b", "c", "a", "b", "c"]) await get(key);
    expect(reads).toBe(4);
    expect(await cache.get("d", async () => undefined)).toBeUndefined();
    expect(await cache.get("d", async () => "there")).toBe("there");
  });
});
