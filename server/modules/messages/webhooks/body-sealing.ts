import { sql } from "kysely";
import { transactByAccount } from "../../../db/by-account.ts";
import type { Db } from "../../../db/database.ts";
import { sealedText } from "../../../db/sealed-text.ts";
import type { Transactor } from "../../../db/transactor.ts";

const AT_ONCE = 200;

/** Encrypts the bodies of some deliveries that lie in clear. @returns whether there may be more */
export async function sealBodies({
  db,
  transactor,
}: {
  db: Db;
  transactor: Transactor;
}): Promise<boolean> {
  const rows = await db
    .selectFrom("webhook_deliveries")
    .select(["account_id", "sequence", "body"])
    // From the first on, so that only the index of bodies in clear is read.
    .where("sequence", ">", 0)
    .where(sql<boolean>`substr(body, 1, 1) = '{'`)
    .limit(AT_ONCE)
    .execute();
  if (rows.length === 0) return false;
  await transactByAccount(transactor, rows, async (tx, own) => {
    for (const { sequence, body } of own) {
      await tx
        .updateTable("webhook_deliveries")
        .set({ body: sealedText(body) })
        .where("sequence", "=", sequence)
        .execute();
    }
  });
  return rows.length === AT_ONCE;
}
