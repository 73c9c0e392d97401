import type { Db, Tx } from "../../../db/database.ts";

/** Sessions of active staff that have not expired, with how long the account's tills may stand idle. */
export function listSessions(db: Db | Tx, tokenHashes: readonly string[], now: number) {
  return db
    .selectFrom("staff_sessions as s")
    .innerJoin("accounts as a", "a.account_id", "s.account_id")
    .innerJoin("staff as p", (join) =>
      join.onRef("p.account_id", "=", "s.account_id").onRef("p.staff_id", "=", "s.staff_id"),
    )
    .selectAll("p")
    .select([
      "s.token_hash",
      "s.expires_at",
      "s.training",
      "s.active_at",
      "s.device_id",
      "a.idle_lock_minutes",
    ])
    .where("s.token_hash", "in", tokenHashes)
    .where("s.expires_at", ">", now)
    .where("p.active", "=", 1)
    .execute();
}

/** Ends a person's oldest sessions, so that at most `keep` are left. */
export async function endOldSessions(
  tx: Tx,
  { accountId, staffId }: { accountId: string; staffId: string },
  keep: number,
): Promise<void> {
  const old = await tx
    .selectFrom("staff_sessions")
    .select("token_hash")
    .where("account_id", "=", accountId)
    .where("staff_id", "=", staffId)
    .orderBy("active_at", "desc")
    .orderBy("created_at", "desc")
    .orderBy("token_hash")
    .limit(1_000_000)
    .offset(keep)
    .execute();
  if (old.length === 0) return;
  const hashes = old.map(({ token_hash }) => token_hash);
  await tx.deleteFrom("staff_sessions").where("token_hash", "in", hashes).execute();
}
