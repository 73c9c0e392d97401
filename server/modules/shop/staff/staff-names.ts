import type { Db, Tx } from "../../../db/database.ts";

/** Names of members of staff, by id. */
export async function staffNames(
  db: Db | Tx,
  accountId: string,
  staffIds: readonly string[],
): Promise<Map<string, string>> {
  if (staffIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("staff")
    .select(["staff_id", "name"])
    .where("account_id", "=", accountId)
    .where("staff_id", "in", staffIds)
    .execute();
  return new Map(rows.map((row) => [row.staff_id, row.name]));
}
