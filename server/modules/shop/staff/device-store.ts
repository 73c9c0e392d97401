import type { Selectable } from "kysely";
import type { Db, Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/tables.ts";

export type DeviceRow = Selectable<Tables["staff_devices"]>;

/** A person, and the device that they are at. */
export interface DeviceOf {
  accountId: string;
  staffId: string;
  device: string;
}

/** A person uses few; the least recently used are forgotten, and only their own tries with them. */
const MOST_DEVICES = 50;

/** A device that this person has typed their PIN at before. */
export function findDevice(
  db: Db | Tx,
  { accountId, staffId, device }: DeviceOf,
): Promise<DeviceRow | undefined> {
  return db
    .selectFrom("staff_devices")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .where("device_hash", "=", device)
    .executeTakeFirst();
}

/** Whether any person has used it: its cookie was made here, not by the sender. */
export async function isKnownDevice(
  tx: Tx,
  { accountId, device }: Pick<DeviceOf, "accountId" | "device">,
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

/** A right PIN was typed there: the device is theirs, and its count begins anew. */
export async function markDevice(
  tx: Tx,
  { accountId, staffId, device }: DeviceOf,
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
        .offset(MOST_DEVICES),
    )
    .execute();
}

export async function countAtDevice(
  tx: Tx,
  { accountId, staffId, device }: DeviceOf,
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

/** A person left: their devices are nobody's. */
export async function forgetDevices(
  tx: Tx,
  { accountId, staffId }: Pick<DeviceOf, "accountId" | "staffId">,
): Promise<void> {
  await tx
    .deleteFrom("staff_devices")
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .execute();
}

/** A new PIN: wrong ones of the old one lock nothing any more. */
export async function unlockDevices(
  tx: Tx,
  { accountId, staffId }: Pick<DeviceOf, "accountId" | "staffId">,
): Promise<void> {
  await tx
    .updateTable("staff_devices")
    .set({ failed_attempts: 0, locked_until: null })
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .execute();
}
