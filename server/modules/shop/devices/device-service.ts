import { createHash, randomInt } from "node:crypto";
import type { Socket } from "node:net";
import type { Selectable } from "kysely";
import type { Author } from "../../../contract/pos/actor.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import { Problem } from "../../../contract/problem.ts";
import { transactByAccount } from "../../../db/by-account.ts";
import { isIntact } from "../../../db/checksums.ts";
import { CommitCache } from "../../../db/commit-cache.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/tables.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { DAY, MINUTE, SECOND } from "../../../lib/clock.ts";
import { GuessCounter } from "../../../lib/guess-counter.ts";
import { sourceOf } from "../../../lib/place.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";

export const CODE_LASTS_MS = 10 * MINUTE;
/**
 * Characters of enrolment codes, without characters that look alike. A code of ten characters has
 * 49 bits.
 */
const LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789";
const CODE_LENGTH = 10;
const KEY_BYTES = 32;
/**
 * Minimum time between writes of a device's last time and address. Addresses may alternate (IPv4
 * and IPv6).
 */
const SEEN_PRECISION_MS = 5 * MINUTE;
/** Interval of checks for devices that another process has revoked, such as an owner's command. */
const LOOK_INTERVAL_MS = SECOND;
const DEVICES_REMEMBERED = 1_000;
/** Maximum number of typed codes per minute, right or wrong: per source address, and in total. */
const CODES = { ofOne: 10, ofAll: 200 };

type DeviceServiceDeps = Pick<
  Base,
  "accountId" | "db" | "transactor" | "watch" | "memory" | "clock" | "ids" | "log"
>;

export class DeviceService {
  /**
   * The certificate authority that devices must trust, as PEM; undefined if devices trust the
   * issuer already.
   */
  authority: string | undefined;
  /**
   * Returns the till's URLs for other devices; undefined while the gateway does not listen for
   * devices.
   */
  readEntrance: (() => string[]) | undefined;
  readonly #deps: DeviceServiceDeps;
  readonly #guesses: GuessCounter;
  readonly #known: CommitCache<DeviceRow>;
  readonly #sockets = new Map<string, Set<Socket>>();
  #cancel: (() => void) | undefined;
  #stamp = Number.NaN;
  /** Time of the last write for each device, so that simultaneous requests write only once. */
  readonly #noted = new Map<string, number>();

  constructor(deps: DeviceServiceDeps) {
    this.#deps = deps;
    this.#guesses = new GuessCounter(deps.memory, "device-codes", CODES);
    this.#known = new CommitCache(deps.watch, DEVICES_REMEMBERED);
  }

