import { hash as digest, timingSafeEqual } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { type Selectable, sql } from "kysely";
import { Type } from "typebox";
import type { Author, ScopedAuthor } from "../../../contract/pos/actor.ts";
import { KEY_SCOPES, type KeyScope, type PosKey } from "../../../contract/pos/keys.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import { calendarOf, machineTimeZone, startOfDate } from "../../../contract/pos/shop-day.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import { CommitCache } from "../../../db/commit-cache.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { readColumn } from "../../../db/stored-json.ts";
import type { Tables } from "../../../db/tables.ts";
import type { App } from "../../../http/app-types.ts";
import { handle, requireOwnPin } from "../../../http/pos-operations.ts";
import { DAY, HOUR, MINUTE, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base, Module } from "../../module.ts";

/** An API key without its secret, which is not stored. */
export interface ApiKey extends Scope {
  keyId: string;
  name: string;
  hint: string;
  allowedAddresses: string[] | undefined;
  scopes: readonly KeyScope[];
  createdAt: number;
  /** Undefined if the key never expires. */
  expiresAt: number | undefined;
  lastUsedAt: number | undefined;
  revokedAt: number | undefined;
}

/** Limits of a new key. By default it may do everything, from any address, until it is revoked. */
interface KeyLimits {
  allowedAddresses?: string[] | undefined;
  scopes?: readonly KeyScope[] | undefined;
  /** Last day of the key in the shop's time zone, such as 2027-01-31. */
  expiresOn?: string | undefined;
}

const KEY_BYTES = 32;
const HINT_LENGTH = 10;
/** Minimum time between writes of a key's last use. */
const LAST_USE_PRECISION_MS = MINUTE;

const KEYS_REMEMBERED = 1_000;

/** Minimum time between audit entries about refused keys of the same address. */
const REFUSED_EVERY_MS = HOUR;
const REFUSED_AN_HOUR = 20;

interface KeyHolder extends Scope {
  keyId: string;
  scopes: readonly KeyScope[];
  /** Commit stamp at which the key was valid. */
  asOf: number;
}

interface KnownKey {
  row: Selectable<Tables["api_keys"]>;
  scopes: readonly KeyScope[];
  allowed: BlockList | undefined;
}

/** Returns the names of keys by their ids, also of revoked keys. */
export async function keyNames(
  db: Db | Tx,
  accountId: string,
  keyIds: readonly string[],
): Promise<Map<string, string>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("api_keys")
    .select(["key_id", "name"])
    .where("account_id", "=", accountId)
    .where("key_id", "in", keyIds)
    .execute();
  return new Map(rows.map(({ key_id, name }) => [key_id, name]));
}

/** Manages API keys. A key is shown only once, and stored as SHA-256 (rules#access-key-storage). */
export class KeyService {
  readonly #deps: Base;
  readonly #known: CommitCache<KnownKey>;
  /** Time of the last audit entry about a refused key, by address. */
  readonly #refused = new Map<string, number>();
  /** Time at which this process last wrote the use of each key. */
  readonly #noted = new Map<string, number>();
  readonly #noting = new Set<Promise<void>>();

  constructor(deps: Base) {
    this.#deps = deps;
    this.#known = new CommitCache(deps.watch, KEYS_REMEMBERED);
  }

