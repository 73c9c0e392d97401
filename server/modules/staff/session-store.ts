import type { Db, Tx } from "../../db/database.ts";

/** A session that has not expired, with how long the account's tills may stand idle. */
export function findSession(db: Db | Tx, tokenHash: string, now: number) {
  return db
    .selectFrom("staff_sessions as s")
    .innerJoin("accounts as a", "a.account_id", "s.account_id")
    .select([
      "s.account_id",
      "s.staff_id",
      "s.expires_at",
      "s.training",
      "s.active_at",
      "a.idle_lock_minutes",
    ])
    .where("s.token_hash", "=", tokenHash)
    .where("s.expires_at", ">", now)
    .executeTakeFirst();
}