  /** Creates a code that enrols one device within ten minutes. The code cannot be shown again. */
  async makeCode(author: Author, name: string): Promise<{ code: string; expiresAt: number }> {
    const { transactor, clock } = this.#deps;
    const at = clock.now();
    const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]);
    const expiresAt = at + CODE_LASTS_MS;
    const called = tidyName(name);
    await transactor.transact(author.accountId, async (tx) => {
      const { accountId } = author;
      const codeHash = hashSecret(letters.join(""));
      await addCode(tx, { accountId, codeHash, name: called, expiresAt });
      const entry = { action: "device.code", subject: called, at } as const;
      await recordAudit(tx, { ...author, ...entry });
    });
    letters.splice(CODE_LENGTH / 2, 0, "-");
    return { code: letters.join(""), expiresAt };
  }

  /**
   * Enrols a device, and invalidates the code.
   * @returns the key for the device's cookie; only its hash is stored
   * @throws Problem RATE_LIMITED, or NOT_FOUND for a wrong, used or expired code
   */
  async enrol(typed: string, address: string): Promise<string> {
    const { accountId, transactor, clock, ids } = this.#deps;
    if (!(await this.#guesses.take(sourceOf(address)))) {
      throw new Problem("RATE_LIMITED", "Too many wrong codes. Try again in a minute.");
    }
    const code = typed.toUpperCase().replace(/[\s-]/g, "");
    const key = ids.secret(KEY_BYTES);
    const deviceId = ids.uuid();
    await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      const name = await takeCode(tx, { accountId, codeHash: hashSecret(code), at });
      if (name === undefined) throw new Problem("NOT_FOUND", "The code is wrong, used or too old.");
      await addDevice(tx, { accountId, deviceId, name, keyHash: hashSecret(key), at, address });
      const detail = { name, address };
      const entry = { action: "device.enrol", subject: deviceId, detail, at } as const;
      await recordAudit(tx, { accountId, staffId: undefined, ...entry });
    });
    return key;
  }

  list(): Promise<DeviceRow[]> {
    return listDevices(this.#deps.db, this.#deps.accountId);
  }

  /**
   * Revokes a device, and ends its sessions and connections.
   * @throws Problem NOT_FOUND if the device is not enrolled
   */
  async revoke(author: Author, deviceId: string): Promise<void> {
    const { transactor, clock } = this.#deps;
    await transactor.transact(author.accountId, async (tx) => {
      const at = clock.now();
      const name = await endDevice(tx, { accountId: author.accountId, deviceId, at });
      if (name === undefined) {
        throw new Problem("NOT_FOUND", `There is no device ${deviceId} that is let in.`);
      }
      const entry = { action: "device.revoke", subject: deviceId, detail: { name }, at } as const;
      await recordAudit(tx, { ...author, ...entry });
    });
    this.#endConnections(deviceId);
  }

  /** Returns the device to which a key belongs. A later revocation ends the connection. */
  async admit(
    key: string,
    address: string,
    socket: Socket,
  ): Promise<{ deviceId: string } | undefined> {
    const { db } = this.#deps;
    const hash = hashSecret(key);
    const row = await this.#known.get(hash, () => findDeviceByKey(db, hash));
    if (!row || row.revoked_at !== null) return undefined;
    const { device_id: deviceId } = row;
    this.#trackSocket(deviceId, socket);
    await this.#noteSeen(row, address);
    return { deviceId };
  }

  stop(): void {
    this.#cancel?.();
    this.#sockets.clear();
  }

  async #noteSeen({ account_id, device_id, seen_at }: DeviceRow, address: string) {
    const { transactor, clock, log } = this.#deps;
    const at = clock.now();
    const noted = this.#noted.get(device_id) ?? seen_at;
    if ([seen_at, noted].some((before) => Math.abs(at - before) < SEEN_PRECISION_MS)) return;
    this.#noted.set(device_id, at);
    try {
      const seen = { accountId: account_id, deviceId: device_id, at, address };
      await transactor.transact(account_id, (tx) => noteSeen(tx, seen));
    } catch (error) {
      this.#noted.set(device_id, noted);
      log.warn({ err: error }, "could not store when a device was last seen");
    }
  }

  #trackSocket(deviceId: string, socket: Socket): void {
    const sockets = this.#sockets.get(deviceId) ?? new Set();
    this.#sockets.set(deviceId, sockets);
    if (sockets.has(socket)) return;
    sockets.add(socket);
    // Forces another check, because the device may have been revoked since its row was read.
    this.#stamp = Number.NaN;
    socket.once("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0 && this.#sockets.get(deviceId) === sockets) {
        this.#sockets.delete(deviceId);
      }
    });
    this.#watch();
  }

  #watch(): void {
    const { clock, log } = this.#deps;
    this.#cancel ??= clock.wakeAt(clock.now() + LOOK_INTERVAL_MS, () => {
      this.#cancel = undefined;
      this.#endRevoked()
        .catch((error: unknown) => {
          log.error({ err: error }, "could not check for revoked devices");
        })
        .finally(() => this.#sockets.size > 0 && this.#watch());
    });
  }

  /** Ends connections of revoked devices, because an open stream makes no further request. */
  async #endRevoked(): Promise<void> {
    const stamp = this.#deps.watch.stamp();
    if (stamp === this.#stamp) return;
    const rows = await this.list();
    this.#stamp = stamp;
    const letIn = new Set(rows.flatMap((row) => (row.revoked_at === null ? row.device_id : [])));
    for (const deviceId of this.#sockets.keys()) {
      if (!letIn.has(deviceId)) this.#endConnections(deviceId);
    }
  }

  #endConnections(deviceId: string): void {
    for (const socket of this.#sockets.get(deviceId) ?? []) socket.destroy();
  }
}