  /**
   * Creates a key and returns its secret, which cannot be shown again.
   * @throws Problem INVALID_REQUEST naming `allowedAddresses` or `expiresOn`
   */
  async create(
    { staffId, ...scope }: ScopedAuthor,
    name: string,
    { allowedAddresses, scopes = KEY_SCOPES, expiresOn }: KeyLimits = {},
  ): Promise<{ keyId: string; key: string }> {
    const { transactor, clock, ids } = this.#deps;
    if (allowedAddresses) toBlockList(allowedAddresses);
    const keyId = ids.uuid();
    const key = `${scope.environment}_${ids.secret(KEY_BYTES)}`;
    const at = clock.now();
    const kept = KEY_SCOPES.filter((one) => scopes.includes(one));
    const expiresAt = expiresOn && (await this.#endOf(scope.accountId, expiresOn));
    await transactor.transact(scope.accountId, async (tx) => {
      await tx
        .insertInto("api_keys")
        .values({
          key_id: keyId,
          account_id: scope.accountId,
          environment: scope.environment,
          name,
          hash: hashKey(key),
          hint: key.slice(0, HINT_LENGTH),
          allowed_addresses_json: allowedAddresses ? JSON.stringify(allowedAddresses) : null,
          scopes: kept.join(" "),
          expires_at: expiresAt || null,
          created_at: at,
        })
        .execute();
      await recordAudit(tx, {
        accountId: scope.accountId,
        staffId,
        action: "key.create",
        subject: keyId,
        detail: {
          name,
          environment: scope.environment,
          scopes: kept.join(" "),
          ...(allowedAddresses && { allowedAddresses: allowedAddresses.join(" ") }),
          ...(expiresOn && { expiresOn }),
        },
        at,
      });
    });
    return { keyId, key };
  }

  async list(accountId: string): Promise<ApiKey[]> {
    await this.settle();
    const rows = await this.#deps.db
      .selectFrom("api_keys")
      .selectAll()
      .where("account_id", "=", accountId)
      .orderBy("created_at")
      .orderBy("key_id")
      .execute();
    return rows.map((row) => ({
      keyId: row.key_id,
      accountId: row.account_id,
      environment: row.environment,
      name: row.name,
      hint: row.hint,
      allowedAddresses: row.allowed_addresses_json
        ? readAddresses(row.key_id, row.allowed_addresses_json)
        : undefined,
      scopes: readScopes(row.scopes),
      createdAt: row.created_at,
      expiresAt: row.expires_at ?? undefined,
      lastUsedAt: row.last_used_at ?? undefined,
      revokedAt: row.revoked_at ?? undefined,
    }));
  }

  /** @throws Problem NOT_FOUND for a key that does not exist or is already revoked */
  async revoke({ accountId, staffId }: Author, keyId: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    const at = clock.now();
    await transactor.transact(accountId, async (tx) => {
      const result = await tx
        .updateTable("api_keys")
        .set({ revoked_at: at })
        .where("account_id", "=", accountId)
        .where("key_id", "=", keyId)
        .where("revoked_at", "is", null)
        .executeTakeFirst();
      if (result.numUpdatedRows !== 1n) {
        throw new Problem("NOT_FOUND", `There is no key ${keyId} in use.`);
      }
      const { name, environment } = await tx
        .selectFrom("api_keys")
        .select(["name", "environment"])
        .where("account_id", "=", accountId)
        .where("key_id", "=", keyId)
        .executeTakeFirstOrThrow();
      const detail = { name, environment };
      const entry = { action: "key.revoke", subject: keyId, detail, at } as const;
      await recordAudit(tx, { accountId, staffId, ...entry });
    });
  }

  /**
   * Returns the holder of a cached key if the use of the key needs no write.
   * @returns undefined if the caller must call `authenticate`
   */
  recall(key: string, address: string): KeyHolder | undefined {
    const asOf = this.#deps.watch.stampOfTurn();
    const known = this.#known.recall(hashKey(key), asOf);
    if (!known || !this.#isNoted(known.row)) return undefined;
    try {
      return this.#admit(known, address, asOf);
    } catch {
      return undefined;
    }
  }

  /**
   * @throws Problem NOT_AUTHORIZED for a missing, unknown, revoked or expired key; FORBIDDEN for an
   * address that is not on the key's list
   */
  async authenticate(key: string, address: string): Promise<KeyHolder> {
    const asOf = this.#deps.watch.stamp();
    const hash = hashKey(key);
    const known = await this.#known.get(hash, () => this.#find(hash), asOf);
    if (!known || !timingSafeEqual(Buffer.from(known.row.hash), Buffer.from(hash))) {
      await this.#noteRefused(undefined, address);
      throw new Problem("NOT_AUTHORIZED", "The API key is not valid.");
    }
    let client: KeyHolder;
    try {
      client = this.#admit(known, address, asOf);
    } catch (error) {
      await this.#noteRefused(known.row, address);
      throw error;
    }
    this.#noteUse(known.row);
    return client;
  }

  /** Waits until the last use of every key is stored. */
  async settle(): Promise<void> {
    await Promise.all(this.#noting);
  }

  /** @throws Problem INVALID_REQUEST for a day that has ended, or that does not exist */
  async #endOf(accountId: string, day: string): Promise<number> {
    const { db, clock } = this.#deps;
    const { time_zone } = await db
      .selectFrom("accounts")
      .select("time_zone")
      .where("account_id", "=", accountId)
      .executeTakeFirstOrThrow();
    const start = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
    const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(day);
    const zone = time_zone ?? machineTimeZone();
    const end = isDay ? startOfDate(start / DAY + 1, calendarOf(zone)) : 0;
    if (end > clock.now()) return end;
    throw new Problem("INVALID_REQUEST", `${day} is not a day on which a key can expire.`, {
      expiresOn: "must be today or a later date such as 2027-01-31",
    });
  }

  /**
   * @throws Problem NOT_AUTHORIZED for a revoked or expired key; FORBIDDEN for an address that is
   * not on the key's list
   */
  #admit({ row, scopes, allowed }: KnownKey, address: string, asOf: number): KeyHolder {
    if (row.revoked_at !== null) {
      throw new Problem("NOT_AUTHORIZED", "The API key is not valid.");
    }
    if (this.#isExpired(row)) {
      const at = toTimestamp(row.expires_at ?? 0);
      throw new Problem("NOT_AUTHORIZED", `The API key expired at ${at}. Use a new key.`);
    }
    if (allowed && !allowed.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")) {
      throw new Problem("FORBIDDEN", "This address may not use the API key.");
    }
    const { account_id: accountId, environment, key_id: keyId } = row;
    return { accountId, environment, keyId, scopes, asOf };
  }

  #isExpired({ expires_at }: KnownKey["row"]): boolean {
    return expires_at !== null && this.#deps.clock.now() >= expires_at;
  }

