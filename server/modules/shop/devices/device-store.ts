import type { Selectable } from "kysely";
import { transactByAccount } from "../../../db/by-account.ts";
import { isIntact } from "../../../db/checksums.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/tables.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { DAY } from "../../../lib/clock.ts";

export type DeviceRow = Selectable<Tables["devices"]>;

interface Code {
  accountId: string;
  codeHash: string;
}

export async function addCode(
  tx: Tx,
  { accountId, codeHash, name, expiresAt }: Code & { name: string; expiresAt: number },
): Promise<void> {
  await tx
    .insertInto("device_codes")
    .values({ account_id: accountId, code_hash: codeHash, name, expires_at: expiresAt })
    .execute();
}

export async function takeCode(
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

export async function addDevice(tx: Tx, device: NewDevice): Promise<void> {
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
export function findDeviceByKey(db: Db, keyHash: string): Promise<DeviceRow | undefined> {
  return db
    .selectFrom("devices")
    .selectAll()
    .where("key_hash", "=", keyHash)
    .where(isIntact("devices"))
    .executeTakeFirst();
}

export function listDevices(db: Db, accountId: string): Promise<DeviceRow[]> {
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
export async function endDevice(
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

export async function noteSeen(
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