function hashSecret(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export type DeviceRow = Selectable<Tables["devices"]>;

interface Code {
  accountId: string;
  codeHash: string;
}

async function addCode(
  tx: Tx,
  { accountId, codeHash, name, expiresAt }: Code & { name: string; expiresAt: number },
): Promise<void> {
  await tx
    .insertInto("device_codes")
    .values({ account_id: accountId, code_hash: codeHash, name, expires_at: expiresAt })
    .execute();
}

async function takeCode(
  tx: Tx,
  { accountId, codeHash, at }: Code & { at: number },
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom("device_codes")
    .where("account_id", "=", accountId)
    .where("code_hash", "=", codeHash)
    .where("expires_at", ">", at)
    .returning("name")
    .executeTakeFirst();
  return row?.name;
}

interface NewDevice {
  accountId: string;
  deviceId: string;
  name: string;
  keyHash: string;
  at: number;
  address: string;
}

async function addDevice(tx: Tx, device: NewDevice): Promise<void> {
  const { accountId, deviceId, name, keyHash, at, address } = device;
  await tx
    .insertInto("devices")
    .values({
      account_id: accountId,
      device_id: deviceId,
      name,
      key_hash: keyHash,
      enrolled_at: at,
      seen_at: at,
      address,
    })
    .execute();
}

/** Finds an enrolled device. Ignores a row with a wrong checksum. */
function findDeviceByKey(db: Db, keyHash: string): Promise<DeviceRow | undefined> {
  return db
    .selectFrom("devices")
    .selectAll()
    .where("key_hash", "=", keyHash)
    .where(isIntact("devices"))
    .executeTakeFirst();
}

function listDevices(db: Db, accountId: string): Promise<DeviceRow[]> {
  return db
    .selectFrom("devices")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("enrolled_at")
    .orderBy("device_id")
    .execute();
}

/**
 * Revokes a device, and ends its sessions.
 * @returns the device's name; undefined if it is not enrolled
 */
async function endDevice(
  tx: Tx,
  { accountId, deviceId, at }: Pick<NewDevice, "accountId" | "deviceId" | "at">,
): Promise<string | undefined> {
  const row = await tx
    .updateTable("devices")
    .set({ revoked_at: at })
    .where("account_id", "=", accountId)
    .where("device_id", "=", deviceId)
    .where("revoked_at", "is", null)
    .returning("name")
    .executeTakeFirst();
  if (row) await tx.deleteFrom("staff_sessions").where("device_id", "=", deviceId).execute();
  return row?.name;
}

async function noteSeen(
  tx: Tx,
  {
    accountId,
    deviceId,
    at,
    address,
  }: Pick<NewDevice, "accountId" | "deviceId" | "at" | "address">,
): Promise<void> {
  await tx
    .updateTable("devices")
    .set({ seen_at: at, address })
    .where("account_id", "=", accountId)
    .where("device_id", "=", deviceId)
    .execute();
}

/** Time for which revoked devices are listed. The audit trail stores them forever. */
const REVOKED_LISTED_MS = 90 * DAY;

/**
 * Deletes expired codes, and devices that were revoked long ago.
 * @returns whether there may be more rows to delete
 */
export async function pruneDevices(
  { db, transactor }: { db: Db; transactor: Transactor },
  now: number,
): Promise<boolean> {
  const revokedBefore = now - REVOKED_LISTED_MS;
  // Restricts the queries by account, because the indexes start with the account.
  const accounts = db.selectFrom("accounts").select("account_id");
  const codes = await db
    .selectFrom("device_codes")
    .select("account_id")
    .where("account_id", "in", accounts)
    .where("expires_at", "<=", now)
    .execute();
  const devices = await db
    .selectFrom("devices")
    .select("account_id")
    .where("account_id", "in", accounts)
    .where("revoked_at", "<=", revokedBefore)
    .execute();
  await transactByAccount(transactor, [...codes, ...devices], async (tx, _rows, accountId) => {
    await tx
      .deleteFrom("device_codes")
      .where("account_id", "=", accountId)
      .where("expires_at", "<=", now)
      .execute();
    await tx
      .deleteFrom("devices")
      .where("account_id", "=", accountId)
      .where("revoked_at", "<=", revokedBefore)
      .execute();
  });
  return false;
}