  async #find(hash: string): Promise<KnownKey | undefined> {
    const row = await this.#deps.db
      .selectFrom("api_keys")
      .selectAll()
      .where("hash", "=", hash)
      .executeTakeFirst();
    if (!row) return undefined;
    const addresses = row.allowed_addresses_json;
    return {
      row,
      scopes: readScopes(row.scopes),
      allowed: addresses === null ? undefined : toBlockList(readAddresses(row.key_id, addresses)),
    };
  }

  async #noteRefused(row: KnownKey["row"] | undefined, address: string): Promise<void> {
    const { accountId, clock, log, transactor } = this.#deps;
    const at = clock.now();
    // Does not record requests within a minute of the revocation, while the program's operator
    // replaces the key.
    if (row && row.revoked_at !== null && at - row.revoked_at < MINUTE) return;
    for (const [from, noted] of this.#refused) {
      if (Math.abs(at - noted) >= REFUSED_EVERY_MS) this.#refused.delete(from);
    }
    if (this.#refused.has(address) || this.#refused.size >= REFUSED_AN_HOUR) return;
    this.#refused.set(address, at);
    const why = row ? this.#whyRefused(row) : "UNKNOWN";
    const detail = { address, why, ...(row && { name: row.name, environment: row.environment }) };
    const entry = { accountId, action: "key.refused", subject: row?.key_id ?? "", detail } as const;
    await transactor
      .transact(accountId, (tx) => recordAudit(tx, { ...entry, at }))
      .catch((error: unknown) => log.warn({ err: error }, "could not record a refused key"));
  }

  #whyRefused(row: KnownKey["row"]): "ADDRESS" | "EXPIRED" | "REVOKED" {
    if (row.revoked_at !== null) return "REVOKED";
    return this.#isExpired(row) ? "EXPIRED" : "ADDRESS";
  }

  /** Returns whether the use of a key needs no write, because one was written within a minute. */
  #isNoted({ key_id, last_used_at }: KnownKey["row"]): boolean {
    const now = this.#deps.clock.now();
    return [last_used_at, this.#noted.get(key_id)].some(
      (at) => typeof at === "number" && Math.abs(now - at) < LAST_USE_PRECISION_MS,
    );
  }

  /** Stores the time of the key's last use. The request does not wait. */
  #noteUse(row: KnownKey["row"]): void {
    if (this.#isNoted(row)) return;
    const { clock, log } = this.#deps;
    const now = clock.now();
    this.#noted.set(row.key_id, now);
    const noting = this.#writeUse(row, now)
      .catch((error: unknown) => {
        log.warn({ err: error }, "could not store the time of a key's last use");
      })
      .finally(() => this.#noting.delete(noting));
    this.#noting.add(noting);
  }

  /** Leaves the time of another process that has just written it. */
  async #writeUse({ account_id, key_id }: KnownKey["row"], now: number): Promise<void> {
    await this.#deps.transactor.transact(account_id, (tx) =>
      tx
        .updateTable("api_keys")
        .set({ last_used_at: now })
        .where("key_id", "=", key_id)
        .where(sql<boolean>`abs(coalesce(last_used_at, 0) - ${now}) >= ${LAST_USE_PRECISION_MS}`)
        .execute(),
    );
  }
}

