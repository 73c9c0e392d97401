import { type Static, Type } from "typebox";
import type { Db, Tx } from "../../../db/database.ts";
import { accountSetting, deleteSetting, readSetting, writeSetting } from "../../../db/settings.ts";

/** Ids of people, devices and API keys whose access a restore brought back. */
export const ReturnedAccess = Type.Object({
  people: Type.Array(Type.String()),
  devices: Type.Array(Type.String()),
  keys: Type.Array(Type.String()),
});
export type ReturnedAccess = Static<typeof ReturnedAccess>;

/**
 * A restore after which an owner has to confirm the access of people and keys. Times are in
 * milliseconds.
 */
const RESTORE_REVIEW = accountSetting(
  "restore_review",
  Type.Object({
    restoredAt: Type.Integer(),
    takenAt: Type.Integer(),
    /** Access that the restore brought back; absent if the replaced database could not be read. */
    returned: Type.Optional(ReturnedAccess),
  }),
);
export type RestoreReview = Static<typeof RESTORE_REVIEW.schema>;

/** Replaces the review of an earlier restore. */
export async function openReview(
  tx: Tx,
  {
    accountId,
    at,
    takenAt,
    returned,
  }: { accountId: string; at: number; takenAt: number; returned: ReturnedAccess | undefined },
): Promise<void> {
  const review = { restoredAt: at, takenAt, ...(returned && { returned }) };
  await writeSetting(tx, accountId, RESTORE_REVIEW, review);
}

/** Returns whether several people have access. An owner who works alone has nothing to confirm. */
export async function isAccessShared(tx: Tx, accountId: string): Promise<boolean> {
  const people = await tx
    .selectFrom("staff")
    .select("role")
    .where("account_id", "=", accountId)
    .where("active", "=", 1)
    .limit(2)
    .execute();
  if (people.length > 1) return true;
  const device = await tx
    .selectFrom("devices")
    .select("device_id")
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  const key = await tx
    .selectFrom("api_keys")
    .select("key_id")
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return device !== undefined || key !== undefined;
}

export async function closeReview(tx: Tx, accountId: string): Promise<void> {
  await deleteSetting(tx, accountId, RESTORE_REVIEW);
}

export async function findReview(
  db: Db | Tx,
  accountId: string,
): Promise<RestoreReview | undefined> {
  return readSetting(db, accountId, RESTORE_REVIEW);
}
