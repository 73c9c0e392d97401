import type { Selectable } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/tables.ts";

export type DeviceRow = Selectable<Tables["staff_devices"]>;

/** A device of a person. `device` is the digest of the device's cookie. */
export interface StaffDevice {
  accountId: string;
  staffId: string;
  device: string;
}

/** Maximum number of devices per person. The least recently used devices above it are deleted. */
const MAX_DEVICES = 50;

/** Finds a device on which this person has typed the right PIN. */
export function findDevice(
  db: Db | Tx,
  { accountId, staffId, device }: StaffDevice,
): Promise<DeviceRow | undefined> {
  return db
    .selectFrom("staff_devices")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .where("device_hash", "=", device)
    .executeTakeFirst();
}

/**
 * Returns whether any person has used the device, which proves that the gateway created its cookie.
 */
export async function isKnownDevice(
  tx: Tx,
  { accountId, device }: Pick<StaffDevice, "accountId" | "device">,
): Promise<boolean> {
  const row = await tx
    .selectFrom("staff_devices")
    .select("staff_id")
    .where("account_id", "=", accountId)
    .where("device_hash", "=", device)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores a device as known for a person, and resets its count of consecutive wrong PINs. */
export async function markDevice(
  tx: Tx,
  { accountId, staffId, device }: StaffDevice,
  at: number,
): Promise<void> {
  const used = { used_at: at, failed_attempts: 0, locked_until: null };
  await tx
    .insertInto("staff_devices")
    .values({ account_id: accountId, staff_id: staffId, device_hash: device, ...used })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "staff_id", "device_hash"]).doUpdateSet(used),
    )
    .execute();
  await tx
    .deleteFrom("staff_devices")
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .where("device_hash", "in", (devices) =>
      devices
        .selectFrom("staff_devices as d")
        .select("d.device_hash")
        .where("d.account_id", "=", accountId)
        .where("d.staff_id", "=", staffId)
        .orderBy("d.used_at", "desc")
        .orderBy("d.device_hash")
        .limit(1_000)
        .offset(MAX_DEVICES),
    )
    .execute();
}

export async function countAtDevice(
  tx: Tx,
  { accountId, staffId, device }: StaffDevice,
  count: Pick<DeviceRow, "failed_attempts" | "locked_until">,
): Promise<void> {
  await tx
    .updateTable("staff_devices")
    .set(count)
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .where("device_hash", "=", device)
    .execute();
}

export async function forgetDevices(
  tx: Tx,
  { accountId, staffId }: Pick<StaffDevice, "accountId" | "staffId">,
): Promise<void> {
  await tx
    .deleteFrom("staff_devices")
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .execute();
}

export async function unlockDevices(
  tx: Tx,
  { accountId, staffId }: Pick<StaffDevice, "accountId" | "staffId">,
): Promise<void> {
  await tx
    .updateTable("staff_devices")
    .set({ failed_attempts: 0, locked_until: null })
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .execute();
}