function readScopes(text: string): KeyScope[] {
  const names = text.split(" ");
  return KEY_SCOPES.filter((scope) => names.includes(scope));
}

const Addresses = Type.Array(Type.String());

/** @throws JsonMisfit */
function readAddresses(keyId: string, text: string): string[] {
  const where = { table: "api_keys", column: "allowed_addresses_json", row: keyId } as const;
  return readColumn(Addresses, text, where);
}

function hashKey(key: string): string {
  return digest("sha256", key);
}

/** @throws Problem INVALID_REQUEST for an entry that is not an address or a range */
function toBlockList(addresses: string[]): BlockList {
  const list = new BlockList();
  for (const entry of addresses) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address);
    const bits = prefix === undefined ? undefined : Number(prefix);
    const longest = family === 6 ? 128 : 32;
    const validBits =
      bits === undefined || (Number.isInteger(bits) && bits >= 0 && bits <= longest);
    if (family === 0 || !validBits) {
      throw new Problem("INVALID_REQUEST", `${entry} is not an address or a range.`, {
        allowedAddresses: "must be IP addresses or ranges such as 192.168.1.0/24",
      });
    }
    const type = family === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, bits, type);
  }
  return list;
}

export function createKeysModule(deps: Base) {
  // A key expires by the machine's clock, also in a sandbox.
  const keys = new KeyService({ ...deps, clock: deps.machineClock });
  return {
    services: { keys },
    release: () => keys.settle(),
    pos: (app) => registerKeyRoutes(app, keys),
  } satisfies Module;
}

/** Registers the operations on API keys. They cover both environments, regardless of the till's. */
async function registerKeyRoutes(app: App, keys: KeyService): Promise<void> {
  const { keyOperations } = await import("../../../contract/pos/keys.ts");
  handle(app, keyOperations.list, async ({ actor }) => {
    const list = await keys.list(actor.accountId);
    return { list: list.toReversed().map(toPosKey) };
  });

  handle(app, keyOperations.create, async (call) => {
    const { actor, body } = call;
    const { accountId, staffId } = actor;
    const { environment, name, allowedAddresses = [], ...limits } = body;
    if (environment === "live") await requireOwnPin(call);
    const author = { accountId, staffId, environment };
    const allowed = allowedAddresses.length > 0 ? allowedAddresses : undefined;
    const { keyId, key: secret } = await keys.create(author, tidyName(name), {
      ...limits,
      allowedAddresses: allowed,
    });
    const made = (await keys.list(accountId)).find((one) => one.keyId === keyId);
    if (!made) throw new Error("the created key is missing in the list");
    return { key: toPosKey(made), secret };
  });

  handle(app, keyOperations.revoke, async (call) => {
    const { accountId, staffId } = call.actor;
    const { keyId } = call.params;
    const key = (await keys.list(accountId)).find((one) => one.keyId === keyId);
    if (key?.environment === "live") await requireOwnPin(call);
    await keys.revoke({ accountId, staffId }, keyId);
    return {};
  });
}

function toPosKey(key: ApiKey): PosKey {
  const { accountId: _account, allowedAddresses, scopes, ...facts } = key;
  const { createdAt, expiresAt, lastUsedAt, revokedAt, ...rest } = facts;
  return {
    ...rest,
    ...(allowedAddresses && { allowedAddresses }),
    scopes: [...scopes],
    createdAt: toTimestamp(createdAt),
    ...(expiresAt !== undefined && { expiresAt: toTimestamp(expiresAt) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: toTimestamp(lastUsedAt) }),
    ...(revokedAt !== undefined && { revokedAt: toTimestamp(revokedAt) }),
  };
}
