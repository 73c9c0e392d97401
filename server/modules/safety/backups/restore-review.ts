import type { Db, Tx } from "../../../db/database.ts";
import type { ReturnedAccess } from "./revocations.ts";

/**
 * A restore after which an owner has to confirm the access of people and keys. Times are in
 * milliseconds.
 */
export interface RestoreReview {
  restoredAt: number;
  takenAt: number;
  /** Access that the restore brought back; undefined if the replaced database could not be read. */
  returned: ReturnedAccess | undefined;
}

/** Replaces the review of an earlier restore. */
export async function openReview(
  tx: Tx,
  {
    accountId,
    at,
    takenAt,
    returned,
  }: { accountId: string; at: number } & Omit<RestoreReview, "restoredAt">,
): Promise<void> {
  await closeReview(tx, accountId);
  const returned_json = returned === undefined ? null : JSON.stringify(returned);
  const row = { account_id: accountId, restored_at: at, taken_at: takenAt, returned_json };
  await tx.insertInto("restore_reviews").values(row).execute();
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
  await tx.deleteFrom("restore_reviews").where("account_id", "=", accountId).execute();
}

export async function findReview(
  db: Db | Tx,
  accountId: string,
): Promise<RestoreReview | undefined> {
  const row = await db
    .selectFrom("restore_reviews")
    .select(["restored_at", "taken_at", "returned_json"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return (
    row && {
      restoredAt: row.restored_at,
      takenAt: row.taken_at,
      returned:
        row.returned_json === null ? undefined : (JSON.parse(row.returned_json) as ReturnedAccess),
    }
  );
}
